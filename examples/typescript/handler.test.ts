import type { NewDeposit, WebhookPayload } from 'billing-sim';
import { test } from 'billing-sim/vitest';
import { expect } from 'vitest';

/** The handler under test. */
function describeEvent(payload: WebhookPayload): string {
  if (payload.event === 'payment.succeeded') return `${payload.data.customer.name} paid ${payload.data.amount}`;
  return `${payload.data.booking_reference} is ${payload.data.status}`;
}

test('the handler describes what happened to a deposit', async ({ billing }) => {
  const { baseUrl, tokens, webhooks } = billing;
  const headers = { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' };
  const deposit: NewDeposit = { booking_reference: 'BK-1', amount: 300 };
  await fetch(`${baseUrl}/deposits`, { method: 'POST', headers, body: JSON.stringify(deposit) });

  const { body } = await webhooks.next('deposit.created');
  expect(describeEvent(JSON.parse(body))).toBe('BK-1 is pending');
});
