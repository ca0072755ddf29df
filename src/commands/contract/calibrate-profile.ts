import { stringify } from 'yaml';
import type { Calibration, Finding } from '../../contract/calibrate/calibrate.js';
import { gapRegistry } from '../../generated/gap-registry.js';
import { invalidChoices } from '../../openapi/profile.js';
import { formatCount } from '../../text/format.js';
import { printable } from '../support/output.js';

const gapOrder = Object.keys(gapRegistry);

/**
 * Sorts the findings of a calibration, one for each gap in the specification, in the order of the gap registry. Removes
 * choices that are not valid in a profile; their findings then say why.
 */
export function withValidChoicesOnly({ findings }: Pick<Calibration, 'findings'>): Finding[] {
  const errors = new Map(invalidChoices(choicesIn(findings)).map(({ path: [gap], message }) => [gap, message]));
  const sorted = [...findings].sort((a, b) => gapOrder.indexOf(a.gap) - gapOrder.indexOf(b.gap));
  return sorted.map((finding) => {
    const error = errors.get(finding.gap);
    if (error === undefined) return finding;
    return { ...finding, choice: undefined, why: `observed ${JSON.stringify(finding.choice)}, but ${error}` };
  });
}

/** Returns the content of the profile: the observed choice for each gap, keyed by its id. */
export function choicesIn(findings: readonly Finding[]): Record<string, unknown> {
  return Object.fromEntries(findings.flatMap(({ gap, choice }) => (choice === undefined ? [] : [[gap, choice]])));
}

/**
 * Formats the profile for `start --profile`. Comments give the evidence for each choice and what the evidence does not
 * cover, and say why the choices for other gaps are unknown.
 */
export function profileText(
  { target, driver, requests }: Calibration,
  findings: readonly Finding[],
  observedAt: Date,
): string {
  const observed = findings.filter(({ choice }) => choice !== undefined);
  const unknown = findings.filter(({ choice }) => choice === undefined);
  const head = [
    `How ${target} fills the gaps in the specification, observed on ${observedAt.toISOString().slice(0, 10)}:`,
    `${observed.length} of ${formatCount(findings.length, 'gap')}, in ${formatCount(requests, 'request')} with ${driver}.`,
  ];
  return [
    comment(head),
    ...(observed.length === 0 ? ['{}\n'] : observed.map((finding) => choiceText(finding))),
    ...(unknown.length === 0
      ? []
      : [comment(['The simulator keeps its defaults for these gaps, whose choices are unknown:'])]),
    ...unknown.map(({ gap, question, why }) => comment([`${gap}: ${question}`, `  ${why}`])),
  ].join('\n');
}

function choiceText({ gap, question, choice, why, evidence }: Finding): string {
  const details = [...(why === '' ? [] : [why]), ...evidence];
  return comment([question, ...details.map((line) => `  ${line}`)]) + stringify({ [gap]: choice }, { lineWidth: 0 });
}

/** Formats comment lines of YAML. Line breaks in the text become spaces, so that they cannot end the comment. */
function comment(lines: readonly string[]): string {
  return lines.map((line) => `# ${printable(line.replace(/[\s\u0085\u2028\u2029]/g, ' '))}\n`).join('');
}
