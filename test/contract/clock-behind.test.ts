import { expect, onTestFinished, test } from 'vitest';
import { driverOf } from '../../src/commands/contract/proof-subjects.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { startSimulator } from '../../src/index.js';
import { check, problemsWith } from './support.js';

test('a target whose clock is years behind that of the suite violates no clause', async () => {
  const { baseUrl, createAccount, close } = await startSimulator({ rateLimit: false, log: () => undefined });
  onTestFinished(close);
  const account = await createAccount({ seed: 'empty', now: '2024-03-01T09:00:00Z' });
  const outcome = await check({ baseUrl, tokens: account.tokens, driver: driverOf(account) }, clauses, {
    eventuallyTimeoutMs: 2_000,
  });
  expect(problemsWith(outcome, 'failed', 'warned', 'broken')).toEqual([]);
  expect(outcome.resultOf('INV-OVERDUE-40')).toMatchObject({
    status: 'skipped',
    missing: 'a clock like that of this machine',
  });
});
