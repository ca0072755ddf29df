import { isRecord } from '../../lib/json.js';
import type { Exchange } from '../engine/exchange.js';
import { aDate, aTimestamp, aUrl } from '../engine/expect.js';
import type { Difference } from './differences.js';
import { comparableText, isAboutOwnRecords, type WithRunId } from './exchanges.js';
import type { Pair } from './pairs.js';

/**
 * Reason why even two targets with the same behavior could differ. `run ids` are the ids that the suite adds to its
 * texts; `counts` are numbers that depend on other records or earlier requests, such as totals and rate limits.
 */
export type Noise =
  | 'run ids'
  | 'ids'
  | 'times'
  | 'URLs'
  | 'counts'
  | 'wording'
  | 'account currency'
  | 'records of other clients';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Paging fields of a list, and the query parameter that each of them repeats. */
const echoedParameters: ReadonlyMap<string, string> = new Map([
  ['page', 'page'],
  ['current_page', 'page'],
  ['per_page', 'per_page'],
]);

/** Finds a reason to ignore a difference; undefined if there is none. */
export function noiseOf(
  difference: Difference,
  pair: Pair,
  runs: { readonly a: WithRunId; readonly b: WithRunId },
): Noise | undefined {
  const { part, path, kind, a, b } = difference;
  const name = path.at(-1) ?? '';
  if (name !== 'x-ratelimit-reset' && !bothMatch(isNumericOrTime, a, b) && haveSameComparableText(a, b, runs))
    return 'run ids';
  if (isInCustomerOfOthers(pair, path) && mayCustomersDiffer(difference, name)) return 'records of other clients';
  if (part === 'status' || kind !== 'value') return undefined;
  if (part === 'header') return noiseOfHeader(name, String(a), String(b));
  if (name === 'currency' && isInAccountCurrency(pair)) return 'account currency';
  if (/(^|_)id$/.test(name)) return haveSameIdFormat(a, b) ? 'ids' : undefined;
  if (bothMatch(isNumeric, a, b) && isAboutAllRecords(pair.a))
    return isExplainedCount(difference, pair) ? 'counts' : undefined;
  if (bothMatch(isTime, a, b)) return 'times';
  if (bothMatch(aUrl.matches, a, b)) return 'URLs';
  return isAboutOwnRecords(pair.a, runs.a) && isAboutOwnRecords(pair.b, runs.b)
    ? undefined
    : 'records of other clients';
}

/**
 * True if a path is inside a customer whose values are not from a request of the suite. Only requests for deposits
 * contain the customer's values; other customers were created by a driver, or existed before the run.
 */
function isInCustomerOfOthers({ a }: Pair, path: readonly string[]): boolean {
  return path.includes('customer') && !a.call.path.startsWith('/deposits');
}

/** True if a record has the account's currency: invoices always do, and deposits do if the request has no currency. */
function isInAccountCurrency({ a: { call } }: Pair): boolean {
  return (
    call.path.startsWith('/invoices') || (call.path === '/deposits' && isRecord(call.body) && !call.body['currency'])
  );
}

const optionalCustomerFieldNames = ['company', 'phone', 'address', 'city', 'postal_code', 'country'];

/** True if a difference in a field may merely show that the customers are different. */
function mayCustomersDiffer({ kind, a, b }: Difference, name: string): boolean {
  if (kind === 'missing') return optionalCustomerFieldNames.includes(name);
  return kind === 'value' || a === null || b === null;
}

function noiseOfHeader(name: string, a: string, b: string): Noise | undefined {
  if (/-(limit|remaining)$|^retry-after$/.test(name)) return 'counts';
  // Two values in the same format differ only because they are from different times.
  if (name === 'x-ratelimit-reset') return timeFormat(a) === timeFormat(b) ? 'times' : undefined;
  return name === 'location' && bothMatch(aUrl.matches, a, b) ? 'URLs' : undefined;
}

/**
 * Finds the format of a value of `X-RateLimit-Reset`. A number of at most six digits means seconds left, a longer one a
 * time since 1970.
 */
function timeFormat(text: string): 'seconds left' | 'time since 1970' | 'date' {
  if (!/^\d+$/.test(text)) return 'date';
  return text.length > 6 ? 'time since 1970' : 'seconds left';
}

/** True if two strings differ only in the run id, other ids and numbers. */
function haveSameComparableText(
  a: unknown,
  b: unknown,
  runs: { readonly a: WithRunId; readonly b: WithRunId },
): boolean {
  return (
    typeof a === 'string' &&
    typeof b === 'string' &&
    comparableText(a, runs.a.runId) === comparableText(b, runs.b.runId)
  );
}

/** True for a decimal that is encoded as a string with decimal places. A string of digits may be an id. */
const isDecimalText = (value: unknown): boolean => typeof value === 'string' && /^-?\d+\.\d+$/.test(value);

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || isDecimalText(value);

const isTime = (value: unknown): boolean => aTimestamp.matches(value) || aDate.matches(value);

/** True for a value whose digits are not an id, so that different digits may mean different behavior. */
const isNumericOrTime = (value: unknown): boolean => isNumeric(value) || isTime(value);

function bothMatch(matches: (value: unknown) => boolean, a: unknown, b: unknown): boolean {
  return matches(a) && matches(b);
}

/** True unless one of two strings is a UUID and the other is not. */
function haveSameIdFormat(a: unknown, b: unknown): boolean {
  return typeof a !== 'string' || typeof b !== 'string' || uuid.test(a) === uuid.test(b);
}

/**
 * True if a difference between two numbers in a list or in statistics is explained by the other records of the
 * accounts. A paging field that repeats a parameter must have the value of its own request, which may differ between
 * the targets: the suite requests the last page, whose number depends on `total`.
 */
function isExplainedCount({ path, a, b }: Difference, pair: Pair): boolean {
  const parameter = echoedParameters.get(path.at(-1) ?? '');
  if (parameter === undefined) return true;
  const requested = (exchange: Exchange): string | null =>
    new URLSearchParams(exchange.call.path.split('?')[1]).get(parameter);
  return String(a) === requested(pair.a) && String(b) === requested(pair.b);
}

/** True if a response is a list or statistics about all records, and not about a single record. */
function isAboutAllRecords({ call: { method, path } }: Exchange): boolean {
  return method === 'GET' && !/^\/(invoices|deposits)\/(?!stats\b|overdue\b)[^/?]+/.test(path);
}
