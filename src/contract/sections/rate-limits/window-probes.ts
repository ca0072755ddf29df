import { activeProbe, type Probe, passiveProbe, Unlisted } from '../../calibrate/probe.js';
import type { Exchange } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { untilReset } from '../../engine/pace.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { access } from '../authentication/setups.js';
import { everything } from '../envelope/setups.js';
import { isAccepted } from '../webhooks/attempts.js';
import { excess } from './setups.js';

const list = access.find(({ operation }) => operation.id === 'listInvoices')?.asked;

function header({ headers }: Exchange, name: 'Limit' | 'Remaining' | 'Reset'): string {
  return headers[`x-ratelimit-${name.toLowerCase()}`] ?? '';
}

function remaining(exchange: Exchange): number {
  return Number.parseInt(header(exchange, 'Remaining'), 10);
}

/** The answers so far that tell of the limit. @throws Skip if none does */
async function telling(context: ClauseContext): Promise<Exchange[]> {
  const found = (await everything(context)).filter((exchange) => header(exchange, 'Limit') !== '');
  if (found.length === 0) throw new Skip('X-RateLimit headers', 'no answer has them');
  context.recordEvidence(...found.slice(-1));
  return found;
}

const headers = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** How many requests it takes for a window that refills to be told from one that does not. */
const few = 10;

/** Requests a second that come back to a bucket, by its limit: 60 or 100 a minute. */
const refills = [1, 5 / 3];

/** Seconds by which what is told in whole ones may be off. */
const slack = 2;

/** How a window counts. These come first, while there is room in it. */
export const windowProbes: readonly Probe[] = [
  activeProbe(
    'rate.key',
    async (context): Promise<'token'> => {
      const tokens = ['full', 'read', 'full', 'read'] as const;
      const left: number[] = [];
      for (const token of tokens) left.push(remaining(await context.get('/invoices/stats', { token })));
      const [full = 0, read = 0, fullThen = 0, readThen = 0] = left;
      if (full - read === 1 && read - fullThen === 1 && fullThen - readThen === 1) {
        throw new Skip('a second client', 'both tokens use one window up, by account or by address');
      }
      if (full - fullThen === 1 && read - readThen === 1) return 'token';
      throw new Blocked(`Remaining was ${left.join(', ')}, which tells nothing`);
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
      const moved = (untilReset(last.headers) - untilReset(first.headers)) / 1_000;
      if (!(used >= few / 2) || Number.isNaN(moved)) throw new Blocked('the headers tell nothing of the window');
      // The more is taken out of a bucket, the later it is full again.
      if (refills.some((refill) => Math.abs(moved - used / refill) <= slack)) return 'bucket';
      throw new Skip('more than a minute', 'until then a fixed window and a sliding one look the same');
    },
    ...headers,
  ),
];

/** What is told of the limit. That it is exceeded comes last: nothing is answered any more then. */
export const rateProbes: readonly Probe[] = [
  passiveProbe(
    'rate.reset-unit',
    async (context) => {
      const [text] = (await telling(context)).map((exchange) => header(exchange, 'Reset')).slice(-1);
      if (text === undefined || text === '') throw new Skip('X-RateLimit-Reset', 'no answer has it');
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
        throw new Skip('a minute of more than 60 requests', '100 is the limit, after calm or always');
      return [...limits].every((limit) => limit === 60)
        ? 'never'
        : new Unlisted(`a limit of ${[...limits].join(', ')}`);
    },
    ...headers,
  ),
  activeProbe(
    'rate.unauthenticated',
    async (context) => {
      if (!list) throw new Error('there is no list of invoices');
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
        // A bucket may have regained one.
        if (used === 1 || used === 2) return 'by-address';
        counts.push(left.join(', '));
      }
      throw new Blocked(`Remaining was ${counts.join('; ')}, which tells nothing`);
    },
    ...headers,
  ),
  activeProbe(
    'rate.exceeded',
    async (context) => {
      const { refused } = await context.use(excess);
      if (!refused) throw new Skip('a refused request', 'none was');
      const { status, json } = refused;
      const isWorded = valueAt(json, 'error') === 'Too Many Attempts.' && 'retry-after' in refused.headers;
      if (isWorded && status === 429) return '429';
      return isWorded && status === 403 ? '403' : new Unlisted(`${status} ${refused.text.slice(0, 200)}`);
    },
    ...headers,
  ),
];
