// ../vitest.test.ts runs this test; it must pass.
import { test } from 'billing-sim/vitest';
import { expect } from 'vitest';

test.override({ simulatorOptions: { now: '2026-05-01T00:00:00Z' } });

test('simulatorOptions apply to the accounts of all tests in the file', async ({ billing }) => {
  expect(await billing.clock.show()).toMatchObject({ now: '2026-05-01T00:00:00.000Z' });
});
