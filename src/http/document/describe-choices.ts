import type { OpenAPIV3_1 } from 'openapi-types';
import { parseChoice } from '../../domain/choices.js';
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
    const { name, value } = parseChoice(choices.get(id) ?? gap.default);
    if (name === gap.default) continue;
    const choice = gap.choices[name];
    if (!choice) throw new Error(`the gap ${id} has no choice ${name}`);
    sentencesByGap.set(
      id,
      `${gap.question} ${withValue(choice.description, value, choice.takes?.['x-duration'] === true)}`,
    );
  }
  return sentencesByGap;
}

/** Adds the value to the sentence: `The duration given.` becomes `The duration given: 8 d.` */
function withValue(description: string, value: unknown, isDuration: boolean): string {
  if (value === undefined) return description;
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
