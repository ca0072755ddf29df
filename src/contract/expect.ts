import type { Exchange } from './exchange.js';
import { Blocked, Violation } from './verdict.js';

/** What a field has to be, in words for a report, and whether a value is it. */
export interface Kind {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

function kind(words: string, holds: (value: unknown) => boolean): Kind {
  return { words, holds };
}

/** Integers beyond 2^53 are read as bigints. */
const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a text names a day that there is. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

export const aBoolean = kind('a boolean', (value) => typeof value === 'boolean');
export const aString = kind('a string', isText);
export const someText = kind('a string that is not empty', (value) => isText(value) && value !== '');
export const anInteger = kind('an integer', isInteger);
export const aCount = kind('an integer of 0 or more', (value) => isInteger(value) && Number(value) >= 0);
export const aPositive = kind('an integer of 1 or more', (value) => isInteger(value) && Number(value) >= 1);
/** How decimals are encoded is open: a number, or a string that writes one. */
export const aDecimal = kind('a decimal', (value) => decimalOf(value) !== undefined);
export const aCurrency = kind('a 3-letter ISO currency code', (value) => isText(value) && /^[A-Z]{3}$/.test(value));
export const aDate = kind('a date, YYYY-MM-DD', (value) => isText(value) && isDate(value));
export const aTimestamp = kind(
  'an ISO 8601 timestamp with UTC offset',
  (value) =>
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
);
export const anArray = kind('an array', Array.isArray);
export const anObject = kind('an object', isRecord);
export const aUrl = kind('a URL', (value) => isText(value) && URL.canParse(value));

export const oneOf = (...values: readonly (string | number | boolean)[]): Kind =>
  kind(`one of ${values.map((value) => `\`${value}\``).join(', ')}`, (value) => values.some((one) => one === value));
export const orNull = (one: Kind): Kind => kind(`${one.words}, or null`, (value) => value === null || one.holds(value));
/** Optional texts that were never given: what stands for them is open. */
export const orNothing = (one: Kind): Kind =>
  kind(`${one.words}, or nothing`, (value) => value === undefined || value === null || one.holds(value));

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number that a decimal writes, as a number or as a string. */
export function decimalOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return isText(value) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** The value at a dotted path, such as `data.0.customer.id`; undefined if there is none. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** The records of a list at a path; empty where there is none. */
export function recordsAt(json: unknown, path: string): Readonly<Record<string, unknown>>[] {
  const value = valueAt(json, path);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** @throws Violation unless the value at the path of the answer's body is of the kind */
export function expectField(exchange: Exchange, path: string, wanted: Kind): void {
  const value = valueAt(exchange.json, path);
  if (!wanted.holds(value)) throw new Violation(`\`${path}\` to be ${wanted.words}`, quoted(value), exchange);
}

/** @throws Violation unless the value at the path is just this; decimals are compared as numbers */
export function expectValue(exchange: Exchange, path: string, wanted: string | number | boolean | null): void {
  const value = valueAt(exchange.json, path);
  const isEqual = typeof wanted === 'number' ? decimalOf(value) === wanted : value === wanted;
  if (!isEqual) throw new Violation(`\`${path}\` to be ${JSON.stringify(wanted)}`, quoted(value), exchange);
}

/** A text in quotes, so that it is told from a number or from words about it. */
function quoted(value: unknown): unknown {
  return typeof value === 'string' ? JSON.stringify(value) : value;
}

/** @throws Violation unless the status is one of these */
export function expectStatus(exchange: Exchange, ...statuses: readonly number[]): void {
  if (!statuses.includes(exchange.status)) {
    throw new Violation(`status ${statuses.join(' or ')}`, `status ${exchange.status}`, exchange);
  }
}

/** @throws Violation unless the request was carried out; which 2xx says so is open mostly */
export function expectSuccess(exchange: Exchange): void {
  if (!isSuccess(exchange)) throw new Violation('a success (2xx)', `status ${exchange.status}`, exchange);
}

/** @throws Violation unless the request was refused by a 4xx; which one is open mostly */
export function expectRefusal(exchange: Exchange): void {
  if (!isRefusal(exchange)) throw new Violation('a refusal (4xx)', `status ${exchange.status}`, exchange);
}

/** The exchange, if the request was carried out. @throws Blocked if not: that it has to be is for another clause to say */
export function succeeded(exchange: Exchange): Exchange {
  const { method, path } = exchange.call;
  if (!isSuccess(exchange)) throw new Blocked(`${method} ${path} was answered with ${exchange.status}`, exchange);
  return exchange;
}

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

export function isRefusal({ status }: Exchange): boolean {
  return status >= 400 && status < 500;
}
