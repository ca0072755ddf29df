import { formatValue } from '../engine/check-errors.js';
import type { Level } from '../engine/clause.js';
import { formatExactJson } from '../engine/json.js';
import { type Evidence, evidenceOf } from '../report/clause-report.js';
import type { ClauseViolation } from './clause-violations.js';
import { comparableText } from './exchanges.js';
import { type Group, groupsOf } from './groups.js';
import { type Findings, type GroupLabel, type Label, labelOf } from './label.js';
import type { Noise } from './noise.js';
import { type Pair, pairsOf, type Side, type UnpairedRequest } from './pairs.js';
import type { TargetRun } from './target-run.js';

/** The runs on the two targets; `a` is the target that the user named first. */
export interface Runs {
  readonly a: TargetRun;
  readonly b: TargetRun;
}

/** A difference between the two targets, without secrets. */
export interface LabeledDifference {
  readonly label: Label;
  /** For example `GET /invoices/{invoice}`; null if the difference does not belong to one operation. */
  readonly operation: string | null;
  /**
   * `status`, `header x-ratelimit-reset`, or a JSON pointer with `*` for array items. For a violation that no
   * difference explains, `expected …`. All fields that the specification does not name are one difference, whose place
   * is a fixed phrase.
   */
  readonly place: string;
  /**
   * Values of the two targets in the example: JSON, or `nothing`. For a violation that no difference explains, what
   * each target did, `as expected` or `not checked`; for fields that the specification does not name, their names.
   */
  readonly a: string;
  readonly b: string;
  /** Clauses that are violated at this place, and by which target. */
  readonly clauses: readonly {
    readonly id: string;
    readonly level: Level;
    readonly title: string;
    readonly side: Side;
  }[];
  /**
   * Ids of the gaps (questions that the specification does not answer) that allow the difference; empty if none is
   * known.
   */
  readonly gaps: readonly string[];
  /** Reason to ignore the difference, if its label is `noise`. */
  readonly noise?: Noise;
  /** Targets with a value of a wrong type, such as an array in place of an object, which no clause detected. */
  readonly wrongTypes?: readonly Side[];
  /** Targets with a status of 500 or more, which no clause detected. */
  readonly serverErrors?: readonly Side[];
  /** Number of response pairs that show the difference. */
  readonly count: number;
  /** One of these pairs. `step` is the clause or setup that sent the request. */
  readonly example: { readonly step: string; readonly a: Evidence | null; readonly b: Evidence | null };
}

/** The choices of the two targets for one gap. */
interface ChoicePair {
  readonly id: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** Everything that differs between two runs. */
export interface RunsComparison {
  readonly differences: readonly LabeledDifference[];
  /** Gaps for which the two targets were observed to make different choices. */
  readonly gaps: readonly ChoicePair[];
  /** Requests to which only one of the targets responded, or which were sent to only one. */
  readonly unpaired: readonly UnpairedRequest[];
  /** Number of response pairs that were compared. */
  readonly pairs: number;
}

/** Order of the labels in the result. */
const labelOrder: readonly Label[] = ['violation', 'gap', 'noise'];

/** Compares the observations of two runs. @param violations the violations of clauses by either target */
export function compareRuns(runs: Runs, violations: readonly ClauseViolation[]): RunsComparison {
  const { pairs, unpaired } = pairsOf(runs.a.session, runs.b.session);
  const choices = choicesOf(runs);
  const findings: Findings = {
    violations,
    differingGaps: new Set(choices.filter(({ isSameChoice }) => !isSameChoice).map(({ id }) => id)),
    listedDifferingGaps: new Set(
      choices.filter(({ isSameChoice, isListed }) => !isSameChoice && isListed).map(({ id }) => id),
    ),
    agreeingGaps: new Set(choices.filter(({ isSameChoice }) => isSameChoice).map(({ id }) => id)),
    gapsByExchange: new Map([...runs.a.gapsByExchange, ...runs.b.gapsByExchange]),
  };
  const labeledGroups = groupsOf(pairs, { a: runs.a.session, b: runs.b.session }).map((group) => ({
    group,
    groupLabel: labelOf(group, findings),
  }));
  const explained = new Set(labeledGroups.flatMap(({ groupLabel }) => groupLabel.violations));
  const unexplained = violations.filter((violation) => !explained.has(violation));
  const undocumented = labeledGroups.filter(({ groupLabel }) => groupLabel.isUndocumented);
  const differences = [
    ...labeledGroups
      .filter(({ groupLabel }) => !groupLabel.isUndocumented)
      .map(({ group, groupLabel }) => differenceOf(group, groupLabel, runs)),
    ...undocumentedFields(
      undocumented.map(({ group }) => group),
      runs,
    ),
    ...violationsWithoutDifference({ unexplained, all: violations }, pairs, runs),
  ];
  const merged = mergeEqual(
    differences.map((difference) =>
      hasUnknownReason(difference) ? { ...difference, gaps: gapsOfSameValues(difference, differences) } : difference,
    ),
  );
  return {
    differences: labelOrder.flatMap((label) => merged.filter((difference) => difference.label === label)),
    gaps: choices.filter(({ isSameChoice }) => !isSameChoice).map(({ id, a, b }) => ({ id, a, b })),
    unpaired,
    pairs: pairs.length,
  };
}

/** True if a difference has the label `gap`, although no known gap or clause explains it. */
function hasUnknownReason({ label, gaps, clauses }: LabeledDifference): boolean {
  return label === 'gap' && gaps.length + clauses.length === 0;
}

/**
 * Finds gaps that explain a difference between the same two values in another place. The amount of a link, for example,
 * also appears in its payments.
 */
function gapsOfSameValues({ a, b }: LabeledDifference, all: readonly LabeledDifference[]): readonly string[] {
  if (a === 'nothing' || b === 'nothing') return [];
  return (
    all.find(
      (difference) =>
        difference.label === 'gap' && difference.gaps.length > 0 && difference.a === a && difference.b === b,
    )?.gaps ?? []
  );
}

/**
 * Merges differences with the same operation, place and explanation, and adds up their counts. Differences between
 * statuses must also have the same statuses.
 */
function mergeEqual(differences: readonly LabeledDifference[]): LabeledDifference[] {
  const merged = new Map<string, LabeledDifference>();
  for (const difference of differences) {
    const { label, operation, place, clauses, gaps, noise } = difference;
    const values = place === 'status' ? [difference.a, difference.b] : [];
    const key = JSON.stringify([label, operation, place, clauses, gaps, noise, ...values]);
    const earlier = merged.get(key);
    merged.set(key, earlier ? { ...earlier, count: earlier.count + difference.count } : difference);
  }
  return [...merged.values()];
}

/** Combines all fields that the specification does not name into one difference, since clients ignore such fields. */
function undocumentedFields(groups: readonly Group[], runs: Runs): LabeledDifference[] {
  const [first] = groups;
  if (!first) return [];
  const namesOf = (side: Side): string => {
    const paths = groups
      .filter(({ difference }) => difference[side] !== undefined)
      .map(({ difference: { path } }) => path);
    // Removes the path through the envelope and the list.
    const names = paths.map((path) => path.join('.').replace(/^data\.(data\.)?(\*\.)?/, ''));
    return [...new Set(names)].join(', ') || 'nothing';
  };
  return [
    {
      label: 'gap',
      operation: null,
      place: 'fields that the specification does not name',
      a: namesOf('a'),
      b: namesOf('b'),
      clauses: [],
      gaps: [],
      count: new Set(groups.flatMap(({ members }) => members.map(({ pair }) => pair))).size,
      example: exampleOf(first.members[0].pair, runs),
    },
  ];
}

/**
 * Pairs the choices of the two targets for each gap that was observed on both targets. `isListed` is true if the gap
 * registry lists both choices: `session.observedChoices` has only listed ones, whereas `choices` also has other behavior
 * that was observed.
 */
function choicesOf({ a, b }: Runs): (ChoicePair & { readonly isSameChoice: boolean; readonly isListed: boolean })[] {
  return [...a.choices].flatMap(([id, choice]) => {
    if (!b.choices.has(id)) return [];
    const other = b.choices.get(id);
    const isSameChoice = comparableChoice(choice, a) === comparableChoice(other, b);
    const isListed = [a, b].every(({ session }) => session.observedChoices.has(id));
    return [
      { id, a: a.session.target.redactDeep(choice), b: b.session.target.redactDeep(other), isSameChoice, isListed },
    ];
  });
}

/**
 * Formats a choice without what may differ between any two runs: the run id and, in the summary of a response, such as
 * `201 {"id":7}`, all other ids and numbers except the status.
 */
function comparableChoice(choice: unknown, { session: { runId } }: TargetRun): string {
  const text = typeof choice === 'string' ? choice : JSON.stringify(choice);
  const [, status, body] = /^(\d{3}) (.*)$/s.exec(text) ?? [];
  return body === undefined ? text.replaceAll(runId, '#') : `${status} ${comparableText(body, runId)}`;
}

function differenceOf(
  { operation, difference, members }: Group,
  groupLabel: GroupLabel,
  runs: Runs,
): LabeledDifference {
  const { label, violations, gaps, noise, wrongTypes, serverErrors } = groupLabel;
  const [{ pair }] = members;
  return {
    label,
    operation,
    place: placeOf(difference),
    a: formatDifferenceValue(difference.a, runs.a),
    b: formatDifferenceValue(difference.b, runs.b),
    clauses: violations.map(clauseOf),
    gaps,
    ...(noise === undefined ? {} : { noise }),
    ...(wrongTypes === undefined ? {} : { wrongTypes }),
    ...(serverErrors === undefined ? {} : { serverErrors }),
    count: new Set(members.map((member) => member.pair)).size,
    example: exampleOf(pair, runs),
  };
}

/**
 * Reports the violations that no difference between two responses explains, for example because both targets violate
 * the clause, or because the clause is about webhooks or about several responses.
 */
function violationsWithoutDifference(
  { unexplained, all }: { readonly unexplained: readonly ClauseViolation[]; readonly all: readonly ClauseViolation[] },
  pairs: readonly Pair[],
  runs: Runs,
): LabeledDifference[] {
  return [...new Set(unexplained.map(({ clause }) => clause))].map((clause) => {
    const violationsOfClause = unexplained.filter((violation) => violation.clause === clause);
    // A difference may explain the other target's violation of the same clause.
    const violationOn = (side: Side): ClauseViolation | undefined =>
      all.find((violation) => violation.clause === clause && violation.side === side);
    const pair = pairs.find((candidate) =>
      violationsOfClause.some(({ side, exchange }) => exchange === candidate[side]),
    );
    const [firstViolation] = violationsOfClause;
    const redact = (side: Side, text: string): string => runs[side].session.target.redact(text);
    const actualOn = (side: Side): string => {
      const violation = violationOn(side);
      if (violation) return redact(side, violation.got);
      const result = runs[side].results.find((other) => other.clause === clause);
      return result?.status === 'passed' ? 'as expected' : 'not checked';
    };
    return {
      label: violationsOfClause.some(({ isFailure }) => isFailure) ? 'violation' : 'gap',
      operation: pair?.operation ?? null,
      place: `expected ${firstViolation ? redact(firstViolation.side, firstViolation.expected) : ''}`,
      a: actualOn('a'),
      b: actualOn('b'),
      clauses: violationsOfClause.map(clauseOf),
      gaps: [],
      count: 1,
      example: pair
        ? exampleOf(pair, runs)
        : {
            step: clause.id,
            a: evidenceForViolation(violationOn('a'), runs),
            b: evidenceForViolation(violationOn('b'), runs),
          },
    };
  });
}

function evidenceForViolation(violation: ClauseViolation | undefined, runs: Runs): Evidence | null {
  if (!violation?.exchange) return null;
  return evidenceOf(violation.exchange, runs[violation.side].session.target.redact);
}

function exampleOf({ step, a, b }: Pair, runs: Runs): LabeledDifference['example'] {
  return {
    step,
    a: evidenceOf(a, runs.a.session.target.redact),
    b: evidenceOf(b, runs.b.session.target.redact),
  };
}

function clauseOf({ clause: { id, level, title }, side }: ClauseViolation): LabeledDifference['clauses'][number] {
  return { id, level, title, side };
}

function placeOf({ part, path }: Group['difference']): string {
  if (part === 'status') return 'status';
  if (part === 'header') return `header ${path[0]}`;
  return `/${path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

function formatDifferenceValue(value: unknown, { session: { target } }: TargetRun): string {
  return value === undefined ? 'nothing' : formatValue(formatExactJson(target.redactDeep(value)));
}
