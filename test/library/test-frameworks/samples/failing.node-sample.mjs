// ../node-test.test.ts runs these tests, and checks what the failing one prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billing } from 'billing-sim/node-test';

test('fails', async (t) => {
  const { baseUrl, tokens, trigger } = await billing(t, {
    now: '2026-03-01T09:00:00Z',
    traceFolder: process.env.SAMPLE_TRACES ?? false,
  });
  await fetch(`${baseUrl}/deposits/9`, { headers: { authorization: `Bearer ${tokens.full}` } });
  await trigger('deposit.created');
  assert.fail('failed');
});

test('passes', async (t) => {
  const { baseUrl } = await billing(t);
  await fetch(`${baseUrl}/payments`);
});
