import { test } from 'billing-sim/vitest';
import { expect } from 'vitest';

test('a deposit that nobody captures expires after a week', async ({ billing }) => {
  const { baseUrl, tokens, deposits, clock, webhooks } = billing;
  const headers = { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  // In your tests, your own client makes this request: it needs `baseUrl` and a token.
  const response = await fetch(`${baseUrl}/deposits`, { method: 'POST', headers, body });
  const { data } = JSON.parse(await response.text());

  await deposits.authorize(data.id);
  await clock.advance('8d');

  const { payload } = await webhooks.next('deposit.expired');
  expect(payload).toMatchObject({ data: { booking_reference: 'BK-1', status: 'expired' } });
});
