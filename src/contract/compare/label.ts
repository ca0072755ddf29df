import { gapRegistry } from '../../generated/gap-registry.js';
import type { Exchange } from '../exchange.js';
import { decimalOf } from '../expect.js';
import { operationOf } from '../operations.js';
import { type Breach, isShownBy } from './breaches.js';
import type { Group } from './groups.js';
import { type Marks, marksOfField, marksOfHeader, marksOfStatus } from './marks.js';
import type { Noise } from './noise.js';

/**
 * `violation`: one of the two breaks a documented clause there. `gap`: the specification leaves it open. `noise`: it
 * differs from run to run.
 */
export type Label = 'violation' | 'gap' | 'noise';

export interface Labelled {
  readonly label: Label;
  /** The clauses that are broken there. */
  readonly breaches: readonly Breach[];
  /** What of the registry leaves it open; of several one or more; of none, the specification says nothing of it at all. */
  readonly gaps: readonly string[];
  readonly noise?: Noise;
}

/** What the two runs have found out, beside what was answered. */
export interface Findings {
  readonly breaches: readonly Breach[];
  /** Gaps for which the two were seen to choose differently. */
  readonly differing: ReadonlySet<string>;
  /** Gaps for which they were seen to choose alike. */
  readonly alike: ReadonlySet<string>;
  /** What was found out of gaps by an exchange. */
  readonly probed: ReadonlyMap<Exchange, readonly string[]>;
}

export function labelOf(group: Group, findings: Findings): Labelled {
  const { members, difference } = group;
  const [{ noise }] = members;
  if (noise === 'marks of the run') return { label: 'noise', breaches: [], gaps: [], noise };
  const breaches = noise
    ? []
    : findings.breaches.filter((breach) => members.some((member) => isShownBy(breach, member)));
  if (breaches.some(({ isViolation }) => isViolation)) return { label: 'violation', breaches, gaps: [] };

  const { levels, asked, isFree } = marksOf(group);
  const concerned = (ids: readonly string[]): string[] => unique(ids).filter((id) => isConcerned(id, group));
  const differing = (ids: readonly string[]): string[] => concerned(ids).filter((id) => findings.differing.has(id));
  const unknown = (ids: readonly string[]): string[] => concerned(ids).filter((id) => !findings.alike.has(id));
  const gap = (gaps: readonly string[]): Labelled => ({ label: 'gap', breaches, gaps });

  const [own = [], ...around] = levels;
  const isStatus = difference.part === 'status';
  const probed =
    isStatus || (difference.part === 'body' && !isWording(group, isFree)) ? probedByAll(group, findings) : [];
  // Where one refuses what the other does, it is not the answer that is open.
  const isRefused = isStatus && group.isUnlike;
  const seen = noise
    ? [own]
    : isStatus
      ? [probed, ...(isRefused ? [] : [own]), asked]
      : [own, ...around, asked, probed];
  const found = seen.map(differing).find(({ length }) => length > 0);
  if (found) return gap(found);
  if (noise) return { label: 'noise', breaches, gaps: [], noise };
  if (isWording(group, isFree) && unknown(own).length === 0)
    return { label: 'noise', breaches, gaps: [], noise: 'wording' };
  // A value is not what an answer as a whole leaves open.
  const near = difference.part === 'body' && difference.kind === 'value' ? levels.slice(0, -1) : levels;
  const open = (isRefused ? [asked] : near).map(unknown).find(({ length }) => length > 0);
  return gap(open ?? concerned(own));
}

/** What the document marks at the place of a group. */
function marksOf({ difference: { part, way }, members }: Group): Marks {
  const marks = members.slice(0, 1).flatMap(({ pair: { a, b } }) => {
    const operation = operationOf(a.call);
    return [a.status, b.status].flatMap((status) => {
      if (!operation) return [];
      if (part === 'status') return marksOfStatus(operation, status);
      return part === 'header' ? marksOfHeader(operation, status, way.join()) : marksOfField(operation, status, way);
    });
  });
  const depth = Math.max(0, ...marks.map(({ levels }) => levels.length));
  return {
    levels: Array.from({ length: depth }, (_, level) => marks.flatMap(({ levels }) => levels[level] ?? [])),
    asked: marks.flatMap(({ asked }) => asked),
    isFree: marks.some(({ isFree }) => isFree),
  };
}

/** The gaps that all the answers tell of. */
function probedByAll({ members }: Group, { probed }: Findings): string[] {
  const [first = [], ...others] = members.map(({ pair: { a, b } }) =>
    [a, b].flatMap((exchange) => probed.get(exchange) ?? []),
  );
  return first.filter((id) => others.every((ids) => ids.includes(id)));
}

/** Whether it is how something is said to people: a text that may be any, or how much is said of a field. */
function isWording({ difference: { part, way, kind, a, b } }: Group, isFree: boolean): boolean {
  if (part !== 'body') return false;
  if (way[0] === 'errors' && way.at(-1) === '*') return true;
  return kind === 'value' && isFree && typeof a === 'string' && typeof b === 'string';
}

/** Gaps about what may be sent; an answer shows them by its status alone. */
const ofRequests = ['text.lengths', 'text.characters', 'amount.maximum', 'metadata.size', 'metadata.values'];

/** Gaps about whether something is there. */
const ofPresence = [
  'null.optional',
  'payment.paid-at-unpaid',
  'invoice.transactions',
  'invoice.subscription',
  'overdue.link-null',
  'deposit.fields',
  'page.last-page-everywhere',
  'validation.status',
  'validation.nested-keys',
  'rate.unauthenticated',
  'rate.exceeded',
  'request.method',
];

/** Whether a gap can have such a difference come about. */
function isConcerned(id: string, { difference: { part, kind, a, b }, isUnlike }: Group): boolean {
  if (part === 'status') return isUnlike || hasStatuses(id);
  const isEncoding = kind === 'type' && decimalOf(a) !== undefined && decimalOf(b) !== undefined;
  if (isEncoding || id === 'decimal.encoding') return isEncoding && id === 'decimal.encoding';
  if (kind === 'missing') return ofPresence.includes(id);
  if (id === 'null.optional') return kind === 'type';
  return id !== 'deposit.fields' && !ofRequests.includes(id);
}

/** Whether the choices of a gap are statuses, or answers with one. */
function hasStatuses(id: string): boolean {
  const choices = Object.entries(gapRegistry).find(([one]) => one === id)?.[1].choices ?? {};
  return Object.entries(choices).some(
    ([name, choice]) => /^(20|4\d)\d(-|$)/.test(name) || (typeof choice !== 'string' && 'answer' in choice),
  );
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
