import type { OpenAPIV3_1 } from 'openapi-types';
import { parseChoice } from '../../domain/choices.js';
import type { Gap } from '../../domain/gaps.js';
import { gapRegistry } from '../../generated/gap-registry.js';
import { memberOf } from '../../lib/json.js';
import type { Profile } from '../../openapi/profile.js';
import { formatDuration } from '../../text/format.js';

/**
 * In the OpenAPI document of a profile, describes the choices that are not defaults: at the top, and at each
 * place whose `x-gap` names the gap of the choice. Changes the document.
 */
export function describeChoices(document: OpenAPIV3_1.Document, profile: Profile): void {
  const sentences = sentencesOf(profile);
  describePlaces(document.paths, sentences);
  describePlaces(document.webhooks, sentences);
  describePlaces(document.components, sentences);
  const lines = [...sentences].map(([id, sentence]) => `- \`${id}\`: ${sentence}`);
  const { description = '' } = document.info;
  document.info.description = `${description}\n\nThe choices of this profile that are not the defaults:\n\n${lines.join('\n')}`;
}

/** For each gap whose choice is not the default, its question and the description of the choice. */
function sentencesOf(profile: Profile): Map<string, string> {
  const sentencesByGap = new Map<string, string>();
  const choices = new Map<string, unknown>(Object.entries(profile));
  for (const [id, gap] of Object.entries(gapRegistry)) {
    const choice = choices.get(id);
    if (parseChoice(choice).name !== gap.default)
      sentencesByGap.set(id, `${gap.question} ${describeChoice(gap, choice)}`);
  }
  return sentencesByGap;
}

/** Describes a choice for a gap, with its value, if it takes one: `The given duration: 8 d.` */
export function describeChoice({ choices }: Gap, choice: unknown): string {
  const { name, value } = parseChoice(choice);
  const { description = name, takes } = choices[name] ?? {};
  if (value === undefined) return description;
  const isDuration = takes?.['x-duration'] === true;
  const text = isDuration && typeof value === 'number' ? formatDuration(value) : JSON.stringify(value);
  return `${description.replace(/\.$/, '')}: ${text}.`;
}

function describePlaces(part: unknown, sentences: ReadonlyMap<string, string>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    // Examples are data, not schema.
    if (name !== 'examples' && name !== 'example') describePlaces(inner, sentences);
  }
  const gaps = memberOf(part, 'x-gap');
  const added = Array.isArray(gaps) ? gaps.flatMap((id) => sentences.get(String(id)) ?? []) : [];
  if (added.length === 0) return;
  const description = memberOf(part, 'description');
  Reflect.set(part, 'description', [...(typeof description === 'string' ? [description] : []), ...added].join(' '));
}
