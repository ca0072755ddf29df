import type { JsonObject } from '../engine/json.js';
import { decimalOf } from './matchers.js';

/** Half a cent, which allows for the rounding errors of floating-point numbers. */
export const amountTolerance = 0.005;

/** True if two amounts differ by no more than a rounding error of floating-point numbers. */
export function isSameAmount(amount: number, other: number): boolean {
  return Math.abs(amount - other) < amountTolerance;
}

/** Adds up the amounts of records; NaN if a record has no decimal `amount`. */
export function sumOfAmounts(records: readonly JsonObject[]): number {
  return records.reduce((sum, { amount }) => sum + (decimalOf(amount) ?? Number.NaN), 0);
}
