import { activeProbe, NoMatchingChoice, type Probe, passiveProbe } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange, TokenKind } from '../../engine/exchange.js';
import { valueAt } from '../../engine/expect.js';
import { millisecondsUntilReset } from '../../engine/pace.js';
import type { ClauseContext } from '../../engine/session.js';
import { isAccepted, noMatchingChoiceFor } from '../attempts.js';
import { operationWithRequests } from '../authentication/setups.js';
import { someResponsesSoFar } from '../responses.js';
import { responseBeyondLimit } from './setups.js';

function headerValue({ headers }: Exchange, name: 'Limit' | 'Remaining' | 'Reset'): string {
  return headers[`x-ratelimit-${name.toLowerCase()}`] ?? '';
}

function remainingRequests(exchange: Exchange): number {
  return Number.parseInt(headerValue(exchange, 'Remaining'), 10);
}

/** Returns the responses so far that show the limit. @throws Skip if none does */
async function responsesWithLimit(context: ClauseContext): Promise<Exchange[]> {
  const found = (await someResponsesSoFar(context)).filter((exchange) => headerValue(exchange, 'Limit') !== '');
  if (found.length === 0) throw new Skip({ missing: 'X-RateLimit headers', reason: 'no response has them' });
  context.recordEvidence(...found.slice(-1));
  return found;
}

const evidenceHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** Maximum number of attempts to observe how requests are counted. */
const maxAttempts = 3;

/**
 * Finds out whether two kinds of requests count towards one window or towards separate windows, or are not counted.
 * @throws Blocked if the headers do not show it
 */
async function observeCounting(
  sendFirst: () => Promise<Exchange>,
  sendSecond: () => Promise<Exchange>,
): Promise<'shared' | 'separate' | 'uncounted'> {
  const observedCounts: string[] = [];
  // If a window ends or a bucket refills between the requests, the counts show nothing, so try again.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const counts: number[] = [];
    for (const send of [sendFirst, sendSecond, sendFirst, sendSecond]) counts.push(remainingRequests(await send()));
    const [first1 = 0, second1 = 0, first2 = 0, second2 = 0] = counts;
    if (first1 - second1 === 1 && second1 - first2 === 1 && first2 - second2 === 1) return 'shared';
    if (first1 - first2 === 1 && second1 - second2 === 1) return 'separate';
    if (first1 === first2 && second1 === second2) return 'uncounted';
    observedCounts.push(counts.join(', '));
  }
  throw new Blocked(
    `requests of the two kinds, sent in turn, had X-RateLimit-Remaining ${observedCounts.join('; ')}, which does not show how they are counted`,
  );
}

/**
 * Number of requests that suffice to distinguish a bucket, which refills steadily, from a window, which regains all its
 * requests at once.
 */
const seriesLength = 10;

/** Requests that a bucket regains per second, if its limit is 60 or 100 requests a minute. */
const refillRates = [60 / 60, 100 / 60];

/** Tolerance in seconds for values in whole seconds. */
const toleranceSeconds = 2;

/** Probes for the gaps about how requests are counted. They run first, before other requests use up the window. */
export const windowProbes: readonly Probe[] = [
  activeProbe({
    gap: 'rate.key',
    evidenceFields: evidenceHeaders,
    findChoice: async (context): Promise<'token'> => {
      const counting = await observeCounting(
        () => context.get('/invoices/stats', { token: 'full' }),
        () => context.get('/invoices/stats', { token: 'read' }),
      );
      if (counting === 'separate') return 'token';
      if (counting === 'uncounted') throw new Blocked('X-RateLimit-Remaining does not change');
      throw new Skip({
        missing: 'a second client',
        reason: 'both tokens share one window, which may belong to the account or to the IP address',
      });
    },
  }),
  activeProbe({
    gap: 'rate.window',
    evidenceFields: evidenceHeaders,
    findChoice: async (context): Promise<'bucket'> => {
      const responses: Exchange[] = [];
      for (let sent = 0; sent < seriesLength; sent++) responses.push(await context.get('/invoices/stats'));
      const [first, last] = [responses[0], responses.at(-1)];
      if (!first || !last) throw new Error('no request was sent');
      const usedCount = remainingRequests(first) - remainingRequests(last);
      const resetShiftSeconds = (millisecondsUntilReset(last.headers) - millisecondsUntilReset(first.headers)) / 1_000;
      if (Number.isNaN(usedCount) || usedCount < seriesLength / 2 || Number.isNaN(resetShiftSeconds))
        throw new Blocked('the rate-limit headers do not show whether the limit is a bucket or a window');
      // A bucket resets when it is full again, so each request postpones it by the time it takes to regain one request.
      if (refillRates.some((refillRate) => Math.abs(resetShiftSeconds - usedCount / refillRate) <= toleranceSeconds))
        return 'bucket';
      throw new Skip({
        missing: 'more than a minute of observation',
        reason: 'within a minute, a fixed window and a sliding one look the same',
      });
    },
  }),
];

/** Probes for the gaps about the limit. The probe that exceeds it is last: the target then refuses all requests. */
export const rateLimitProbes: readonly Probe[] = [
  {
    ...passiveProbe({
      gap: 'rate.reset-unit',
      evidenceFields: evidenceHeaders,
      findChoice: async (context) => {
        const [text] = (await responsesWithLimit(context)).map((exchange) => headerValue(exchange, 'Reset')).slice(-1);
        if (text === undefined || text === '')
          throw new Skip({ missing: 'X-RateLimit-Reset', reason: 'no response has it' });
        const number = Number(text);
        // Seconds since 1970 have ten digits until the year 2286.
        if (number > 1e9 && number < 1e11) return 'epoch-seconds';
        if (number < 1e6) return 'seconds-left';
        return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)) ? 'iso' : new NoMatchingChoice(text);
      },
    }),
    readsEarlierResponses: true,
  },
  {
    ...passiveProbe({
      gap: 'rate.burst',
      evidenceFields: evidenceHeaders,
      findChoice: async (context) => {
        const limits = new Set(
          (await responsesWithLimit(context)).map((exchange) => Number.parseInt(headerValue(exchange, 'Limit'), 10)),
        );
        // If the limit is 100 only after a calm minute, more than 60 requests within a minute lower it to 60.
        if (limits.has(100))
          throw new Skip({
            missing: 'more than 60 requests within a minute',
            reason: 'the limit is 100, either always or after a time without requests',
          });
        return [...limits].every((limit) => limit === 60)
          ? 'never'
          : new NoMatchingChoice(`a limit of ${[...limits].join(', ')}`);
      },
    }),
    readsEarlierResponses: true,
  },
  activeProbe({
    gap: 'rate.unauthenticated',
    evidenceFields: evidenceHeaders,
    findChoice: async (context) => {
      // The setup has sent a request with an unknown token. Only its call is used: `sendRefused` replaces the token.
      const { call } = await context.use(operationWithRequests('listInvoices').requestWithToken.unknown);
      const sendRefused = async (token: TokenKind): Promise<Exchange> => {
        const exchange = await context.send({ ...call, token });
        if (isAccepted(exchange)) throw new Blocked('a request without a valid token is not refused', exchange);
        return exchange;
      };
      const counting = await observeCounting(
        () => sendRefused('unknown'),
        () => sendRefused('none'),
      );
      if (counting === 'separate')
        return new NoMatchingChoice(
          'requests with an unknown token and those without a token count towards separate windows',
        );
      return counting === 'shared' ? 'by-address' : 'uncounted';
    },
  }),
  activeProbe({
    gap: 'rate.exceeded',
    evidenceFields: evidenceHeaders,
    findChoice: async (context) => {
      const refused = await context.use(responseBeyondLimit);
      const { status, json } = refused;
      // The choices `429` and `403` have the same text and header, and differ only in the status.
      const hasTextAndRetryAfter = valueAt(json, 'error') === 'Too Many Attempts.' && 'retry-after' in refused.headers;
      if (hasTextAndRetryAfter && status === 429) return '429';
      return hasTextAndRetryAfter && status === 403 ? '403' : noMatchingChoiceFor(refused);
    },
  }),
];
