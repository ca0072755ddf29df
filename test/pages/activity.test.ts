import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { maxActivities } from '../../src/simulation/activity/activity-log.js';
import { openReceiver } from '../webhooks/receiver.js';
import { openDashboard, visibleText } from './dashboard-forms.js';

/** The activity page lists chains: a request, action or due item, and everything that it caused. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens an account: a request has created deposit 8, and the receiver has failed once with 503. */
async function openWithDeposit() {
  const stage = await openDashboard(sim);
  const statuses = [503];
  const receiver = await openReceiver((_request, response) => void response.writeHead(statuses.shift() ?? 204).end());
  await stage.account.webhooks.configure({ url: receiver.url });
  await stage.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  await stage.account.clock.advance('1s');
  return stage;
}

/** The chains on a page, each as one line of text. */
function chainsOf(page: string): string[] {
  const [, list = ''] = /<ol class="chains">(.*)<\/ol>/s.exec(page) ?? [];
  return list
    .split('<ol class="chain">')
    .slice(1)
    .map((chain) => visibleText(chain.replace(/<\/ol>.*/s, '').replace(/<\/li><li[^>]*>/g, ' → ')));
}

test('a chain shows a request, the record that it created, the event and the planned retry', async () => {
  const { dashboard } = await openWithDeposit();
  const chains = chainsOf(await dashboard.open(''));
  expect(chains).toContain('POST /api/v1/deposits 201 → deposit 8 created → deposit.created 503 retry in 4 s');
});

interface Click {
  readonly page: string;
  readonly operation: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** How the text of the chain begins. */
  readonly chain: string;
}

test.each<Click>([
  {
    page: 'deposits/8',
    operation: 'authorizeDeposit',
    chain: 'Authorize deposit in the dashboard → deposit 8 pending → authorized',
  },
  {
    page: 'deposits/8',
    operation: 'declineDeposit',
    chain: 'Decline deposit in the dashboard → deposit 8 pending → failed',
  },
  {
    page: 'webhooks',
    operation: 'triggerEvent',
    fields: { event: 'deposit.created' },
    chain: 'Trigger event in the dashboard → deposit 9 created',
  },
  { page: 'snapshots', operation: 'resetAccount', chain: 'Reset account in the dashboard' },
])('$operation in the dashboard is shown with its consequences', async ({ page, operation, fields, chain }) => {
  const { dashboard } = await openWithDeposit();
  await dashboard.send(page, operation, fields, /\d+/.exec(page)?.[0]);
  const [latest] = chainsOf(await dashboard.open(''));
  expect(latest?.slice(0, chain.length)).toBe(chain);
});

test('an account without activity has a form for a first deposit', async () => {
  const { dashboard } = await openDashboard(sim);
  const { to } = await dashboard.send('', 'createDeposit', {
    booking_reference: 'BK-9',
    'amount:number': '300',
    currency: 'EUR',
  });
  expect(to).toMatch(/\/deposits\/8$/);
  expect(await dashboard.read('')).not.toContain('Start here');
});

test('the form for a first deposit stays after changes of settings and clock, and disappears after a request', async () => {
  const { account, client, dashboard } = await openDashboard(sim);
  await account.webhooks.configure({ url: 'http://127.0.0.1:9/' });
  await account.clock.advance('1m');
  expect(await dashboard.read('')).toContain('Start here: create a deposit');
  expect(await dashboard.read('?kind=action')).not.toContain('Start here');
  await client.GET('/deposits');
  expect(await dashboard.read('')).not.toContain('Start here');
});

test.each([
  ['record=deposit:8', 2],
  ['record=deposit:7', 0],
  ['kind=transition', 1],
  ['kind=none', 5],
  ['status=503', 1],
  ['status=404', 1],
  ['q=DEPOSIT.created', 1],
  ['q=DEPOSIT.created&status=404', 0],
  ['page=99', 5],
])('activity filtered by %s has %i chains', async (query, count) => {
  const { account, client, dashboard } = await openWithDeposit();
  await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
  await account.deposits.authorize(8);
  expect(chainsOf(await dashboard.open(`?${query}`))).toHaveLength(count);
});

test('the last page says that older activity is no longer kept', async () => {
  const { account, dashboard } = await openWithDeposit();
  expect(await dashboard.read('')).not.toContain('Older activity is no longer kept');
  for (let count = 0; count < maxActivities; count++) await account.faults.clear();
  const text = await dashboard.read('?page=99999');
  expect(text).toContain('Older activity is no longer kept.');
});

describe('the page of a record', () => {
  test('has the chains that concern the record, and a link to them', async () => {
    const { account, dashboard } = await openWithDeposit();
    await account.deposits.authorize(8);
    const html = await dashboard.open('deposits/8');
    expect(chainsOf(html)).toEqual([
      expect.stringMatching(
        /^Authorize deposit through the library → deposit 8 pending → authorized → deposit\.authorized/,
      ),
      expect.stringMatching(/^POST \/api\/v1\/deposits 201 → deposit 8 created/),
    ]);
    expect(html).toContain(`href="/dashboard/${account.id}?record=deposit%3A8"`);
  });

  test('has refused requests to change the record, but no requests that only read it', async () => {
    const { client, dashboard } = await openWithDeposit();
    const path = { id: 8 };
    await client.GET('/deposits/{id}', { params: { path } });
    await client.POST('/deposits/{id}/capture', { params: { path }, body: { amount: 1 } });
    const [latest, ...others] = chainsOf(await dashboard.open('deposits/8'));
    expect(latest).toMatch(/^POST \/api\/v1\/deposits\/8\/capture 4\d\d/);
    expect(others).toHaveLength(1);
  });

  test.each(['invoices', 'mails'])('of %s has the request that sent the reminder', async (section) => {
    const { account, client, dashboard } = await openDashboard(sim);
    await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
    const id = section === 'invoices' ? 3 : (await account.mails.all()).at(-1)?.id;
    expect(chainsOf(await dashboard.open(`${section}/${id}`))).toEqual([
      expect.stringMatching(/^POST \/api\/v1\/invoices\/3\/reminder 200 → .*mail .* to /),
    ]);
  });

  test('of a delivery, customer, payment link, payment or run has the chain that created it', async () => {
    const { account, client, dashboard } = await openWithDeposit();
    const customer = await account.customers.create({ name: 'Ada', email: 'ada@example.com' });
    const link = await client.POST('/payment-links', { body: { description: 'Late checkout', amount: 5 } });
    const payment = await account.paymentLinks.pay(link.data?.data.id ?? 0);
    const run = await account.scenarios.run('no-show', 8);
    const delivery = (await account.webhooks.all()).find(({ event }) => event === 'deposit.created');
    for (const [page, expected] of [
      [`customers/${customer.id}`, 'Create customer through the library'],
      [`payment-links/${link.data?.data.id}`, 'POST /api/v1/payment-links 201'],
      [`payments/${payment.id}`, 'Pay payment link through the library'],
      [`scenarios/runs/${run.id}`, 'Run scenario through the library'],
      [`webhooks/${delivery?.id}`, 'POST /api/v1/deposits 201'],
    ] as const) {
      const chains = chainsOf(await dashboard.open(page));
      expect(chains.at(-1)).toContain(expected);
    }
  });
});
