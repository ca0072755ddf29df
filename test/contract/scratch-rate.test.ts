import { test } from 'vitest';
import { limitClauses } from '../../src/contract/clauses/limits.js';
import type { FaultId } from '../second/faults/index.js';
import { check, complaints, openSecond } from './support.js';

test('rate', async () => {
  for (const fault of [
    undefined,
    'rate-missing-on-429',
    'rate-halved',
    'rate-refused-early',
    'rate-not-enforced',
    'rate-never-resets',
    'rate-excess-success',
    'rate-excess-empty',
  ] satisfies (FaultId | undefined)[]) {
    const start = Date.now();
    const outcome = await check(
      await openSecond({ fault, limit: 60, windowSeconds: fault === 'rate-halved' ? 60 : 2 }),
      limitClauses.filter((c) => fault !== 'rate-halved' || c.id !== 'RATE-EXCESS-05'),
      { patience: 300, includeRateLimit: true },
    );
    console.log(
      fault,
      Date.now() - start,
      outcome.requests,
      complaints(outcome, 'failed', 'warned', 'broken', 'skipped').join('\n'),
    );
  }
}, 900000);
