import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { millisecondsUntilReset } from '../../engine/pace.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { isAccepted, largest, tryDeposit, tryInvoice, tryLink } from '../attempts.js';
import { access } from '../authentication/setups.js';
import { everything } from '../envelope/setups.js';
import { recordOf } from '../invoice-creation/setups.js';
import { excess } from './setups.js';

const list = access.find(({ operation }) => operation.id === 'listInvoices')?.requestBy;

function header({ headers }: Exchange, name: 'Limit' | 'Remaining' | 'Reset'): string {
  return headers[`x-ratelimit-${name.toLowerCase()}`] ?? '';
}

function remaining(exchange: Exchange): number {
  return Number.parseInt(header(exchange, 'Remaining'), 10);
}

/** Responses so far that show the limit. @throws Skip if none does */
async function telling(context: ClauseContext): Promise<Exchange[]> {
  const found = (await everything(context)).filter((exchange) => header(exchange, 'Limit') !== '');
  if (found.length === 0) throw new Skip('X-RateLimit headers', 'no response has them');
  context.recordEvidence(...found.slice(-1));
  return found;
}

const headers = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** Number of attempts at seeing what a window counts by. */
const maxAttempts = 3;

/** Number of requests that distinguishes a window that refills from one that does not. */
const few = 10;

/** Tokens that a bucket regains per second, by its limit: 60 or 100 a minute. */
const refills = [1, 5 / 3];

/** Tolerance in seconds for values in whole seconds. */
const tolerance = 2;

/** How a window counts. These run first, while the window has room. */
export const windowProbes: readonly Probe[] = [
  activeProbe(
    'rate.key',
    async (context): Promise<'token'> => {
      const tokens = ['full', 'read', 'full', 'read'] as const;
      let left: number[] = [];
      // A window that ends or refills between the requests hides what they count by; the next attempt is past that.
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        left = [];
        for (const token of tokens) left.push(remaining(await context.get('/invoices/stats', { token })));
        const [full = 0, read = 0, fullThen = 0, readThen = 0] = left;
        if (full - read === 1 && read - fullThen === 1 && fullThen - readThen === 1) {
          throw new Skip('a second client', 'both tokens use one window up, by account or by address');
        }
        if (full - fullThen === 1 && read - readThen === 1) return 'token';
      }
      throw new Blocked(`Remaining was ${left.join(', ')}, which does not show what the window counts by`);
    },
    ...headers,
  ),
  activeProbe(
    'rate.window',
    async (context): Promise<'bucket'> => {
      const answers: Exchange[] = [];
      for (let sent = 0; sent < few; sent++) answers.push(await context.get('/invoices/stats'));
      const [first, last] = [answers[0], answers.at(-1)];
      if (!first || !last) throw new Error('a few are more than none');
      const used = remaining(first) - remaining(last);
      const changeOf = (millisecondsUntilReset(last.headers) - millisecondsUntilReset(first.headers)) / 1_000;
      if (!(used >= few / 2) || Number.isNaN(changeOf)) throw new Blocked('the headers say nothing about the window');
      // The more is taken from a bucket, the later it is full again.
      if (refills.some((refill) => Math.abs(changeOf - used / refill) <= tolerance)) return 'bucket';
      throw new Skip('more than a minute', 'until then a fixed window and a sliding one look the same');
    },
    ...headers,
  ),
];

/** Probes of the limit. The one that exceeds it runs last: the target refuses everything then. */
export const rateProbes: readonly Probe[] = [
  passiveProbe(
    'rate.reset-unit',
    async (context) => {
      const [text] = (await telling(context)).map((exchange) => header(exchange, 'Reset')).slice(-1);
      if (text === undefined || text === '') throw new Skip('X-RateLimit-Reset', 'no response has it');
      const number = Number(text);
      if (number > 1e9 && number < 1e11) return 'epoch-seconds';
      if (number < 1e6) return 'seconds-left';
      return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)) ? 'iso' : new Unlisted(text);
    },
    ...headers,
  ),
  passiveProbe(
    'rate.burst',
    async (context) => {
      const limits = new Set(
        (await telling(context)).map((exchange) => Number.parseInt(header(exchange, 'Limit'), 10)),
      );
      if (limits.has(100))
        throw new Skip('a minute of more than 60 requests', 'the limit is 100, always or after a quiet time');
      return [...limits].every((limit) => limit === 60)
        ? 'never'
        : new Unlisted(`a limit of ${[...limits].join(', ')}`);
    },
    ...headers,
  ),
  activeProbe(
    'rate.unauthenticated',
    async (context) => {
      if (!list) throw new Error('no operation lists invoices');
      const { call } = await context.use(list.unknown);
      const counts: string[] = [];
      // A window may reset in between.
      for (let look = 0; look < 3; look++) {
        const refusals = [await context.send(call), await context.send(call), await context.send(call)];
        const taken = refusals.find(isAccepted);
        if (taken) throw new Blocked('an unknown token is not refused', taken);
        const left = refusals.map(remaining);
        const used = (left.at(0) ?? Number.NaN) - (left.at(-1) ?? Number.NaN);
        if (used === 0) return 'uncounted';
        // A bucket may have regained one request.
        if (used === 1 || used === 2) return 'by-address';
        counts.push(left.join(', '));
      }
      throw new Blocked(`Remaining was ${counts.join('; ')}, which shows nothing`);
    },
    ...headers,
  ),
  activeProbe(
    'rate.exceeded',
    async (context) => {
      const { refused } = await context.use(excess);
      if (!refused) throw new Skip('a refused request', 'there was none');
      const { status, json } = refused;
      const isWorded = valueAt(json, 'error') === 'Too Many Attempts.' && 'retry-after' in refused.headers;
      if (isWorded && status === 429) return '429';
      return isWorded && status === 403 ? '403' : new Unlisted(`${status} ${refused.text.slice(0, 200)}`);
    },
    ...headers,
  ),
];

/** Tries a length or a count, and returns whether it is accepted. */
type Size = (context: ClauseContext, size: number) => Promise<boolean>;

const withText: Size = async (context, size) => isAccepted(await tryLink(context, { description: 'x'.repeat(size) }));
const withNotes: Size = async (context, size) => isAccepted(await tryInvoice(context, { notes: 'x'.repeat(size) }));
const withMetadata = async (context: ClauseContext, metadata: object): Promise<boolean> =>
  isAccepted(await tryDeposit(context, { metadata }));
const withKeys: Size = (context, size) =>
  withMetadata(context, Object.fromEntries(Array.from({ length: size }, (_item, index) => [index.toString(36), 'v'])));
const withKey: Size = (context, size) => withMetadata(context, { ['k'.repeat(size)]: 'v' });
const withValue: Size = (context, size) => withMetadata(context, { k: 'v'.repeat(size) });
/** Sizes in hundredths, the smallest unit of amounts. */
const withAmount: Size = async (context, size) => isAccepted(await tryLink(context, { amount: size / 100 }));

/**
 * Largest accepted size: the usual one, or one that is searched for.
 * @param largestAmount upper end of the search; if even that is accepted, the result is undefined
 */
async function bound(
  context: ClauseContext,
  takes: Size,
  usual: number,
  largestAmount: number,
): Promise<number | undefined> {
  if (!(await takes(context, usual))) return largest(0, usual, (size) => takes(context, size));
  if (!(await takes(context, usual + 1))) return usual;
  if (await takes(context, largestAmount + 1)) return undefined;
  return largest(usual + 1, largestAmount + 1, (size) => takes(context, size));
}

/** Longest text that is tried: many services limit bodies to 100 kB. */
const maxTextCharacters = 50_000;

/** A metadata value of each kind. */
const values = { text: 'text', number: 1, boolean: true, null: null, object: { in: 'it' }, list: ['in it'] };

/** How the target stores a text. */
async function storedForm(context: ClauseContext, text: string): Promise<'refused' | 'kept' | 'changed'> {
  const description = context.text(text);
  const exchange = await tryLink(context, { description });
  if (!isAccepted(exchange)) return 'refused';
  return recordOf(exchange)['description'] === description ? 'kept' : 'changed';
}

/** Finding about a bound, or that there is none. */
function boundFinding(size: number | undefined): number | string {
  return size ?? 'no bound was met';
}

/** Probes of maximum sizes, and of characters in texts. */
export const limitProbes: readonly Probe[] = [
  activeProbe('metadata.size', async (context) => {
    const keys = await bound(context, withKeys, 50, 1_000);
    const key_length = await bound(context, withKey, 40, 1_000);
    const value_length = await bound(context, withValue, 500, maxTextCharacters);
    if (keys === undefined && key_length === undefined && value_length === undefined) return 'unbounded';
    if (!keys || !key_length || !value_length) {
      return new Unlisted({
        keys: boundFinding(keys),
        key_length: boundFinding(key_length),
        value_length: boundFinding(value_length),
      });
    }
    const isUsual = keys === 50 && key_length === 40 && value_length === 500;
    return isUsual ? '50-keys' : { bounds: { keys, key_length, value_length } };
  }),
  activeProbe(
    'metadata.values',
    async (context) => {
      const accepted: string[] = [];
      for (const [kind, value] of Object.entries(values)) {
        if (await withMetadata(context, { k: value })) accepted.push(kind);
      }
      if (accepted.join() === 'text,number,boolean,null') return 'scalars';
      if (accepted.length === Object.keys(values).length) return 'any';
      return accepted.join() === 'text' ? 'texts' : new Unlisted(accepted);
    },
    'metadata',
  ),
  activeProbe('text.lengths', async (context) => {
    const text = await bound(context, withText, 255, 10_000);
    const notes = await bound(context, withNotes, 5_000, maxTextCharacters);
    if (text === undefined && notes === undefined) return 'unbounded';
    if (!text || !notes) return new Unlisted({ text: boundFinding(text), notes: boundFinding(notes) });
    return text === 255 && notes === 5_000 ? '255-and-5000' : { bounds: { text, notes } };
  }),
  activeProbe(
    'text.characters',
    async (context) => {
      const storedForms = [await storedForm(context, 'NUL \u0000'), await storedForm(context, 'half \uD83D')];
      if (storedForms.every((fate) => fate === 'kept')) return 'accepted';
      return storedForms.every((fate) => fate === 'refused') ? 'refused' : new Unlisted(storedForms);
    },
    'description',
  ),
  activeProbe(
    'amount.maximum',
    async (context) => {
      const largestAmount = await bound(context, withAmount, 99_999_999, 999_999_999_999);
      if (largestAmount === undefined) return 'unbounded';
      return largestAmount === 99_999_999 ? '999999.99' : { maximum: largestAmount / 100 };
    },
    'amount',
  ),
];
