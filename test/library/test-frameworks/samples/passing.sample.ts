// ../vitest.test.ts runs these tests; all of them must pass.
import { test } from 'billing-sim/vitest';
import { describe, expect } from 'vitest';

const isListening = (): boolean => process.getActiveResourcesInfo().includes('TCPServerWrap');

let firstAccount: { readonly url: string; readonly authorization: string };

test('a test that uses no account starts no simulator', () => {
  expect(isListening()).toBe(false);
});

test('the first account starts a simulator', async ({ billing }) => {
  expect(isListening()).toBe(true);
  firstAccount = { url: billing.url, authorization: `Bearer ${billing.tokens.full}` };
  const response = await fetch(`${billing.baseUrl}/deposits`, {
    headers: { authorization: firstAccount.authorization },
  });
  expect(response.status).toBe(200);
});

test('the next test has another account of the same simulator, and the first is removed', async ({ billing }) => {
  expect(billing.url).toBe(firstAccount.url);
  const response = await fetch(`${billing.baseUrl}/deposits`, {
    headers: { authorization: firstAccount.authorization },
  });
  expect(response.status).toBe(401);
});

test('a test may remove its account', async ({ billing }) => {
  await billing.remove();
});

describe('options', () => {
  test.override({
    billingOptions: {
      now: '2026-03-01T09:00:00Z',
      randomSeed: 'a',
      webhookUrl: 'http://127.0.0.1:9/',
      webhookSecret: 'secret',
    },
  });

  test('apply to the tests of the group', async ({ billing }) => {
    expect(await billing.clock.show()).toEqual({ now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
    expect(billing.webhookSecret).toBe('secret');
  });

  describe('of an inner group', () => {
    test.override({ billingOptions: { seed: 'demo' } });

    test('replace those of the outer group', async ({ billing }) => {
      expect(await billing.clock.show()).toMatchObject({ mode: 'real' });
      const { invoices } = billing;
      expect(await invoices.cancel(2)).toMatchObject({ status: 'cancelled' });
    });
  });
});
