import { describe, expect, test } from 'vitest';
import { onResponse } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { rateLimitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import type { Options } from '../second-implementation/options.js';
import { variants } from '../second-implementation/variants.js';
import { sample } from '../support/sample.js';
import { checkClauses, describeResults, type Outcome, openSecondImplementation } from './support.js';

/** Conforming services with short windows, so that the tests need not wait a minute for a reset. */

const excessClauses = rateLimitClauses.filter(({ id }) => id.startsWith('RATE-EXCESS'));

/** The variants, with those that limit by token bucket first, since their tests take longest. */
const slowestFirst = Object.entries(variants).sort(
  ([, { rateWindow: a }], [, { rateWindow: b }]) => Number(b === 'bucket') - Number(a === 'bucket'),
);

describe.concurrent('with --include rate-limit, a service that enforces its limit passes the clauses', () => {
  test.each(sample(slowestFirst, { oneIn: 6 }))('as the variant %s', async (_name, options) => {
    // A bucket must refill more slowly than the suite drains it, and a window must outlast the bursts of requests. On a
    // busy machine the shortest window may be too short for that, so a failed check is repeated with longer ones.
    const [shortestSeconds = 6, ...longerSeconds] = options.rateWindow === 'bucket' ? [20, 60] : [6, 20, 60];
    let outcome = await checkWithWindow(options, shortestSeconds);
    for (const windowSeconds of longerSeconds) {
      if (failuresOf(outcome).length === 0) break;
      outcome = await checkWithWindow(options, windowSeconds);
    }
    expect(failuresOf(outcome)).toEqual([]);
    // The requests may span two windows, each with a burst of 100. Some more are refused, since they are sent in
    // batches.
    expect(outcome.requests).toBeLessThanOrEqual(260);
  });
});

test.each([302, 403])(
  'a service that refuses requests beyond its limit with status %i, without Retry-After, is checked after the reset, too',
  async (status) => {
    const changedError = onResponse(
      (_request, response) => response.status === 429,
      (response) => {
        response.status = status;
        delete response.headers['retry-after'];
      },
    );
    const implementation = await openSecondImplementation({ limit: 5, windowSeconds: 2, burstsAllowed: 'never' });
    const proxy = await startMutatingProxy(implementation, changedError);
    const outcome = await checkClauses(proxy, excessClauses, { includeRateLimit: true });
    expect(outcome.idsWithStatus('passed')).toContain('RATE-EXCESS-05');
  },
);

async function checkWithWindow(options: Options, windowSeconds: number): Promise<Outcome> {
  const implementation = await openSecondImplementation({ ...options, limit: 60, windowSeconds });
  return checkClauses(implementation, excessClauses, { includeRateLimit: true });
}

function failuresOf(outcome: Outcome): string[] {
  return describeResults(outcome, 'failed', 'warned', 'broken', 'skipped');
}
