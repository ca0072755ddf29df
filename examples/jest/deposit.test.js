import { startSimulator } from 'billing-sim';

let simulator;
let billing;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  billing = await simulator.createAccount();
});
afterEach(() => billing.remove());

test('a deposit that nobody captures expires after a week', async () => {
  const { baseUrl, tokens, deposits, clock, webhooks } = billing;
  const headers = { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ booking_reference: 'BK-1', amount: 300 });
  const response = await fetch(`${baseUrl}/deposits`, { method: 'POST', headers, body });
  const { data } = await response.json();

  await deposits.authorize(data.id);
  await clock.advance('8d');

  const { payload } = await webhooks.next('deposit.expired');
  expect(payload).toMatchObject({ data: { booking_reference: 'BK-1', status: 'expired' } });
});
