import type { Result } from '../engine/check-clauses.js';
import { formatValue } from '../engine/check-errors.js';
import type { Clause } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { formatExactJson } from '../engine/json.js';
import type { PairDifference } from './groups.js';
import type { Side } from './pairs.js';

/** The violation of a clause by one of the two targets. */
export interface ClauseViolation {
  readonly clause: Clause;
  /** The target that violates the clause. */
  readonly side: Side;
  /** False for an inferred clause, which only warns. */
  readonly isFailure: boolean;
  readonly expected: string;
  readonly got: string;
  /** Exchange that shows the violation; undefined if there is none, or if the evidence includes webhooks. */
  readonly exchange: Exchange | undefined;
}

/** Returns the violation that a result shows; undefined if the target does not violate the clause. */
export function clauseViolationOf(
  { clause, status, expected, got, evidence, deliveries }: Result,
  side: Side,
): ClauseViolation | undefined {
  if (status !== 'failed' && status !== 'warned') return undefined;
  // The evidence begins with the exchange that violates the clause. With webhooks, one of them may violate it instead.
  const exchange = deliveries.length === 0 ? evidence[0] : undefined;
  return { clause, side, isFailure: status === 'failed', expected: expected ?? '', got: got ?? '', exchange };
}

/**
 * True if a difference explains a violation: both are in the same exchange, and in the same place of the response, as
 * far as the text of the violation shows it.
 */
export function isExplainedBy(
  { side, exchange, expected, got }: ClauseViolation,
  { pair, difference }: PairDifference,
): boolean {
  if (exchange !== pair[side]) return false;
  const { part, path } = difference;
  // A violation about the status has the text `status 404`.
  if (part === 'status' || got.startsWith('status ')) return part === 'status' && got.startsWith('status ');
  const differencePath = path.join('.').toLowerCase();
  // Expectations name fields in backticks, some without the path to the record: "`data.total` to be 3", "an `id`".
  const expectedPaths = [...expected.matchAll(/`([\w.-]+)`/g)].map(([, place = '']) => comparablePath(place));
  if (expectedPaths.some((place) => isWithin(place, differencePath) || `.${differencePath}.`.includes(`.${place}.`)))
    return true;
  // If the expectation names no field, only the value can show that both are about the same place.
  const value = difference[side];
  return expectedPaths.length === 0 && (got === formatValue(value) || got === formatExactJson(value));
}

/** True if a dotted path equals another, or is inside it. The empty path means the whole body. */
function isWithin(place: string, other: string): boolean {
  return other === '' || place === other || place.startsWith(`${other}.`);
}

/** Converts a dotted path to the form of differences: `*` for array indexes, and lower case because of header names. */
function comparablePath(place: string): string {
  return place.toLowerCase().replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
}
