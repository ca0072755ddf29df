import { startSimulator } from 'billing-sim';
import { expect, onTestFinished, test } from 'vitest';

test('a deposit that nobody captures expires after a week', async () => {
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
  onTestFinished(() => simulator.close());
  const { tokens, deposits, clock, webhooks } = await simulator.createAccount();
  const headers = { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  const response = await fetch(`${simulator.baseUrl}/deposits`, { method: 'POST', headers, body });
  const { data } = JSON.parse(await response.text());

  await deposits.authorize(data.id);
  await clock.advance('8d');

  const { payload } = await webhooks.next('deposit.expired');
  expect(payload).toMatchObject({ data: { booking_reference: 'BK-1', status: 'expired' } });
});
