import { aTimestamp, decimalOf } from '../expect.js';

/** Whether two answers say the same, in whatever way they write it: decimals are numbers, timestamps moments. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [first, second] = [decimalOf(one), decimalOf(other)];
  if (first !== undefined && second !== undefined) return first === second;
  if (!aTimestamp.holds(one) || !aTimestamp.holds(other)) return false;
  // One of them may have been rounded on its way through a store.
  return Math.abs(Date.parse(String(one)) - Date.parse(String(other))) <= 1_000;
}
