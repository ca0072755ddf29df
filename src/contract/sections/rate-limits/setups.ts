import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../../../lib/durations.js';
import { Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess } from '../../engine/expect.js';
import { isRateLimited, millisecondsUntilReset } from '../../engine/pace.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { possibleClockSkewsMs } from '../clock.js';

/** Specification, Limits: at most this many requests are accepted in a minute. */
export const burstPerMinute = 100;

/** Number of requests that are sent concurrently. */
const batchSize = 10;

/** Longest time to try to exceed the limit; a target may respond too slowly for that. */
const maxAttemptMs = 3 * minuteMs;

/** Longest time to wait for a window to reset. */
const maxResetWaitMs = 2 * minuteMs;

/** Outcome of sending requests until one was refused, or until more were accepted than the limit allows. */
export interface RequestsBeyondLimit {
  /** Number of accepted requests. */
  readonly acceptedCount: number;
  /** The last request, as evidence if none was refused. */
  readonly last: Exchange;
  readonly refused?: Exchange | undefined;
}

/**
 * Sends requests until one is refused, or until more were accepted than the limit allows.
 * @throws Skip if the suite may not exceed the limit, or the target is too slow for that
 */
export const requestsBeyondLimit = setup('requests beyond the limit', async (context): Promise<RequestsBeyondLimit> => {
  if (!context.session.options.includeRateLimit) {
    throw new Skip({ missing: '--include rate-limit', reason: 'the limit is exceeded only on request' });
  }
  // Creates a link, unless one was created before: later, the request would be refused.
  await context.use(possibleClockSkewsMs);
  await context.session.options.beforeExceedingRateLimit?.();
  const startedAt = performance.now();
  for (let acceptedCount = 0; ; ) {
    const responses = await Promise.all(Array.from({ length: batchSize }, () => sendUnpaced(context)));
    acceptedCount += responses.filter(isSuccess).length;
    const refused = responses.find((response) => !isSuccess(response));
    const last = responses.at(-1);
    if (!last) throw new Error('no request was sent');
    const elapsedMs = performance.now() - startedAt;
    // The requests may span several windows, each of which allows a burst.
    const maxAcceptedCount = burstPerMinute * (Math.floor(elapsedMs / minuteMs) + 2);
    if (refused || acceptedCount > maxAcceptedCount) {
      context.recordEvidence(refused ?? last);
      return { acceptedCount, last, refused };
    }
    if (elapsedMs > maxAttemptMs)
      throw new Skip({ missing: 'a faster target', reason: 'it responds too slowly for the limit to be exceeded' });
  }
});

/** The response to a request beyond the limit. @throws Skip if none was refused */
export const responseBeyondLimit = setup('the response to a request beyond the limit', async (context) => {
  const { refused } = await context.use(requestsBeyondLimit);
  if (!refused) throw new Skip({ missing: 'a refused request', reason: 'there was none' });
  return refused;
});

/** The response to a request that is sent after the used-up window has reset. */
export const responseAfterReset = setup(
  'a request after the reset of the window',
  async (context): Promise<Exchange> => {
    const { refused } = await context.use(requestsBeyondLimit);
    if (!refused) throw new Skip({ missing: 'a refused request', reason: 'there was none, so no window is used up' });
    const response = await sendAfterReset(context, refused);
    // Other clients may use up the next window; hence a second attempt.
    return isRateLimited(response) ? sendAfterReset(context, response) : response;
  },
);

/** Sends a request after the reset that a response announces. @throws Skip if it announces none within two minutes */
async function sendAfterReset(context: ClauseContext, { headers }: Exchange): Promise<Exchange> {
  const skewsMs = await context.use(possibleClockSkewsMs);
  const waitsMs = skewsMs
    .map((skewMs) => millisecondsUntilReset(headers, skewMs))
    .filter((waitMs) => waitMs <= maxResetWaitMs);
  if (waitsMs.length === 0) {
    throw new Skip({
      missing: 'a reset within two minutes',
      reason: `\`X-RateLimit-Reset\` is ${headers['x-ratelimit-reset']}`,
    });
  }
  // If the reset time is in the past, there is nothing to wait for.
  await announceAndSleep(context, Math.max(0, ...waitsMs) + 1_000);
  const response = await sendUnpaced(context);
  context.recordEvidence(response);
  return response;
}

async function announceAndSleep(context: ClauseContext, milliseconds: number): Promise<void> {
  const { onWait } = context.session.target.options;
  onWait?.(milliseconds);
  await sleep(milliseconds);
  onWait?.(0);
}

/** Sends a cheap request without waiting for the rate limit. There are too many of them to record all as evidence. */
function sendUnpaced(context: ClauseContext): Promise<Exchange> {
  return context.session.target.send({ method: 'GET', path: '/invoices/stats', isUnpaced: true });
}
