import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billing } from 'billing-sim/node-test';

test('a deposit that nobody captures expires after a week', async (t) => {
  const { baseUrl, tokens, deposits, clock, webhooks } = await billing(t, { now: '2026-03-01T09:00:00Z' });
  const headers = { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  const response = await fetch(`${baseUrl}/deposits`, { method: 'POST', headers, body });
  const { data } = await response.json();

  await deposits.authorize(data.id);
  await clock.advance('8d');

  const { payload } = await webhooks.next('deposit.expired');
  assert.equal(payload.data.status, 'expired');
});
