// ../vitest.test.ts runs these tests, and checks what the failing ones print.
import { test } from 'billing-sim/vitest';
import { expect } from 'vitest';

test.override({
  billingOptions: { now: '2026-03-01T09:00:00Z' },
  traceFolder: process.env['SAMPLE_TRACES'] ?? false,
});

test('fails', async ({ billing }) => {
  const { baseUrl, tokens, faults, trigger } = billing;
  const headers = { Authorization: `Bearer ${tokens.read}`, 'Content-Type': 'application/json' };
  await faults.add({ effect: 'latency=1ms', match: { operation: 'listInvoices' } });
  await fetch(`${baseUrl}/deposits`, { headers });
  await fetch(`${baseUrl}/deposits/9`, { headers });
  await fetch(`${baseUrl}/deposits`, { method: 'POST', headers, body: '{"amount":1}' });
  await fetch(`${baseUrl}/invoices`, { headers });
  await trigger('deposit.created');
  // Fails: only one webhook was created.
  expect(await billing.webhooks.all()).toHaveLength(2);
});

test('fails after it has removed its account', async ({ billing }) => {
  await billing.remove();
  throw new Error('failed');
});

test('passes', async ({ billing }) => {
  await fetch(`${billing.baseUrl}/payments`);
});

test.fails('is expected to fail', async ({ billing }) => {
  await fetch(`${billing.baseUrl}/payment-links`);
  throw new Error('expected');
});
