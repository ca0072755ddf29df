import { describe, expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import { onResponse } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { rateLimitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import type { Options } from '../second-implementation/options.js';
import { variants } from '../second-implementation/variants.js';
import { sampleUnlessFull } from '../support/sample.js';
import { checkClauses, describeResults, type Outcome, openSecondImplementation } from './support.js';

/** Conforming services with short windows, so that the tests need not wait a minute for a reset. */

const excessClauses = rateLimitClauses.filter(({ id }) => id.startsWith('RATE-EXCESS'));

/** The variants, with those that limit by token bucket first, since their tests take longest. */
const slowestFirst = Object.entries(variants).sort(
  ([, { rateWindow: a }], [, { rateWindow: b }]) => Number(b === 'bucket') - Number(a === 'bucket'),
);

describe.concurrent('with --include rate-limit, a service that enforces its limit passes the clauses', () => {
  test.each(sampleUnlessFull(slowestFirst, { oneIn: 6 }))('as the variant %s', async (_name, options) => {
    const outcome = await checkWithWindows(
      options,
      excessClauses,
      options.rateWindow === 'bucket' ? [10, 20, 60] : [6, 20, 60],
    );
    expect(failuresOf(outcome)).toEqual([]);
    // The requests may span two windows, each with a burst of 100. Some more are refused, since they are sent in
    // batches.
    expect(outcome.requests).toBeLessThanOrEqual(260);
  });
});

test.concurrent('all clauses about the rate limit hold for a service that enforces its limit', async () => {
  expect(failuresOf(await checkWithWindows({}, rateLimitClauses, [6, 20, 60]))).toEqual([]);
});

test.concurrent.each([302, 403])(
  'a service that refuses requests beyond its limit with %i, without Retry-After, is still checked after the reset',
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

test('a server error does not count as the refusal of a request beyond the limit', async () => {
  let requestCount = 0;
  const failOnce = onResponse(
    ({ path }) => path === '/invoices/stats',
    (response) => {
      requestCount += 1;
      if (requestCount === 5) response.status = 500;
    },
  );
  const checked = rateLimitClauses.filter(({ id }) => id === 'RATE-EXCESS-01');
  const outcome = await checkClauses(await startMutatingProxy(await openSecondImplementation(), failOnce), checked, {
    includeRateLimit: true,
  });
  expect(describeResults(outcome, 'passed', 'failed', 'skipped')).toEqual([
    'RATE-EXCESS-01 failed: expected a refusal (4xx or 503), got status 500',
  ]);
});

test.each([
  ['limit', '0', 'X-RateLimit-Limit to be a positive number of requests, got 0'],
  ['remaining', '-1', 'X-RateLimit-Remaining to be a number of requests, got -1'],
  ['reset', '2', 'X-RateLimit-Reset to be seconds since 1970, got 2, which is seconds left'],
])('a refused request whose X-RateLimit-* header `%s` is %s is a violation', async (header, value, expected) => {
  const changedHeader = onResponse(
    (_request, response) => response.status === 429,
    ({ headers }) => Object.assign(headers, { [`x-ratelimit-${header}`]: value }),
  );
  const implementation = await openSecondImplementation({ limit: 5, windowSeconds: 60, burstsAllowed: 'never' });
  const checked = rateLimitClauses.filter(({ id }) => ['RATE-FORM-05', 'RATE-EXCESS-03'].includes(id));
  const outcome = await checkClauses(await startMutatingProxy(implementation, changedHeader), checked, {
    includeRateLimit: true,
  });
  expect(describeResults(outcome, 'passed', 'failed')).toEqual([
    'RATE-FORM-05 passed: ',
    `RATE-EXCESS-03 failed: expected ${expected}`,
  ]);
});

/**
 * Checks clauses on a service whose window has the first of the given lengths, in seconds. A bucket must refill more
 * slowly than the suite drains it, and a window must outlast the bursts of requests. On a busy machine the first window
 * may be too short for that, so a failed check is repeated with the next length.
 */
async function checkWithWindows(
  options: Options,
  clauses: readonly Clause[],
  [windowSeconds = 60, ...longerWindows]: readonly number[],
): Promise<Outcome> {
  const implementation = await openSecondImplementation({ ...options, limit: 60, windowSeconds });
  const outcome = await checkClauses(implementation, clauses, { includeRateLimit: true });
  if (failuresOf(outcome).length === 0 || longerWindows.length === 0) return outcome;
  return checkWithWindows(options, clauses, longerWindows);
}

/** Describes the results of clauses that do not hold. Of the skipped clauses, only those that exceed the limit count. */
function failuresOf(outcome: Outcome): string[] {
  const skipped = describeResults(outcome, 'skipped').filter((line) => line.startsWith('RATE-EXCESS'));
  return [...describeResults(outcome, 'failed', 'warned', 'broken'), ...skipped];
}
