import type { Exchange } from '../exchange.js';
import { aDate, aTimestamp, aUrl } from '../expect.js';
import type { Session } from '../session.js';
import type { Difference } from './differences.js';
import type { Pair } from './pairs.js';

/** Why two lawful targets differ somewhere anyway; `marks of the run` is in what the suite itself has sent. */
export type Noise = 'marks of the run' | 'ids' | 'moments' | 'addresses' | 'counts' | 'wording' | 'records of others';

/** What tells a run's own records. */
type Marked = Pick<Session, 'mark'>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Pages as they were asked for; all other numbers of a list count what is there. */
const asAsked = ['page', 'current_page', 'per_page'];

/** Why a difference means nothing; undefined where it means something. */
export function noiseOf(
  difference: Difference,
  pair: Pair,
  marks: { readonly a: Marked; readonly b: Marked },
): Noise | undefined {
  const { part, way, kind, a, b } = difference;
  const isText = typeof a === 'string' && typeof b === 'string';
  if (isText && plain(a, marks.a.mark) === plain(b, marks.b.mark)) return 'marks of the run';
  if (part === 'status' || kind === 'missing') return undefined;
  if (isCustomerOfOthers(pair, way) && (kind === 'value' || a === null || b === null)) return 'records of others';
  if (kind === 'type') return undefined;
  const name = way.at(-1) ?? '';
  if (part === 'header') return noiseOfHeader(name, String(a), String(b));
  if (/(^|_)id$/.test(name)) return isLikeId(a, b) ? 'ids' : undefined;
  if (typeof a === 'number' && isOfAll(pair.a) && !asAsked.includes(name)) return 'counts';
  if (both(aTimestamp.holds, a, b) || both(aDate.holds, a, b)) return 'moments';
  if (both(aUrl.holds, a, b)) return 'addresses';
  return isOwn(pair.a, marks.a) && isOwn(pair.b, marks.b) ? undefined : 'records of others';
}

/** Customers of invoices are made by nobody's request: a driver has made them, or they were there. */
function isCustomerOfOthers({ a }: Pair, way: readonly string[]): boolean {
  return way.includes('customer') && !a.call.path.startsWith('/deposits');
}

function noiseOfHeader(name: string, a: string, b: string): Noise | undefined {
  if (/-(limit|remaining)$|^retry-after$/.test(name)) return 'counts';
  // Seconds left, seconds since 1970, or a date: what is written alike counts alike.
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

/** Whether an answer is about all that there is, and not about one record. */
function isOfAll({ call: { method, path } }: Exchange): boolean {
  return method === 'GET' && !/^\/(invoices|deposits)\/(?!stats\b|overdue\b)[^/?]+/.test(path);
}

/** A text without what differs from run to run: the run's mark, numbers, digits of random names. */
export function plain(text: string, mark: string): string {
  return text
    .replaceAll(new RegExp(mark, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#');
}

/** Whether an answer is about what the suite has made. */
function isOwn({ call, text }: Exchange, { mark }: Marked): boolean {
  return call.method !== 'GET' || text.includes(mark);
}
