import { formatObservation } from '../../contract/calibrate/format-observation.js';
import type { Comparison, SideReport } from '../../contract/compare/compare.js';
import type { LabeledDifference } from '../../contract/compare/compare-runs.js';
import type { Side } from '../../contract/compare/pairs.js';
import type { Evidence } from '../../contract/report/clause-report.js';
import { explainExitCode as explainExitCodeOfRun } from '../../contract/report/report.js';
import { gapRegistry } from '../../generated/gap-registry.js';
import { truncate } from '../../lib/messages.js';
import { formatCount, formatDuration } from '../../text/format.js';
import { columns, indent, printable } from '../support/output.js';

/** Maximum number of violations that are printed; the JSON output has all. */
const maxViolations = 30;

/** Maximum number of differences that are listed for a gap. */
const maxDifferencesPerGap = 6;

/** Maximum number of listed requests to which only one side responded. */
const maxUnpairedRequests = 3;

/** Maximum number of printed characters of a response, and of a value. */
const maxResponseCharacters = 200;
const maxValueCharacters = 40;

/**
 * Formats a comparison: violations first, then differences that the specification allows, then noise, which is what may
 * differ between any two runs, such as ids.
 */
export function formatComparison(comparison: Comparison, { showsNoise }: { readonly showsNoise: boolean }): string {
  const { a, b, differences, unpaired, pairs, durationMs, exitCode } = comparison;
  const withLabel = (label: string): LabeledDifference[] =>
    differences.filter((difference) => difference.label === label);
  const noise = withLabel('noise');
  const blocks = [
    `A  ${summary(a)}\nB  ${summary(b)}`,
    ...violationBlocks(withLabel('violation')),
    ...gapBlocks(withLabel('gap'), comparison),
    ...(showsNoise && noise.length > 0 ? [`Noise:\n${indent(columns(noise.map(noiseRow)))}`] : []),
    ...problemsOf(comparison),
    `${formatCount(pairs, 'pair')} of responses compared in ${formatDuration(durationMs)}: ${formatCount(withLabel('violation').length, 'violation')}, ` +
      `${formatCount(withLabel('gap').length, 'difference')} in gaps, ${formatCount(noise.length, 'difference')} of noise` +
      `${noise.length > 0 && !showsNoise ? '; --noise lists them' : ''}` +
      (unpaired.length === 0
        ? ''
        : `\n${formatCount(unpaired.length, 'request')} with a response from only one of the two: ${formatUnpaired(unpaired)}`),
    `exit code ${exitCode}: ${explainExitCode(comparison)}`,
  ];
  return printable(blocks.join('\n\n'));
}

function summary({ target, driver, requests, summary: { verified, documented } }: SideReport): string {
  return `${target}, with ${driver}: verified ${verified} of ${formatCount(documented, 'documented clause')}, in ${formatCount(requests, 'request')}`;
}

function violationBlocks(violations: readonly LabeledDifference[]): string[] {
  if (violations.length === 0) return [];
  const omittedCount = violations.length - maxViolations;
  return [
    'Violations:',
    ...violations.slice(0, maxViolations).map(formatViolation),
    ...(omittedCount > 0 ? [`… and ${omittedCount} more; use --json FILE to see all`] : []),
  ];
}

function formatViolation(difference: LabeledDifference): string {
  const { operation, place, a, b, clauses, wrongTypes = [], serverErrors = [], example } = difference;
  /** The sides that violate each clause. */
  const sidesByClause = new Map<string, Side[]>();
  for (const { id, title, side } of clauses) {
    const line = `${id}  ${title}`;
    sidesByClause.set(line, [...(sidesByClause.get(line) ?? []), side]);
  }
  const lines = [
    ...[...sidesByClause].map(
      ([line, sides]) => `${namesOf(sides)} ${sides.length > 1 ? 'violate' : 'violates'} ${line}`,
    ),
    ...defectLines(wrongTypes, 'a value of a wrong type'),
    ...defectLines(serverErrors, 'a server error'),
    ...exampleLines(example),
    `A: ${a}`,
    `B: ${b}`,
  ];
  return `✗ ${[operation, place].filter(Boolean).join('  ')}${countSuffix(difference)}\n${indent(lines.map(onOneLine).join('\n'), 4)}`;
}

/** Says which sides have a defect that no clause detected: `A and B have a server error`. */
function defectLines(sidesWithDefect: readonly Side[], defect: string): string[] {
  if (sidesWithDefect.length === 0) return [];
  return [`${namesOf(sidesWithDefect)} ${sidesWithDefect.length > 1 ? 'have' : 'has'} ${defect}`];
}

/** Formats a request, and the response of each side. */
function exampleLines({ a, b }: LabeledDifference['example']): string[] {
  const request = (a ?? b)?.request.curl;
  return [
    ...(request === undefined ? [] : [request]),
    ...(a ? [`A → ${responseLine(a)}`] : []),
    ...(b ? [`B → ${responseLine(b)}`] : []),
  ];
}

function responseLine({ response: { status, body } }: Evidence): string {
  return `${status} ${truncate(body, maxResponseCharacters)}`;
}

/** Formats a block for each gap: its question, the choice of each side, and the differences that it allows. */
function gapBlocks(differences: readonly LabeledDifference[], { gaps }: Comparison): string[] {
  /** Keyed by the id of a gap, or by several ids, sorted and joined with `or`, if each may explain a difference. */
  const differencesByName = new Map<string, LabeledDifference[]>(gaps.map(({ id }) => [id, []]));
  for (const difference of differences) {
    const name = [...difference.gaps].sort().join(' or ');
    differencesByName.set(name, [...(differencesByName.get(name) ?? []), difference]);
  }
  const blocks = [...differencesByName].map(([name, differencesInGap]) => {
    const choices = gaps.find(({ id }) => id === name);
    const omittedCount = differencesInGap.length - maxDifferencesPerGap;
    const lines = [
      ...(choices ? [`A: ${formatObservation(choices.a)}`, `B: ${formatObservation(choices.b)}`] : []),
      ...(differencesInGap.length === 0 ? [] : [columns(differencesInGap.slice(0, maxDifferencesPerGap).map(gapRow))]),
      ...(omittedCount > 0 ? [`… and ${omittedCount} more; use --json FILE to see all`] : []),
      ...differencesInGap.slice(0, 1).flatMap(({ example }) => exampleLines(example).map(onOneLine)),
    ];
    return `? ${headingOf(name)}\n${indent(lines.join('\n'), 4)}`;
  });
  return blocks.length === 0 ? [] : ['Left open by the specification:', ...blocks];
}

/** Returns the heading of a block. @param name id of a gap, or several joined with `or`; empty for no gap */
function headingOf(name: string): string {
  // Behavior that the specification does not mention belongs to no gap.
  if (name === '') return 'not mentioned in the specification';
  const question = Object.entries(gapRegistry).find(([id]) => id === name)?.[1].question;
  return question === undefined ? name : `${name}  ${question}`;
}

function gapRow(difference: LabeledDifference): string[] {
  const hints = difference.clauses
    .map(({ id, side }) => `${side.toUpperCase()} differs from what ${id} suggests`)
    .join(', ');
  return [...valueCells(difference), hints];
}

/** Returns the cells of a difference that is noise. The first cell is the kind of noise, such as `wording`. */
function noiseRow(difference: LabeledDifference): string[] {
  return [difference.noise ?? '', ...valueCells(difference)];
}

/** Returns cells with the place of a difference, both values, and the number of times that it occurred. */
function valueCells(difference: LabeledDifference): string[] {
  const { operation, place, a, b } = difference;
  const values = [truncate(a, maxValueCharacters), '|', truncate(b, maxValueCharacters)];
  return [operation ?? '', place, ...values, countSuffix(difference).trim()];
}

function problemsOf({ a, b }: Comparison): string[] {
  const lines = [...a.problems.map((line) => `A  ${line}`), ...b.problems.map((line) => `B  ${line}`)];
  return lines.length === 0 ? [] : [`Problems:\n${indent(lines.join('\n'))}`];
}

/** Lists requests that got a response from only one side. Repetitions by a clause or setup are counted, not listed. */
function formatUnpaired(unpaired: Comparison['unpaired']): string {
  const counts = new Map<string, number>();
  for (const { side, operation, step } of unpaired) {
    const request = `${side.toUpperCase()} ${operation} (${step})`;
    counts.set(request, (counts.get(request) ?? 0) + 1);
  }
  const examples = [...counts]
    .slice(0, maxUnpairedRequests)
    .map(([request, count]) => request + countSuffix({ count }));
  return `${examples.join(', ')}${counts.size > examples.length ? ', …' : ''}`;
}

function namesOf(sides: readonly Side[]): string {
  return sides.map((side) => side.toUpperCase()).join(' and ');
}

function explainExitCode({ a, b, exitCode, differences }: Comparison): string {
  const causes = (['a', 'b'] as const).flatMap((side) => {
    const name = side.toUpperCase();
    // Without `--strict`, the differences also name inferred clauses, whose violation is only a warning.
    const failedCount = { a, b }[side].summary.failed;
    const wrongTypeCount = differences.filter(({ wrongTypes = [] }) => wrongTypes.includes(side)).length;
    const serverErrorCount = differences.filter(({ serverErrors = [] }) => serverErrors.includes(side)).length;
    return [
      ...(failedCount === 0 ? [] : [`${name} violates ${formatCount(failedCount, 'clause')}`]),
      ...(wrongTypeCount === 0 ? [] : [`${name} has ${formatCount(wrongTypeCount, 'value')} of a wrong type`]),
      ...(serverErrorCount === 0 ? [] : [`${name} has ${formatCount(serverErrorCount, 'server error')}`]),
    ];
  });
  if (exitCode === 1) return causes.join(', ');
  if (exitCode === 4) return 'the suite itself failed; this says nothing about either target';
  if (exitCode === 0) return 'no violations in what was verified';
  return Object.entries({ A: a, B: b })
    .filter(([, side]) => side.exitCode === exitCode)
    .map(([name, side]) => `${name}: ${explainExitCodeOfRun(side)}`)
    .join('; ');
}

function countSuffix({ count }: Pick<LabeledDifference, 'count'>): string {
  return count === 1 ? '' : `  ×${count}`;
}

function onOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
