import type { Exchange } from '../engine/exchange.js';
import { aTimestamp, decimalOf, valueAt } from '../engine/expect.js';
import { Violation } from '../engine/verdict.js';

/** Whether two values are equal, however they are written: decimals as numbers, timestamps as times. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [first, second] = [decimalOf(one), decimalOf(other)];
  if (first !== undefined && second !== undefined) return first === second;
  if (!aTimestamp.matches(one) || !aTimestamp.matches(other)) return false;
  // One of them may have been rounded by a database.
  return Math.abs(Date.parse(String(one)) - Date.parse(String(other))) <= 1_000;
}

/** Whether two strings are equal after Unicode normalization. */
export function isSameText(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.normalize() === other.normalize();
}

/** @throws Violation unless the value at a path of the body is the string */
export function expectText(exchange: Exchange, path: string, wanted: unknown): void {
  const value = valueAt(exchange.json, path);
  if (!isSameText(value, wanted)) throw new Violation(`\`${path}\` to be ${String(wanted)}`, value, exchange);
}
