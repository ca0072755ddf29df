import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess } from '../../engine/expect.js';
import { millisecondsUntilReset } from '../../engine/pace.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isRateLimited } from '../../engine/target.js';
import { Skip } from '../../engine/verdict.js';

/** Specification, Limits: at most this many requests pass in a minute. */
const burstPerMinute = 100;

const minuteMs = 60_000;

/** Requests sent at a time. */
const batchSize = 10;

/** Time in which the limit must be exceeded; a target may respond too slowly for that. */
const maxExcessMs = 3 * minuteMs;

/** Longest wait for a window to reset. */
const maxResetWaitMs = 2 * minuteMs;

/** Outcome of sending requests until one was refused, or until more had passed than allowed. */
export interface Excess {
  readonly passed: number;
  /** The last request, as evidence if none was refused. */
  readonly last: Exchange;
  readonly refused?: Exchange | undefined;
}

/** @throws Skip unless the suite may exceed the limit */
export const excess = setup('requests beyond the limit', async (context): Promise<Excess> => {
  if (!context.session.options.includeRateLimit) {
    throw new Skip('--include rate-limit', 'the limit is exceeded only on request');
  }
  await context.session.options.beforeExcess?.();
  const startedAt = performance.now();
  for (let passed = 0; ; ) {
    const responses = await Promise.all(Array.from({ length: batchSize }, () => sendUnpaced(context)));
    passed += responses.filter(isSuccess).length;
    const refused = responses.find((response) => !isSuccess(response));
    const last = responses.at(-1);
    if (!last) throw new Error('a batch has responses');
    const elapsedMs = performance.now() - startedAt;
    // The requests may span several windows, each with a burst of its own.
    const maxPassed = burstPerMinute * (Math.floor(elapsedMs / minuteMs) + 2);
    if (refused || passed > maxPassed) {
      context.recordEvidence(refused ?? last);
      return { passed, last, refused };
    }
    if (elapsedMs > maxExcessMs)
      throw new Skip('a faster target', 'it responds too slowly for the limit to be exceeded');
  }
});

/** A request after the used-up window has reset. */
export const afterReset = setup('a request after the reset of the window', async (context): Promise<Exchange> => {
  const { refused } = await context.use(excess);
  if (!refused) throw new Skip('a refused request', 'there was none, so no window is used up');
  let answer = refused;
  // Other clients may use up the next window, too.
  for (let attempt = 1; attempt <= 2 && isRateLimited(answer); attempt++) {
    // No wait for a reset time in the past.
    const wait = Math.max(0, millisecondsUntilReset(answer.headers));
    if (!(wait <= maxResetWaitMs)) {
      throw new Skip('a reset within two minutes', `\`X-RateLimit-Reset\` is ${answer.headers['x-ratelimit-reset']}`);
    }
    await waitFor(context, wait + 1_000);
    answer = await sendUnpaced(context);
    context.recordEvidence(answer);
  }
  return answer;
});

async function waitFor(context: ClauseContext, milliseconds: number): Promise<void> {
  const { onWait } = context.session.target.options;
  onWait?.(milliseconds);
  await sleep(milliseconds);
  onWait?.(0);
}

/** Sends cheap requests without recording them as evidence: there are too many. */
function sendUnpaced(context: ClauseContext): Promise<Exchange> {
  return context.session.target.send({ method: 'GET', path: '/invoices/stats', isUnpaced: true });
}
