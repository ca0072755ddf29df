import { describe, expect, test } from 'vitest';
import { limitClauses } from '../../src/contract/sections/rate-limits/clauses.js';
import { variants } from '../second/variants.js';
import { check, complaints, openSecond } from './support.js';

/** Clauses that exceed the limit on purpose, run against conforming services with short windows. */

const excess = limitClauses.filter(({ id }) => id.startsWith('RATE-EXCESS'));

describe.concurrent('with --include rate-limit, a service that enforces its limit passes', () => {
  test.each(Object.entries(variants))('%s', async (_name, options) => {
    // The refill of a bucket while it is drained must be small; a window must outlast the bursts on a busy machine.
    const windowSeconds = options.rateWindow === 'bucket' ? 20 : 6;
    const subject = await openSecond({ ...options, limit: 60, windowSeconds });
    const outcome = await check(subject, excess, { includeRateLimit: true });
    expect(complaints(outcome, 'failed', 'warned', 'broken', 'skipped')).toEqual([]);
    // No more than it takes: bursts of 100, in volleys, and one request after the reset.
    expect(outcome.requests).toBeLessThanOrEqual(260);
  });
});
