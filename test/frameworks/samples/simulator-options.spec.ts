// ../main.mjs runs this test with Playwright; it must pass.
import { expect } from '@playwright/test';
import { test } from 'billing-sim/playwright';

test.use({ simulatorOptions: { now: '2026-05-01T00:00:00Z' } });

test('simulatorOptions apply to the accounts of all tests in the file', async ({ billing }) => {
  expect(await billing.clock.show()).toMatchObject({ now: '2026-05-01T00:00:00.000Z' });
});
