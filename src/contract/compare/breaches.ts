import type { Clause } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { jsonText } from '../engine/json.js';
import type { Result } from '../engine/run.js';
import { shown } from '../engine/verdict.js';
import type { Member } from './groups.js';
import type { Side } from './pairs.js';

/** A clause that one of the targets violates. */
export interface Breach {
  readonly clause: Clause;
  readonly side: Side;
  /** False for an inferred clause, which only warns. */
  readonly isViolation: boolean;
  readonly expected: string;
  readonly got: string;
  /** Exchange that shows the violation; undefined if a webhook does. */
  readonly exchange: Exchange | undefined;
}

/** Breach of a clause; undefined if the clause holds. */
export function breachOf(
  { clause, status, expected, got, evidence, deliveries }: Result,
  side: Side,
): Breach | undefined {
  if (status !== 'failed' && status !== 'warned') return undefined;
  const exchange = deliveries.length === 0 ? evidence[0] : undefined;
  return { clause, side, isViolation: status === 'failed', expected: expected ?? '', got: got ?? '', exchange };
}

/** Whether a difference explains a breach: it is in the same exchange, and at the same place. */
export function isExplainedBy({ side, exchange, expected, got }: Breach, { pair, difference }: Member): boolean {
  if (exchange !== pair[side]) return false;
  const { part, path } = difference;
  if (part === 'status' || got.startsWith('status ')) return part === 'status' && got.startsWith('status ');
  const at = path.join('.').toLowerCase();
  const places = [...expected.matchAll(/`([\w.-]+)`/g)].map(([, place = '']) => withoutIndexes(place));
  if (places.some((place) => isWithin(at, place) || isWithin(place, at) || at.endsWith(place))) return true;
  const value = difference[side];
  return places.length === 0 && (got === shown(value) || got === jsonText(value));
}

function isWithin(place: string, other: string): boolean {
  return place === other || place.startsWith(`${other}.`);
}

/** Replaces array indexes in a dotted path by `*`. */
function withoutIndexes(place: string): string {
  return place.toLowerCase().replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
}
