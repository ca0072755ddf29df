import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Driver } from '../../src/contract/drivers/driver.js';
import { onData } from '../../src/contract/mutation/interceptors.js';
import { startMutatingProxy } from '../../src/contract/mutation/mutating-proxy.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { depositLifecycleClauses } from '../../src/contract/sections/deposit-lifecycle/clauses.js';
import { checkClauses, closeSimulator, describeResults, openAccount } from './support.js';

/** Targets whose authorization links expire before the suite or its driver uses them. */

afterAll(closeSimulator);

const clausesWithId = (pattern: RegExp) => clauses.filter(({ id }) => pattern.test(id));

describe('no clause about deposits fails if links expire immediately, and those that need a guest are skipped', () => {
  // The drivers wait until the link has expired: a fast machine could authorize a deposit within a millisecond.
  const onlyWait = () => sleep(10);
  const actLate = ({ authorizeDeposit, declineDeposit }: Driver): Driver => ({
    async authorizeDeposit(deposit) {
      await sleep(10);
      await authorizeDeposit?.(deposit);
    },
    async declineDeposit(deposit) {
      await sleep(10);
      await declineDeposit?.(deposit);
    },
  });
  const drivers: readonly (readonly [name: string, withActions: (driver: Driver) => Driver])[] = [
    ['a driver that acts when the link has expired, and so fails', actLate],
    ['a driver that does nothing', () => ({ authorizeDeposit: onlyWait, declineDeposit: onlyWait })],
  ];

  test.each(drivers)('%s', async (_name, withActions) => {
    const { driver, ...target } = await openAccount({ 'deposit.link-expiry': { after: '1ms' } });
    const outcome = await checkClauses(
      { ...target, driver: { ...driver, ...withActions(driver) } },
      clausesWithId(/^(DEP|HOOK|AUTH-(ADMITS|UNCHANGED))/),
      { eventuallyTimeoutMs: 500 },
    );
    expect(describeResults(outcome, 'failed', 'broken', 'warned')).toEqual([]);
    expect(outcome.resultOf('DEP-CAPTURE-01')).toMatchObject({
      status: 'skipped',
      missing: 'a longer-lived authorization link',
    });
  });
});

describe('a driver that fails although the deposit has not expired is reported as broken', () => {
  test.each(['authorizeDeposit', 'declineDeposit'] as const)('%s', async (method) => {
    const { driver, ...target } = await openAccount();
    const failingDriver: Driver = { ...driver, [method]: () => Promise.reject(new Error('no such button')) };
    const outcome = await checkClauses({ ...target, driver: failingDriver }, depositLifecycleClauses, {
      eventuallyTimeoutMs: 500,
    });
    expect(describeResults(outcome, 'broken')).toContainEqual(
      expect.stringContaining(`the driver's ${method}() failed: no such button`),
    );
  });
});

test('DEP-FILTER-10 passes if a deposit expires after the suite has read its status', async () => {
  const target = await openAccount({ 'deposit.link-expiry': { after: '1ms' } });
  let reads = 0;
  const staleStatus = onData('GET', /^\/deposits\/[^/]+$/, (deposit) => {
    reads += 1;
    if (reads === 1) deposit['status'] = 'pending';
  });
  const proxy = await startMutatingProxy(target, staleStatus);
  const outcome = await checkClauses(proxy, clausesWithId(/^DEP-FILTER-10$/));
  expect(outcome.resultOf('DEP-FILTER-10')).toMatchObject({ status: 'passed' });
  expect(reads).toBeGreaterThan(1);
});
