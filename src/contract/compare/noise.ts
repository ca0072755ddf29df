import { isRecord } from '../../lib/is-record.js';
import type { Exchange } from '../engine/exchange.js';
import { aDate, aTimestamp, aUrl } from '../engine/expect.js';
import { comparableText } from './comparable-text.js';
import type { Difference } from './differences.js';
import { isOwn, type WithRunId } from './own.js';
import type { Pair } from './pairs.js';

/** Why two conforming targets differ anyway. `run ids` are the ids that the suite puts into the texts of a run. */
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

/** Paging fields that repeat the request; all other numbers of a list are counts. */
const echoedFields = ['page', 'current_page', 'per_page'];

/** Reason to ignore a difference; undefined if it matters. */
export function noiseOf(
  difference: Difference,
  pair: Pair,
  runs: { readonly a: WithRunId; readonly b: WithRunId },
): Noise | undefined {
  const { part, path, kind, a, b } = difference;
  const isText = typeof a === 'string' && typeof b === 'string';
  if (isText && comparableText(a, runs.a.runId) === comparableText(b, runs.b.runId)) return 'run ids';
  const name = path.at(-1) ?? '';
  if (isCustomerOfOthers(pair, path) && mayDiffer(difference, name)) return 'records of other clients';
  if (part === 'status' || kind !== 'value') return undefined;
  if (part === 'header') return noiseOfHeader(name, String(a), String(b));
  if (name === 'currency' && isOfAccount(pair)) return 'account currency';
  if (/(^|_)id$/.test(name)) return haveSameIdFormat(a, b) ? 'ids' : undefined;
  if ((typeof a === 'number' || typeof a === 'bigint') && isAboutAllRecords(pair.a) && !echoedFields.includes(name))
    return 'counts';
  if (bothMatch(aTimestamp.matches, a, b) || bothMatch(aDate.matches, a, b)) return 'times';
  if (bothMatch(aUrl.matches, a, b)) return 'URLs';
  return isOwn(pair.a, runs.a) && isOwn(pair.b, runs.b) ? undefined : 'records of other clients';
}

/** Customers of invoices are not created by requests: a driver created them, or they existed before. */
function isCustomerOfOthers({ a }: Pair, path: readonly string[]): boolean {
  return path.includes('customer') && !a.call.path.startsWith('/deposits');
}

/** Whether a response is in the account's own currency: invoices are requested without one, and deposits may be. */
function isOfAccount({ a: { call } }: Pair): boolean {
  return (
    call.path.startsWith('/invoices') || (call.path === '/deposits' && isRecord(call.body) && !call.body['currency'])
  );
}

/** Optional fields of a customer. */
const optionalOfCustomers = ['company', 'phone', 'address', 'city', 'postal_code', 'country'];

function mayDiffer({ kind, a, b }: Difference, name: string): boolean {
  if (kind === 'missing') return optionalOfCustomers.includes(name);
  return kind === 'value' || a === null || b === null;
}

function noiseOfHeader(name: string, a: string, b: string): Noise | undefined {
  if (/-(limit|remaining)$|^retry-after$/.test(name)) return 'counts';
  // Seconds left, seconds since 1970, or a date: values of the same format are equal.
  if (name === 'x-ratelimit-reset') return timeFormat(a) === timeFormat(b) ? 'times' : undefined;
  return undefined;
}

const timeFormat = (text: string): string => (/^\d+$/.test(text) ? String(text.length > 6) : 'a date');

function bothMatch(matches: (value: unknown) => boolean, a: unknown, b: unknown): boolean {
  return matches(a) && matches(b);
}

function haveSameIdFormat(a: unknown, b: unknown): boolean {
  return typeof a !== 'string' || typeof b !== 'string' || uuid.test(a) === uuid.test(b);
}

/** Whether a response is about all records and not about a single one. */
function isAboutAllRecords({ call: { method, path } }: Exchange): boolean {
  return method === 'GET' && !/^\/(invoices|deposits)\/(?!stats\b|overdue\b)[^/?]+/.test(path);
}
