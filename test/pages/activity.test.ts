import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { maxActivities } from '../../src/simulation/activity/activity-log.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { contentOf, visibleText } from './html-text.js';

/** The activity page lists chains. A chain is a request, an action or a due agenda item, with its consequences. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens the dashboard of an account where a request created deposit 8, whose webhook got 503 on the first attempt. */
async function openDashboardWithDeposit() {
  const demo = await createAccountWithDashboard(sim);
  let attemptCount = 0;
  const receiver = await openReceiver((_request, response) => {
    attemptCount += 1;
    response.writeHead(attemptCount === 1 ? 503 : 204).end();
  });
  await demo.account.webhooks.configure({ url: receiver.url });
  await demo.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  await demo.account.clock.advance('1s');
  return demo;
}

/** The chains on a page, each as one line of text. */
function chainsOf(html: string): string[] {
  return html
    .split('<ol class="chain">')
    .slice(1)
    .map((chain) => visibleText(chain.replace(/<\/ol>.*/s, '').replace(/<\/li><li[^>]*>/g, ' → ')));
}

test('a chain shows a request, the record that it created, the event and the planned retry', async () => {
  const { dashboard } = await openDashboardWithDeposit();
  const chains = chainsOf(await dashboard.readHtml(''));
  // The retry is due 5 s after the first attempt, and 1 s has passed.
  expect(chains).toContain('POST /api/v1/deposits 201 → deposit 8 created → deposit.created 503 retry in 4 s');
});

test.each(['reset', 'restore'])(
  'after a %s, earlier entries have no links to new records with the same ids, and no planned retry',
  async (cause) => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await account.snapshots.save('empty');
    const receiver = await openReceiver((_request, response) => void response.writeHead(503).end());
    await account.webhooks.configure({ url: receiver.url });
    const body = { booking_reference: 'BK-1', amount: 5 };
    await client.POST('/deposits', { body });
    await account.clock.advance('1s');
    await (cause === 'reset' ? account.reset() : account.snapshots.restore('empty'));
    const htmlOfEarlierEntry = await dashboard.readHtml('?q=deposit.created');
    expect(chainsOf(htmlOfEarlierEntry)).toEqual([
      'POST /api/v1/deposits 201 → deposit 8 created → deposit.created 503',
    ]);
    expect(contentOf(htmlOfEarlierEntry)).not.toMatch(/href="[^"]*\/(?:deposits|webhooks)\/\w/);

    await client.POST('/deposits', { body });
    for (const page of ['deposits/8', '?record=deposit:8']) {
      const html = await dashboard.readHtml(page);
      expect(chainsOf(html)).toEqual([expect.stringMatching(/^POST .* → deposit 8 created → deposit.created /)]);
      expect(html).toContain(`<a href="/dashboard/${account.id}/deposits/8">deposit 8</a> created`);
    }
  },
);

interface FormCase {
  readonly page: string;
  /** The `action` parameter of `Dashboard.submitForm`. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The beginning of the text of the chain. */
  readonly chainStart: string;
}

test.each<FormCase>([
  {
    page: 'deposits/8',
    action: 'authorizeDeposit/8',
    chainStart: 'Authorize deposit in the dashboard → deposit 8 pending → authorized',
  },
  {
    page: 'deposits/8',
    action: 'declineDeposit/8',
    chainStart: 'Decline deposit in the dashboard → deposit 8 pending → failed',
  },
  {
    page: 'webhooks',
    action: 'triggerEvent',
    fields: { event: 'deposit.created' },
    chainStart: 'Trigger event in the dashboard: deposit.created → deposit 9 created',
  },
  { page: 'snapshots', action: 'resetAccount', chainStart: 'Reset account in the dashboard' },
])('$action in the dashboard is shown with its consequences', async ({ page, action, fields, chainStart }) => {
  const { dashboard } = await openDashboardWithDeposit();
  await dashboard.submitForm(page, action, fields);
  const [latestChain] = chainsOf(await dashboard.readHtml(''));
  expect(latestChain?.slice(0, chainStart.length)).toBe(chainStart);
});

/** Opens the dashboard of an account, and advances the clock there by 8 days, so that deposits 8, 2 and 3 expire. */
async function openDashboardAfterAdvance() {
  const demo = await openDashboardWithDeposit();
  await demo.account.deposits.authorize(8);
  await demo.dashboard.submitForm('clock', 'advanceClock', { by: '8d' });
  return demo;
}

describe('an advance of the clock', () => {
  test('is in one block with the items that it ran, earliest first', async () => {
    const { dashboard } = await openDashboardAfterAdvance();
    const [, newestBlock = ''] = (await dashboard.readHtml('')).split('<li class="block">');
    const [advance, ...dueChains] = chainsOf(newestBlock);
    expect(advance).toBe('Advance clock in the dashboard: by 8 d to 2026-03-09 09:00:01');
    expect(dueChains.map((chain) => chain.replace(/ → .*/, ''))).toEqual([
      'Due: deposit 3 expires',
      'Due: deposit 2 expires',
      'Due: deposit 8 expires',
    ]);
  });

  test('is filtered independently of the items that it ran', async () => {
    const { dashboard } = await openDashboardAfterAdvance();
    const [newestChain] = chainsOf(await dashboard.readHtml('?record=deposit:8'));
    expect(newestChain).toMatch(/^Due: deposit 8 expires → /);
    expect(chainsOf(await dashboard.readHtml('?kind=action'))[0]).toMatch(/^Advance clock in the dashboard:/);
  });

  test('is repeated on every page with items that it ran', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    for (let count = 0; count < 30; count++) {
      const { data } = await client.POST('/deposits', { body: { booking_reference: `BK-${count}`, amount: 5 } });
      await account.deposits.authorize(data?.data.id ?? 0);
    }
    await account.clock.advance('8d');
    for (const [page, count] of [
      [1, 25],
      // The repeated advance does not count as one of the 25 chains of a page.
      [2, 26],
    ] as const) {
      const chains = chainsOf(await dashboard.readHtml(`?page=${page}`));
      expect(chains[0]).toMatch(/^Advance clock through the library:/);
      expect(chains).toHaveLength(count);
    }
  });
});

test('an account without activity has a form for a first deposit', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const { path } = await dashboard.submitForm('', 'createDeposit', {
    booking_reference: 'BK-9',
    'amount:number': '300',
    currency: 'EUR',
  });
  expect(path).toMatch(/\/deposits\/8$/);
  expect(await dashboard.readText('')).not.toContain('Start here');
});

test('the form for a first deposit remains after changes to settings and clock, and disappears after a request', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.webhooks.configure({ url: 'http://receiver.example/' });
  await account.clock.advance('1m');
  expect(await dashboard.readText('')).toContain('Start here: create a deposit');
  expect(await dashboard.readText('?kind=action')).not.toContain('Start here');
  await client.GET('/deposits');
  expect(await dashboard.readText('')).not.toContain('Start here');
});

// The test causes five chains: the webhook URL is set, deposit 8 is created, the clock advances, a request gets 404,
// and the deposit is authorized.
test.each([
  ['record=deposit:8', 2],
  ['record=deposit+8', 2],
  ['record=Deposit+8', 2],
  ['record=deposit:7', 0],
  ['kind=transition', 1],
  // An unknown kind is ignored.
  ['kind=none', 5],
  ['status=503', 1],
  ['status=404', 1],
  ['q=DEPOSIT.created', 1],
  ['q=DEPOSIT.created&status=404', 0],
  // A page number that is too large shows the last page.
  ['page=99', 5],
])('the activity page with the query %s has %i chains', async (query, count) => {
  const { account, client, dashboard } = await openDashboardWithDeposit();
  await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
  await account.deposits.authorize(8);
  expect(chainsOf(await dashboard.readHtml(`?${query}`))).toHaveLength(count);
});

test('the last page says that older activity is no longer kept', async () => {
  const { account, dashboard } = await openDashboardWithDeposit();
  expect(await dashboard.readText('')).not.toContain('Older activity is no longer kept');
  // Any logged action would do.
  for (let count = 0; count < maxActivities; count++) await account.faults.clear();
  expect(await dashboard.readText('?page=99999')).toContain('Older activity is no longer kept.');
});

describe('the page of a record', () => {
  test('has the chains that concern the record, and a link to the activity page filtered by the record', async () => {
    const { account, dashboard } = await openDashboardWithDeposit();
    await account.deposits.authorize(8);
    const html = await dashboard.readHtml('deposits/8');
    expect(chainsOf(html)).toEqual([
      expect.stringMatching(
        /^Authorize deposit through the library → deposit 8 pending → authorized → deposit\.authorized/,
      ),
      expect.stringMatching(/^POST \/api\/v1\/deposits 201 → deposit 8 created/),
    ]);
    expect(html).toContain(`href="/dashboard/${account.id}?record=deposit%3A8"`);
  });

  test('has the chain of a refused request to change the record, but not of a request that only reads it', async () => {
    const { client, dashboard } = await openDashboardWithDeposit();
    const path = { id: 8 };
    await client.GET('/deposits/{id}', { params: { path } });
    await client.POST('/deposits/{id}/capture', { params: { path }, body: { amount: 1 } });
    expect(chainsOf(await dashboard.readHtml('deposits/8'))).toEqual([
      expect.stringMatching(/^POST \/api\/v1\/deposits\/8\/capture 4\d\d/),
      expect.stringMatching(/^POST \/api\/v1\/deposits 201/),
    ]);
  });

  test.each(['invoices', 'mails'])(
    'in the %s section has the chain of the request that sent a reminder',
    async (section) => {
      const { account, client, dashboard } = await createAccountWithDashboard(sim);
      await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
      const id = section === 'invoices' ? 3 : (await account.mails.all()).at(-1)?.id;
      expect(chainsOf(await dashboard.readHtml(`${section}/${id}`))).toEqual([
        expect.stringMatching(/^POST \/api\/v1\/invoices\/3\/reminder 200 → .*mail .* to /),
      ]);
    },
  );

  test('has the chain that created the record, for a customer, payment link, payment, run or delivery', async () => {
    const { account, client, dashboard } = await openDashboardWithDeposit();
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
      const chains = chainsOf(await dashboard.readHtml(page));
      expect(chains.at(-1)).toContain(expected);
    }
  });
});
