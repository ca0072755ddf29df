// ../main.mjs runs these tests with Playwright; all of them must pass.
import { expect } from '@playwright/test';
import type { SimulatorAccount } from 'billing-sim';
import { test } from 'billing-sim/playwright';

let firstAccount: SimulatorAccount;

test('the first test gets an account whose clock runs in real time', async ({ billing }) => {
  firstAccount = billing;
  expect(await billing.clock.show()).toMatchObject({ mode: 'real' });
});

test('the next test gets another account of the same simulator, and the first account has been removed', async ({
  billing,
}) => {
  expect(billing.url).toBe(firstAccount.url);
  await expect(firstAccount.agenda()).rejects.toThrow('has been removed');
});

test.describe('options', () => {
  test.use({ billingOptions: { now: '2026-03-01T09:00:00Z', webhookSecret: 's' } });

  test('apply to the tests of the group', async ({ billing }) => {
    expect(await billing.clock.show()).toEqual({ now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
    expect(billing.webhookSecret).toBe('s');
  });
});
