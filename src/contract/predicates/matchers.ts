import { isRecord, memberOf } from '../../lib/json.js';
import { parseUrl } from '../../lib/parse-url.js';

/** A matcher for the value of a field, with a description for reports. */
export interface Matcher {
  readonly description: string;
  readonly matches: (value: unknown) => boolean;
}

function matcher(description: string, matches: (value: unknown) => boolean): Matcher {
  return { description, matches };
}

/** Integers beyond 2^53 are parsed as bigints. */
const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint';

const isString = (value: unknown): value is string => typeof value === 'string';

/** True if a string is a date that exists, `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

export const aBoolean = matcher('a boolean', (value) => typeof value === 'boolean');
export const aString = matcher('a string', isString);
export const nonEmptyString = matcher('a string that is not empty', (value) => isString(value) && value !== '');
export const anInteger = matcher('an integer', isInteger);
export const aCount = matcher('an integer of 0 or more', (value) => isInteger(value) && Number(value) >= 0);
export const aPositiveInteger = matcher('an integer of 1 or more', (value) => isInteger(value) && Number(value) >= 1);
/** A number, or a string that contains one: the specification does not say how decimals are encoded. */
export const aDecimal = matcher('a decimal', (value) => decimalOf(value) !== undefined);
export const aCurrency = matcher(
  'a 3-letter ISO currency code',
  (value) => isString(value) && /^[A-Z]{3}$/.test(value),
);
export const aDate = matcher('a date, YYYY-MM-DD', (value) => isString(value) && isDate(value));
export const aTimestamp = matcher('an ISO 8601 timestamp with UTC offset', (value) => timestampOf(value) !== undefined);
/** A value of `X-RateLimit-Reset`, whose unit is not documented. */
export const aResetTime = matcher(
  'a number or a time',
  (value) => /^\d+(\.\d+)?$/.test(String(value)) || !Number.isNaN(Date.parse(String(value))),
);
export const anArray = matcher('an array', Array.isArray);
export const anObject = matcher('an object', isRecord);
export const aUrl = matcher('a URL', (value) => isString(value) && parseUrl(value) !== undefined);

/** Matches only this string. */
export const exactly = (text: string): Matcher => matcher(JSON.stringify(text), (value) => value === text);
export const atLeast = (minimum: number): Matcher =>
  matcher(`at least ${minimum}`, (value) => Number(value) >= minimum);
export const atMost = (maximum: number): Matcher => matcher(`at most ${maximum}`, (value) => Number(value) <= maximum);

export const oneOf = (...values: readonly (string | number | boolean)[]): Matcher =>
  matcher(`one of ${values.map((value) => `\`${value}\``).join(', ')}`, (value) =>
    values.some((allowed) => allowed === value),
  );
export const orNull = (base: Matcher): Matcher =>
  matcher(`${base.description}, or null`, (value) => value === null || base.matches(value));
/**
 * Also matches null and a missing field: the specification does not say how a value that was never set is represented.
 */
export const orAbsent = (base: Matcher): Matcher =>
  matcher(`${base.description}, or absent`, (value) => absent.matches(value) || base.matches(value));

export const absent = matcher('null or absent', (value) => !isPresent(value));

/** False for a field that is missing or null: a target may show either instead of a value. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** True if two ids are equal as texts. A missing id, or one of null, equals no other. */
export function isSameId(one: unknown, other: unknown): boolean {
  return isPresent(one) && isPresent(other) && String(one) === String(other);
}

/** Reads a decimal that is a number or a string; undefined for any other value. */
export function decimalOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number(value);
  return isString(value) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Returns a pattern for ISO 8601 timestamps with UTC offset that have these separators in their date and time. */
const timestampPattern = (dash: string, colon: string): RegExp =>
  new RegExp(
    `^(?<date>\\d{4}${dash}\\d\\d${dash}\\d\\d)T(?<minutes>\\d\\d${colon}\\d\\d)` +
      `(?:${colon}(?<seconds>\\d\\d(?:[.,]\\d+)?))?(?<offset>Z|[+-]\\d\\d(?::?\\d\\d)?)$`,
  );

/** The extended format of ISO 8601, `2026-03-01T09:30:00Z`, and the basic one, `20260301T093000Z`. */
const [extendedTimestamp, basicTimestamp] = [timestampPattern('-', ':'), timestampPattern('', '')];

/** A time that a target shows. */
export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The date in the time zone of the timestamp, `YYYY-MM-DD`. */
  readonly date: string;
  /** False if it has no seconds, so that the time may be up to a minute later. */
  readonly hasSeconds: boolean;
}

/**
 * Reads an ISO 8601 timestamp with UTC offset; undefined for any other value. `Date.parse` alone does not know the basic
 * format, decimal commas or offsets in hours, and moves 30 February into March.
 */
export function timestampOf(value: unknown): Timestamp | undefined {
  if (!isString(value)) return undefined;
  const parts = (extendedTimestamp.exec(value) ?? basicTimestamp.exec(value))?.groups;
  if (!parts) return undefined;
  const { date = '', minutes = '', seconds, offset = '' } = parts;
  const extendedDate = date.replace(/^(\d{4})-?(\d\d)-?(\d\d)$/, '$1-$2-$3');
  const extendedTime = `${minutes.slice(0, 2)}:${minutes.slice(-2)}:${(seconds ?? '00').replace(',', '.')}`;
  const at = Date.parse(`${extendedDate}T${extendedTime}${offset.length === 3 ? `${offset}:00` : offset}`);
  return Number.isNaN(at) || !isDate(extendedDate)
    ? undefined
    : { at, date: extendedDate, hasSeconds: seconds !== undefined };
}

/** Reads the value at a dotted path, such as `data.0.customer.id`; undefined if missing. */
export function valueAt(json: unknown, path: string): unknown {
  return path === '' ? json : path.split('.').reduce(memberOf, json);
}

/** Reads the records of a list at a dotted path; empty if missing. */
export function recordsAt(json: unknown, path: string): Readonly<Record<string, unknown>>[] {
  const value = valueAt(json, path);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
