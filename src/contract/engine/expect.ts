import { isRecord } from '../../lib/json.js';
import { truncate } from '../../lib/messages.js';
import { decimalOf, type Matcher, valueAt } from '../predicates/matchers.js';
import { Blocked, Skip, type SkipReason, Violation } from './check-errors.js';
import type { Exchange } from './exchange.js';

export {
  aBoolean,
  aCount,
  aCurrency,
  aDate,
  aDecimal,
  anArray,
  anInteger,
  anObject,
  aPositiveInteger,
  aString,
  aTimestamp,
  aUrl,
  decimalOf,
  type Matcher,
  nonEmptyString,
  oneOf,
  orAbsent,
  orNull,
  recordsAt,
  timestampOf,
  valueAt,
} from '../predicates/matchers.js';

/** @throws Violation unless the value at a dotted path of the response body, such as `data.customer.id`, matches */
export function expectField(exchange: Exchange, path: string, expected: Matcher): void {
  const value = valueAt(exchange.json, path);
  if (!expected.matches(value))
    throw new Violation(`\`${path}\` to be ${expected.description}`, quoteString(value), exchange);
}

/**
 * @param expected a number also matches a string with that number: the specification does not say how decimals are
 * encoded
 * @throws Violation unless the value at a dotted path of the response body equals `expected`
 */
export function expectValue(exchange: Exchange, path: string, expected: string | number | boolean | null): void {
  const value = valueAt(exchange.json, path);
  const isEqual = typeof expected === 'number' ? decimalOf(value) === expected : value === expected;
  if (!isEqual) throw new Violation(`\`${path}\` to be ${JSON.stringify(expected)}`, quoteString(value), exchange);
}

/** Quotes strings, and returns other values unchanged: a message must show whether `5` is a string or a number. */
function quoteString(value: unknown): unknown {
  return typeof value === 'string' ? JSON.stringify(value) : value;
}

/** @throws Violation unless the status is one of these */
export function expectStatus(exchange: Exchange, ...statuses: readonly number[]): void {
  if (!statuses.includes(exchange.status)) {
    throw new Violation(`status ${statuses.join(' or ')}`, `status ${exchange.status}`, exchange);
  }
}

/** @throws Violation unless the status is 2xx; the specification rarely names an exact status */
export function expectSuccess(exchange: Exchange): void {
  if (!isSuccess(exchange)) throw new Violation('a success (2xx)', describeStatus(exchange), exchange);
}

/** True if the target refuses the token of a request: it is missing, unknown, or lacks a scope. */
export function isTokenRefused({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 401 || status === 403;
}

/** Describes an error status. A token with one scope may lack it: the start of the run only checks that it is known. */
function describeStatus(exchange: Exchange): string {
  const { status, call } = exchange;
  const mayBeWrongToken = (call.token === 'read' || call.token === 'write') && isTokenRefused(exchange);
  return mayBeWrongToken ? `status ${status}; check the ${call.token} token` : `status ${status}`;
}

/** @throws Violation unless the status is 4xx; the specification rarely names an exact status */
export function expectClientError(exchange: Exchange): void {
  if (!isClientError(exchange)) throw new Violation('a client error (4xx)', `status ${exchange.status}`, exchange);
}

/**
 * Requires that a request on which a check depends has succeeded, and returns its exchange.
 * @throws Blocked unless the status is 2xx. Not a Violation: another clause, the one about that request, reports it
 */
export function requireSuccess(exchange: Exchange): Exchange {
  const { method, path } = exchange.call;
  if (!isSuccess(exchange)) throw new Blocked(`${method} ${path} returned ${describeError(exchange)}`, exchange);
  return exchange;
}

/**
 * Like `requireSuccess`, for a request that the target may refuse, because the specification does not say that it must
 * be accepted: a refusal skips the clause.
 * @throws Skip if the status is 4xx; Blocked if it is neither 4xx nor 2xx
 */
export function requireSuccessOrSkip(exchange: Exchange, skipReason: SkipReason): Exchange {
  if (isClientError(exchange)) throw new Skip(skipReason);
  return requireSuccess(exchange);
}

/** Maximum number of characters of an error text in a message. */
const maxErrorCharacters = 100;

/**
 * Describes an error response by its status, its text and the invalid fields: `400, "Invalid amount" (amount)`. The text
 * is not redacted.
 */
export function describeError({ status, json }: Pick<Exchange, 'status' | 'json'>): string {
  const error = valueAt(json, 'error');
  const errors = valueAt(json, 'errors');
  const text = typeof error === 'string' ? `, ${JSON.stringify(truncate(error, maxErrorCharacters))}` : '';
  const names = Object.keys(isRecord(errors) ? errors : {});
  // Other names are quoted, since a line break or an escape sequence would be printed.
  const quoted = names.map((name) => (/^[\w.*-]+$/.test(name) ? name : JSON.stringify(name)));
  const fields = truncate(quoted.join(', '), maxErrorCharacters);
  return `${status}${text}${fields === '' ? '' : ` (${fields})`}`;
}

export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

export function isClientError({ status }: Exchange): boolean {
  return status >= 400 && status < 500;
}
