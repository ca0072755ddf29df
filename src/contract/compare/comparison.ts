import type { Level } from '../engine/clause.js';
import { jsonText } from '../engine/json.js';
import { shown } from '../engine/verdict.js';
import { type Evidence, evidenceOf } from '../report/clause-report.js';
import type { Breach } from './breaches.js';
import { type Group, groupsOf } from './groups.js';
import { type Findings, type Label, type Labelled, labelOf } from './label.js';
import type { Noise } from './noise.js';
import { type Pair, pairsOf, type Side, type UnpairedStep } from './pairs.js';
import type { Run } from './run.js';

/** The two runs, in the order of the targets. */
export interface Runs {
  readonly a: Run;
  readonly b: Run;
}

/** A difference between the two targets, without secrets. */
export interface LabelledDifference {
  readonly label: Label;
  /** For example `GET /invoices/{invoice}`; null for a breach without a differing response. */
  readonly operation: string | null;
  /** `status`, `header x-ratelimit-reset`, a JSON pointer with `*` for array items, or an expectation. */
  readonly place: string;
  /** Values of both in the example: JSON, or `nothing`. */
  readonly a: string;
  readonly b: string;
  /** Clauses that are violated there, and by which target. */
  readonly clauses: readonly {
    readonly id: string;
    readonly level: Level;
    readonly title: string;
    readonly side: Side;
  }[];
  /** Ids of the gaps that allow the difference; empty if the specification does not mention it. */
  readonly gaps: readonly string[];
  readonly noise?: Noise;
  /** Number of response pairs that show the difference. */
  readonly count: number;
  readonly example: { readonly step: string; readonly a: Evidence | null; readonly b: Evidence | null };
}

/** A gap for which different choices were observed. */
interface ChoiceDifference {
  readonly id: string;
  readonly a: unknown;
  readonly b: unknown;
}

export interface Compared {
  readonly differences: readonly LabelledDifference[];
  readonly gaps: readonly ChoiceDifference[];
  readonly unpaired: readonly UnpairedStep[];
  /** Number of response pairs that were compared. */
  readonly pairs: number;
}

const order: readonly Label[] = ['violation', 'gap', 'noise'];

/** Compares the observations of two runs. */
export function compared(runs: Runs, breaches: readonly Breach[]): Compared {
  const { pairs, unpaired } = pairsOf(runs.a.session, runs.b.session);
  const choices = choicesOf(runs);
  const findings: Findings = {
    breaches,
    differing: new Set(choices.filter(({ isSameChoice }) => !isSameChoice).map(({ id }) => id)),
    listed: new Set(choices.filter(({ isSameChoice, isListed }) => !isSameChoice && isListed).map(({ id }) => id)),
    sameChoice: new Set(choices.filter(({ isSameChoice }) => isSameChoice).map(({ id }) => id)),
    probed: new Map([...runs.a.probed, ...runs.b.probed]),
  };
  const labelled = groupsOf(pairs, { a: runs.a.session, b: runs.b.session }).map((group) => ({
    group,
    labelled: labelOf(group, findings),
  }));
  const explained = new Set(labelled.flatMap(({ labelled }) => labelled.breaches));
  const unexplained = breaches.filter((breach) => !explained.has(breach));
  const undocumented = labelled.filter((one) => one.labelled.isUndocumented);
  const differences = [
    ...labelled.filter((one) => !one.labelled.isUndocumented).map((one) => differenceOf(one.group, one.labelled, runs)),
    ...undocumentedFields(
      undocumented.map(({ group }) => group),
      runs,
    ),
    ...breachesWithoutDifference(unexplained, pairs, runs),
  ];
  const named = merged(
    differences.map((one) => (isUnexplained(one) ? { ...one, gaps: gapsOfSameValues(one, differences) } : one)),
  );
  return {
    differences: order.flatMap((label) => named.filter((one) => one.label === label)),
    gaps: choices.filter(({ isSameChoice }) => !isSameChoice).map(({ id, a, b }) => ({ id, a, b })),
    unpaired,
    pairs: pairs.length,
  };
}

function isUnexplained({ label, gaps, clauses }: LabelledDifference): boolean {
  return label === 'gap' && gaps.length + clauses.length === 0;
}

/** Gaps that explain the same pair of values at another place: an amount also appears in what was paid. */
function gapsOfSameValues({ a, b }: LabelledDifference, all: readonly LabelledDifference[]): readonly string[] {
  if (a === 'nothing' || b === 'nothing') return [];
  return all.find((one) => one.label === 'gap' && one.gaps.length > 0 && one.a === a && one.b === b)?.gaps ?? [];
}

/** Merges equal differences from several steps. */
function merged(differences: readonly LabelledDifference[]): LabelledDifference[] {
  const known = new Map<string, LabelledDifference>();
  for (const one of differences) {
    const { label, operation, place, clauses, gaps, noise } = one;
    const values = place === 'status' ? [one.a, one.b] : [];
    const key = JSON.stringify([label, operation, place, clauses, gaps, noise, ...values]);
    const before = known.get(key);
    known.set(key, before ? { ...before, count: before.count + one.count } : one);
  }
  return [...known.values()];
}

/** Fields that the specification does not name, as one difference: clients ignore them. */
function undocumentedFields(groups: readonly Group[], runs: Runs): LabelledDifference[] {
  const [first] = groups;
  if (!first) return [];
  const namesOf = (side: Side): string => {
    const paths = groups
      .filter(({ difference }) => difference[side] !== undefined)
      .map(({ difference: { path } }) => path);
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

/** Choices of both by gap. */
function choicesOf({
  a,
  b,
}: Runs): (ChoiceDifference & { readonly isSameChoice: boolean; readonly isListed: boolean })[] {
  return [...a.choices].flatMap(([id, choice]) => {
    if (!b.choices.has(id)) return [];
    const other = b.choices.get(id);
    const isSameChoice = JSON.stringify(choice) === JSON.stringify(other);
    const isListed = [a, b].every(({ session }) => new Map<string, unknown>(session.gaps).has(id));
    return [
      { id, a: a.session.target.redactDeep(choice), b: b.session.target.redactDeep(other), isSameChoice, isListed },
    ];
  });
}

function differenceOf({ operation, difference, members }: Group, labelled: Labelled, runs: Runs): LabelledDifference {
  const { label, breaches, gaps, noise } = labelled;
  const [{ pair }] = members;
  return {
    label,
    operation,
    place: placeOf(difference),
    a: formatted(difference.a, runs.a),
    b: formatted(difference.b, runs.b),
    clauses: breaches.map(clauseOf),
    gaps,
    ...(noise === undefined ? {} : { noise }),
    count: new Set(members.map((member) => member.pair)).size,
    example: exampleOf(pair, runs),
  };
}

/**
 * Breaches without a difference between two responses: of both targets, of webhooks, or of several responses together.
 */
function breachesWithoutDifference(
  breaches: readonly Breach[],
  pairs: readonly Pair[],
  runs: Runs,
): LabelledDifference[] {
  return [...new Set(breaches.map(({ clause }) => clause))].map((clause) => {
    const both = breaches.filter((breach) => breach.clause === clause);
    const of = (side: Side): Breach | undefined => both.find((breach) => breach.side === side);
    const pair = pairs.find((one) => both.some(({ side, exchange }) => exchange === one[side]));
    const gotBy = (side: Side): string => of(side)?.got ?? 'as it should be';
    return {
      label: both.some(({ isViolation }) => isViolation) ? 'violation' : 'gap',
      operation: pair?.operation ?? null,
      place: `expected ${both[0]?.expected ?? ''}`,
      a: gotBy('a'),
      b: gotBy('b'),
      clauses: both.map(clauseOf),
      gaps: [],
      count: 1,
      example: pair
        ? exampleOf(pair, runs)
        : { step: clause.id, a: evidence(of('a'), runs), b: evidence(of('b'), runs) },
    };
  });
}

function evidence(breach: Breach | undefined, runs: Runs): Evidence | null {
  if (!breach?.exchange) return null;
  return evidenceOf(breach.exchange, (text) => runs[breach.side].session.target.redact(text));
}

function exampleOf({ step, a, b }: Pair, runs: Runs): LabelledDifference['example'] {
  return {
    step,
    a: evidenceOf(a, (text) => runs.a.session.target.redact(text)),
    b: evidenceOf(b, (text) => runs.b.session.target.redact(text)),
  };
}

function clauseOf({ clause: { id, level, title }, side }: Breach): LabelledDifference['clauses'][number] {
  return { id, level, title, side };
}

function placeOf({ part, path }: Group['difference']): string {
  if (part === 'status') return 'status';
  if (part === 'header') return `header ${path.join()}`;
  return `/${path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

function formatted(value: unknown, { session: { target } }: Run): string {
  return value === undefined ? 'nothing' : shown(jsonText(target.redactDeep(value)));
}
