import { expect } from '@playwright/test';
import type { SimulatorAccount } from 'billing-sim';
import { test } from 'billing-sim/playwright';

let first: SimulatorAccount;

test('the first account starts a simulator', async ({ billing }) => {
  first = billing;
  expect(await billing.clock.show()).toMatchObject({ mode: 'real' });
});

test('the next test has another account of the same simulator, and the first is gone', async ({ billing }) => {
  expect(billing.url).toBe(first.url);
  await expect(first.agenda()).rejects.toThrow('has been removed');
});

test.describe('options', () => {
  test.use({ billingOptions: { now: '2026-03-01T09:00:00Z', webhookSecret: 's' } });

  test('apply to the tests of the group', async ({ billing }) => {
    expect(await billing.clock.show()).toEqual({ now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
    expect(billing.webhookSecret).toBe('s');
  });
});
