import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../mail/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { dashboardOf, openDashboard } from './dashboard-forms.js';

/** Whatever a client, a receiver or a person sets stays text on the pages of the tools. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** What none of these pages has, once the values of attributes are left out. */
const dangers =
  /<(?:svg|img|base|meta http-equiv|iframe srcdoc|[a-z][^>]* on[a-z]+=)|<script(?! src="" defer><\/script>)/i;

const bare = (html: string): string => html.replace(/"[^"]*"/g, '""');

test.each(hostileTexts)('%s', async (hostile) => {
  const { account, client, dashboard } = await openDashboard(sim);
  const receiver = await openReceiver((_request, response) => void response.writeHead(500).end(hostile));
  await account.webhooks.configure({ url: `${receiver.url}/${encodeURIComponent(hostile)}` });
  const customer = { name: hostile, email: 'guest@example.com' };
  const deposit = await client.POST('/deposits', { body: { booking_reference: hostile, amount: 5, customer } });
  await account.apiTokens.create({ name: hostile, scopes: ['billing.read'] });
  await account.faults.add({ effect: { name: 'status', status: 500, error: hostile }, match: { token: hostile } });
  const trigger = { event: 'deposit.created' as const, match: { booking_reference: hostile } };
  await account.scenarios.add({ name: 'mine', description: hostile, for: 'deposit', trigger, steps: [] });
  const buyer = await account.customers.create({ name: hostile, email: 'buyer@example.com' });
  const item = { description: hostile, quantity: 1, unit_price: 5, tax_rate: 0 };
  const body = { customer_id: buyer.id, date: '2026-03-01', due_date: '2026-04-01', items: [item] };
  const invoice = await client.POST('/invoices', { body });
  const id = invoice.data?.data.id ?? 0;
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: id } } });
  await client.GET('/deposits', { params: { query: { booking_reference: hostile } } });
  await account.clock.advance('1s');
  const [delivery] = await account.webhooks.all();
  const [request] = await account.requests();
  expect([deposit.response.status, invoice.response.status]).toEqual([201, 201]);

  const query = `?${new URLSearchParams({ q: hostile, status: hostile, effect: hostile })}`;
  const sections = ['clock', 'webhooks', 'mails', 'requests', 'faults', 'scenarios', 'snapshots', 'tokens', 'profile'];
  const records = ['mails/1', `webhooks/${delivery?.id}`, `requests/${request?.id}`];
  for (const page of [...sections, ...records, ...sections.map((section) => section + query), 'accounts']) {
    const html = await dashboard.open(page);
    expect(bare(html), page).not.toMatch(dangers);
    expect(html.match(/<h1/g), page).toHaveLength(1);
  }
  for (const page of ['tokens', 'faults', 'scenarios', 'mails/1', `webhooks/${delivery?.id}`]) {
    expect(await dashboard.read(page), page).toContain(hostile.replace(/\s+/g, ' '));
  }
  const refused = await dashboard.post('faults', 'addFault', { effect: hostile });
  expect(bare(refused.html)).not.toMatch(dangers);
  expect(refused.html).toContain('class="notice refused"');
});

test('an account that there is not has no page', async () => {
  const reply = await fetch(`${sim.url}/dashboard/${encodeURIComponent(hostileTexts[0] ?? '')}/clock`);
  expect(reply.status).toBe(404);
  expect(bare(await reply.text())).not.toMatch(dangers);
  await dashboardOf(sim.url).open('clock');
});
