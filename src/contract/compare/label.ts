import { gapRegistry } from '../../generated/gap-registry.js';
import type { Exchange } from '../engine/exchange.js';
import { decimalOf } from '../engine/expect.js';
import { operationOf } from '../engine/operations.js';
import { type Breach, isExplainedBy } from './breaches.js';
import type { Group } from './groups.js';
import { type Marks, marksOfField, marksOfHeader, marksOfStatus, marksOfUnknown } from './marks.js';
import type { Noise } from './noise.js';

/**
 * `violation`: one of the two violates a documented clause. `gap`: the specification leaves it open. `noise`: it
 * differs from run to run.
 */
export type Label = 'violation' | 'gap' | 'noise';

export interface Labelled {
  readonly label: Label;
  /** Clauses that are violated there. */
  readonly breaches: readonly Breach[];
  /** Gaps that leave it open: at least one of them explains it. Empty if the specification does not mention it. */
  readonly gaps: readonly string[];
  readonly noise?: Noise;
  /** Whether it is a field that the document does not name. */
  readonly isUndocumented?: boolean;
}

/** Findings of the two runs, besides the exchanges. */
export interface Findings {
  readonly breaches: readonly Breach[];
  /** Gaps for which different choices were observed. */
  readonly differing: ReadonlySet<string>;
  /** Those of which both choices are in the registry. */
  readonly listed: ReadonlySet<string>;
  /** Gaps for which the same choice was observed. */
  readonly sameChoice: ReadonlySet<string>;
  /** Gaps observed in an exchange. */
  readonly probed: ReadonlyMap<Exchange, readonly string[]>;
}

export function labelOf(group: Group, findings: Findings): Labelled {
  const { members } = group;
  const [{ noise }] = members;
  if (noise === 'run ids') return { label: 'noise', breaches: [], gaps: [], noise };
  const breaches = noise
    ? []
    : findings.breaches.filter((breach) => members.some((member) => isExplainedBy(breach, member)));
  if (breaches.some(({ isViolation }) => isViolation)) return { label: 'violation', breaches, gaps: [] };

  const marks = marksOf(group);
  const differing = gapsThatDiffer(group, marks, findings, noise !== undefined);
  if (differing.length > 0) return { label: 'gap', breaches, gaps: differing };
  if (noise) return { label: 'noise', breaches, gaps: [], noise };
  const unknown = gapsUnknown(group, marks, findings);
  const isMarked = marks.own.some((id) => unknown.includes(id));
  if (isWording(group, marks) && !isMarked) return { label: 'noise', breaches, gaps: [], noise: 'wording' };
  const isUndocumented = !marks.isNamed && unknown.length + breaches.length === 0;
  return { label: 'gap', breaches, gaps: unknown, isUndocumented };
}

/** The closest gaps that leave a place open and were observed to differ. */
function gapsThatDiffer(group: Group, marks: Marks, findings: Findings, isNoise: boolean): string[] {
  const { own, enclosing, operation, sent } = marks;
  const probed = gapsProbedByAll(group, findings);
  const levels = (): (readonly string[])[] => {
    if (isNoise) return [own];
    if (group.difference.part === 'status')
      return [probed, ...(group.onlyOneRefuses ? [] : [own]), [...operation, ...sent]];
    const { part } = group.difference;
    if (part === 'body' && isWording(group, marks)) return [own, ...enclosing];
    // A probe of a response says nothing about its documented headers.
    if (part === 'header' && own.length > 0) return [own, ...enclosing];
    return [own, ...enclosing, operation.filter((id) => !hasStatuses(id)), probed];
  };
  // A target's own wording is not a choice that the other could make.
  const differing = isWording(group, marks) ? findings.listed : findings.differing;
  return first(levels(), (id) => canCause(id, group) && differing.has(id));
}

/** Gaps that leave a place open, with unknown choices on a side; otherwise gaps that are allowed to differ. */
function gapsUnknown(group: Group, { own, enclosing, operation, sent }: Marks, { sameChoice }: Findings): string[] {
  const { part, kind } = group.difference;
  // If only one target refuses, the response body is not the open point; and a status gap does not explain a value.
  const isRefused = part === 'status' && group.onlyOneRefuses;
  const levels = part === 'body' && kind === 'value' ? [own, ...enclosing.slice(0, -1)] : [own, ...enclosing];
  const unknown = first(
    isRefused ? [[...operation, ...sent]] : levels,
    (id) => canCause(id, group) && !sameChoice.has(id),
  );
  return unknown.length > 0 ? unknown : first([own], (id) => canCause(id, group));
}

/** The gaps of the closest level that has any. */
function first(levels: readonly (readonly string[])[], isMatch: (id: string) => boolean): string[] {
  return levels.map((ids) => [...new Set(ids)].filter(isMatch)).find(({ length }) => length > 0) ?? [];
}

/** Gap marks of the document at the place of a group. */
function marksOf({ difference: { part, path }, members }: Group): Marks {
  const marks = members.slice(0, 1).flatMap(({ pair: { a, b } }) => {
    const operation = operationOf(a.call);
    return [a.status, b.status].flatMap((status) => {
      if (!operation) return part === 'body' ? [marksOfUnknown(path)] : [];
      if (part === 'status') return marksOfStatus(operation, status);
      return part === 'header' ? marksOfHeader(operation, status, path.join()) : marksOfField(operation, status, path);
    });
  });
  const depth = Math.max(0, ...marks.map(({ enclosing }) => enclosing.length));
  return {
    own: marks.flatMap(({ own }) => own),
    enclosing: Array.from({ length: depth }, (_, level) => marks.flatMap(({ enclosing }) => enclosing[level] ?? [])),
    operation: marks.flatMap(({ operation }) => operation),
    sent: marks.flatMap(({ sent }) => sent),
    isFree: marks.some(({ isFree }) => isFree),
    isNamed: marks.length === 0 || marks.some(({ isNamed }) => isNamed),
  };
}

/** Gaps that all responses of a group were probed for. */
function gapsProbedByAll({ members }: Group, { probed }: Findings): string[] {
  const [first = [], ...others] = members.map(({ pair: { a, b } }) =>
    [a, b].flatMap((exchange) => probed.get(exchange) ?? []),
  );
  return first.filter((id) => others.every((ids) => ids.includes(id)));
}

/** Whether the difference is in text for people: free text, or the number of messages for a field. */
function isWording({ difference: { part, path, kind, a, b } }: Group, { isFree }: Marks): boolean {
  if (part !== 'body') return false;
  if (path[0] === 'errors' && path.at(-1) === '*') return true;
  if (path.join() === 'message' && isFree) return true;
  return kind === 'value' && isFree && typeof a === 'string' && typeof b === 'string';
}

/** Gaps about requests, which responses show only by their status. */
const requestGaps = ['text.lengths', 'text.characters', 'amount.maximum', 'metadata.size', 'metadata.values'];

/** Gaps about the presence of fields. */
const presenceGaps = [
  'null.optional',
  'payment.paid-at-unpaid',
  'invoice.transactions',
  'invoice.subscription',
  'overdue.link-null',
  'deposit.fields',
  'page.last-page-everywhere',
  'validation.status',
  'validation.nested-keys',
  'rate.exceeded',
  'request.method',
];

/** Whether a gap can cause such a difference. */
function canCause(id: string, { difference: { part, kind, a, b }, onlyOneRefuses }: Group): boolean {
  if (part === 'status') return onlyOneRefuses || hasStatuses(id);
  const isEncoding = kind === 'type' && decimalOf(a) !== undefined && decimalOf(b) !== undefined;
  if (isEncoding || id === 'decimal.encoding') return isEncoding && id === 'decimal.encoding';
  if (kind === 'missing') return presenceGaps.includes(id);
  if (id === 'null.optional') return kind === 'type';
  return id !== 'deposit.fields' && !requestGaps.includes(id);
}

/** Whether the choices of a gap are statuses, or error responses. */
function hasStatuses(id: string): boolean {
  const choices = Object.entries(gapRegistry).find(([one]) => one === id)?.[1].choices ?? {};
  return Object.entries(choices).some(
    ([name, choice]) => /^(20|4\d)\d(-|$)/.test(name) || (typeof choice !== 'string' && 'answer' in choice),
  );
}
