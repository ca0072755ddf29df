import { isRecord } from '../../lib/is-record.js';
import type { Exchange } from '../engine/exchange.js';
import { aDate, aTimestamp, aUrl } from '../engine/expect.js';
import { comparableText } from './comparable-text.js';
import type { Difference } from './differences.js';
import { isOwn, type Marked } from './own.js';
import type { Pair } from './pairs.js';

/** Why two conforming targets differ anyway; `marks of the run` are part of what the suite sent. */
export type Noise =
  | 'marks of the run'
  | 'ids'
  | 'moments'
  | 'addresses'
  | 'counts'
  | 'wording'
  | 'currency of the account'
  | 'records of others';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Paging fields that repeat the request; all other numbers of a list are counts. */
const asAsked = ['page', 'current_page', 'per_page'];

/** Reason to ignore a difference; undefined if it matters. */
export function noiseOf(
  difference: Difference,
  pair: Pair,
  marks: { readonly a: Marked; readonly b: Marked },
): Noise | undefined {
  const { part, way, kind, a, b } = difference;
  const isText = typeof a === 'string' && typeof b === 'string';
  if (isText && comparableText(a, marks.a.mark) === comparableText(b, marks.b.mark)) return 'marks of the run';
  const name = way.at(-1) ?? '';
  if (isCustomerOfOthers(pair, way) && mayDiffer(difference, name)) return 'records of others';
  if (part === 'status' || kind !== 'value') return undefined;
  if (part === 'header') return noiseOfHeader(name, String(a), String(b));
  if (name === 'currency' && isOfAccount(pair)) return 'currency of the account';
  if (/(^|_)id$/.test(name)) return isLikeId(a, b) ? 'ids' : undefined;
  if ((typeof a === 'number' || typeof a === 'bigint') && isOfAll(pair.a) && !asAsked.includes(name)) return 'counts';
  if (both(aTimestamp.holds, a, b) || both(aDate.holds, a, b)) return 'moments';
  if (both(aUrl.holds, a, b)) return 'addresses';
  return isOwn(pair.a, marks.a) && isOwn(pair.b, marks.b) ? undefined : 'records of others';
}

/** Customers of invoices are not created by requests: a driver created them, or they existed before. */
function isCustomerOfOthers({ a }: Pair, way: readonly string[]): boolean {
  return way.includes('customer') && !a.call.path.startsWith('/deposits');
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
  if (name === 'x-ratelimit-reset') return digits(a) === digits(b) ? 'moments' : undefined;
  return undefined;
}

const digits = (text: string): string => (/^\d+$/.test(text) ? String(text.length > 6) : 'a date');

function both(holds: (value: unknown) => boolean, a: unknown, b: unknown): boolean {
  return holds(a) && holds(b);
}

function isLikeId(a: unknown, b: unknown): boolean {
  return typeof a !== 'string' || typeof b !== 'string' || uuid.test(a) === uuid.test(b);
}

/** Whether a response is about all records and not about a single one. */
function isOfAll({ call: { method, path } }: Exchange): boolean {
  return method === 'GET' && !/^\/(invoices|deposits)\/(?!stats\b|overdue\b)[^/?]+/.test(path);
}
