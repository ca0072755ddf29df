import { Violation } from '../engine/check-errors.js';
import { decimalOf, expectValue, timestampOf } from '../engine/expect.js';
import { fieldOf, type RecordLocation } from './fields.js';

/**
 * True if two values are equal. Decimals are compared as numbers, or as strings if they are larger than the safe
 * integers, as 64-bit ids may be. Timestamps may differ by a second.
 */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [decimal, otherDecimal] = [decimalOf(one), decimalOf(other)];
  if (decimal !== undefined && otherDecimal !== undefined)
    return Math.abs(decimal) > Number.MAX_SAFE_INTEGER ? String(one) === String(other) : decimal === otherDecimal;
  const [time, otherTime] = [timestampOf(one)?.at, timestampOf(other)?.at];
  // A database may have rounded one of them to seconds.
  return time !== undefined && otherTime !== undefined && Math.abs(time - otherTime) <= 1_000;
}

/**
 * True if both values are strings, and equal after normalization: `é` may be one code point or two, and a line break may
 * be CRLF or LF.
 */
export function isSameText(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && normalizeText(one) === normalizeText(other);
}

const normalizeText = (text: string): string => text.normalize().replaceAll('\r\n', '\n');

/** @throws Violation unless a field of a record is exactly the expected value; `expectFieldEquals` is more tolerant */
export function expectFieldValue(
  { exchange, path }: RecordLocation,
  field: string,
  expected: string | number | boolean,
): void {
  expectValue(exchange, `${path}.${field}`, expected);
}

/** @throws Violation unless a field of a record is the expected string, after normalization */
export function expectSameText(location: RecordLocation, field: string, expected: unknown): void {
  const { exchange, path } = location;
  const got = fieldOf(location, field);
  if (!isSameText(got, expected)) throw new Violation(`\`${path}.${field}\` to be ${String(expected)}`, got, exchange);
}

/** @throws Violation unless a field of a record equals a value, which was sent or is shown in another view */
export function expectFieldEquals(location: RecordLocation, field: string, value: unknown): void {
  const { exchange, path } = location;
  const got = fieldOf(location, field);
  if (!isSameValue(value, got) && !isSameText(value, got))
    throw new Violation(`\`${path}.${field}\` to be ${String(value)}`, got, exchange);
}
