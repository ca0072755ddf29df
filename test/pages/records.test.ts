import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { breakDisk } from '../support/failing-disk.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { tempFolder } from '../support/temp-folder.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';
import { contentOf, visibleText } from './html-text.js';

/** The pages of records: their contents and actions. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Operations of the forms on a page, without those in its header. */
function operationsOn(html: string): string[] {
  return [...contentOf(html).matchAll(/<form method="post" action="[^"]*\/do\/(\w+)[/"]/g)].map(
    ([, operation = '']) => operation,
  );
}

/** Operations that the page of each demo record offers in its status. */
const offeredOperations: readonly (readonly [
  page: string,
  status: string,
  operations: readonly string[],
  profile?: Choices,
])[] = [
  ['deposits/1', 'pending', ['authorizeDeposit', 'declineDeposit', 'expireDeposit']],
  ['deposits/2', 'authorized', ['advanceClock', 'captureDeposit', 'expireDeposit', 'releaseDeposit']],
  ['deposits/3', 'partially_captured', ['advanceClock', 'captureDeposit', 'expireDeposit', 'releaseDeposit']],
  [
    'deposits/3',
    'partially_captured',
    ['advanceClock', 'captureDeposit', 'expireDeposit', 'releaseDeposit'],
    { 'deposit.expire-partial': 'captured', 'deposit.release-partial': 'captured' },
  ],
  ['deposits/4', 'captured', []],
  ['deposits/5', 'released', []],
  ['deposits/6', 'expired', []],
  ['deposits/7', 'failed', []],
  ['invoices/1', 'draft', ['cancelInvoice', 'finalizeInvoice']],
  [
    'invoices/1',
    'draft',
    ['cancelInvoice', 'finalizeInvoice', 'sendInvoiceReminder'],
    { 'invoice.reminder-cancelled': 'sent' },
  ],
  [
    'invoices/2',
    'pending',
    ['advanceClock', 'cancelInvoice', 'payInvoice', 'sendInvoice', 'sendInvoiceReminder', 'viewInvoice'],
  ],
  ['invoices/3', 'sent', ['advanceClock', 'cancelInvoice', 'payInvoice', 'sendInvoiceReminder', 'viewInvoice']],
  ['invoices/4', 'viewed', ['advanceClock', 'cancelInvoice', 'payInvoice', 'sendInvoiceReminder']],
  ['invoices/5', 'paid', []],
  ['invoices/6', 'partial', ['advanceClock', 'cancelInvoice', 'payInvoice', 'sendInvoiceReminder']],
  ['invoices/7', 'overdue', ['cancelInvoice', 'payInvoice', 'sendInvoiceReminder']],
  ['invoices/9', 'cancelled', []],
  ['payments/1', 'paid', []],
  ['payments/2', 'failed', []],
  ['payments/3', 'pending', ['failPayment', 'succeedPayment']],
  ['payments/4', 'open', ['failPayment', 'startPayment', 'succeedPayment']],
  // A form for each outcome: paid, pending and failed.
  ['payment-links/1', 'active', ['payPaymentLink', 'payPaymentLink', 'payPaymentLink']],
  ['payment-links/3', 'inactive', []],
];

const cases = offeredOperations.map(([page, status, operations, profile]) => ({ page, status, operations, profile }));

test.each(cases)('$page is $status: only allowed actions are offered', async (offer) => {
  const { page, status, operations, profile } = offer;
  const { dashboard } = await createAccountWithDashboard(sim, profile);
  const html = await dashboard.readHtml(page);
  expect(html).toMatch(new RegExp(`<p class="summary"><span class="status \\w+">${status}<`));
  expect(operationsOn(html).sort()).toEqual(operations);
  for (const operation of new Set(operations)) {
    const fresh = await createAccountWithDashboard(sim, profile);
    const action = operation === 'advanceClock' ? operation : `${operation}/${page.split('/')[1]}`;
    const { isRefused, path } = await fresh.dashboard.submitForm(page, action);
    expect({ operation, isRefused, path }).toEqual({
      operation,
      isRefused: false,
      path: `/dashboard/${fresh.account.id}/${page}`,
    });
  }
});

describe('a deposit', () => {
  test('is created, authorized and expires; its timeline has each step and the webhooks', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    const created = await dashboard.submitForm('overview', 'createDeposit', {
      booking_reference: 'BK-8',
      'amount:number': '250.5',
      currency: 'EUR',
    });
    expect(created.path).toBe(`/dashboard/${account.id}/deposits/8`);
    expect(created.notice).toBe('Deposit created.');
    expect(visibleText(created.html)).toContain('pending €250.50');
    await dashboard.submitForm('deposits/8', 'authorizeDeposit/8');
    const { html } = await dashboard.submitForm('deposits/8', 'advanceClock');
    const timelineEntries = [...html.matchAll(/<li class="(\w+)"><time[^>]*>([^<]*)<\/time> (.*?)<\/li>/g)].map(
      ([, cssClass, at, text = '']) => `${cssClass} ${at} ${visibleText(text)}`,
    );
    expect(timelineEntries).toEqual([
      'waiting 2026-03-01 09:00:00 State created as pending',
      'good 2026-03-01 09:00:00 State pending → authorized (authorize)',
      'good 2026-03-01 09:00:00 Webhooks deposit.created → 204 on attempt 1',
      'good 2026-03-01 09:00:00 Webhooks deposit.authorized → 204 on attempt 1',
      'bad 2026-03-08 09:00:00 State authorized → expired (expire)',
      'good 2026-03-08 09:00:00 Webhooks deposit.expired → 204 on attempt 1',
    ]);
    // Deposits 2 and 3 of the demo records expire too.
    expect(receiver.received).toHaveLength(5);
  });

  test('has no limit in the browser that the profile may not have', async () => {
    const { dashboard } = await createAccountWithDashboard(sim, {
      'text.lengths': 'unbounded',
      'deposit.customer-email': 'accepted',
    });
    const pages = ['deposits', 'payment-links', 'customers', 'invoices/new'];
    const forms = await Promise.all(pages.map(async (page) => contentOf(await dashboard.readHtml(page))));
    for (const [index, form] of forms.entries()) expect(form, pages[index]).not.toContain('maxlength');
    expect(forms[0]).not.toContain('type="email"');
    const { isRefused } = await dashboard.submitForm('deposits', 'createDeposit', {
      booking_reference: 'BK-8',
      'amount:number': '250.5',
      'customer.name': 'Ada '.repeat(100),
      'customer.email': 'none',
    });
    expect(isRefused).toBe(false);
  });

  test('is created with a guest and dates, which the profile may require', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'deposit.required': 'all' });
    const fields = { booking_reference: 'BK-8', 'amount:number': '250.5', currency: 'EUR' };
    const { notice, html } = await dashboard.submitForm('deposits', 'createDeposit', fields);
    expect(notice).toBe(
      'The Guest field is required. The Check-in field is required. The Check-out field is required.',
    );
    expect(html).toContain('<details open><summary>Guest and dates</summary>');
    const { path } = await dashboard.submitForm('deposits', 'createDeposit', {
      ...fields,
      'customer.name': 'Grace Hopper',
      'customer.email': 'grace@example.com',
      check_in_date: '2026-03-02',
      check_out_date: '2026-03-05',
    });
    expect(path).toBe(`/dashboard/${account.id}/deposits/8`);
    expect(await dashboard.readText('deposits/8')).toMatch(
      /Guest Grace Hopper Email grace@example\.com Check-in 2026-03-02 Check-out 2026-03-05/,
    );
  });

  test.each([
    ['30d', '31 days'],
    ['2h', '1 day'],
  ])(
    'with an authorization window of %s expires when the clock is advanced as the pages say, by %s',
    async (window, days) => {
      const { dashboard } = await createAccountWithDashboard(sim, { 'deposit.window': { for: window } });
      expect(await dashboard.readText('overview')).toContain(`authorize it, and advance ${days}:`);
      const { html } = await dashboard.submitForm('deposits/1', 'authorizeDeposit/1');
      expect(html).toContain(`>Advance ${days}</button>`);
      await dashboard.submitForm('deposits/1', 'advanceClock');
      expect(await dashboard.readText('deposits/1')).toContain('expired €');
    },
  );

  test('is captured in part, and then in full', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await dashboard.submitForm('deposits/2', 'captureDeposit/2', { 'amount:number': '100' });
    expect(await dashboard.readText('deposits/2')).toContain('partially_captured €450.00, of which €100.00 captured');
    await dashboard.submitForm('deposits/2', 'captureDeposit/2');
    expect(await dashboard.readText('deposits/2')).toContain('captured €450.00, of which €450.00 captured');
    const events = (await account.webhooks.all()).map(({ event }) => event);
    expect(events).toEqual(['deposit.partially_captured', 'deposit.captured']);
  });

  test('is authorized although the profile leaves out its status', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'deposit.fields': { fields: ['id'] } });
    const { notice } = await dashboard.submitForm('deposits/1', 'authorizeDeposit/1');
    expect(notice).toBe('Done.');
    expect((await account.activity())[0]?.entries).toContainEqual(expect.objectContaining({ to: 'authorized' }));
  });

  test.each([
    ['more than it holds', '9999', 'exceeds'],
    ['a text that is not an amount', 'lots', 'number'],
    ['an amount of zero', '0', 'The Amount (EUR) field must be greater than 0.'],
  ])('is not captured with %s, and the page says why', async (_what, amount, reason) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const fields = { 'amount:number': amount };
    const { notice, isRefused } = await dashboard.submitForm('deposits/2', 'captureDeposit/2', fields);
    expect(isRefused).toBe(true);
    expect(notice).toContain(reason);
    expect(await account.webhooks.all()).toEqual([]);
  });

  test('suggests capturing exactly what remains, even if that has more decimal places than the currency', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'amount.minor-units': 'two' });
    const fields = { booking_reference: 'BK-8', 'amount:number': '149.5', currency: 'JPY' };
    await dashboard.submitForm('deposits', 'createDeposit', fields);
    await account.deposits.authorize(8);
    expect(await dashboard.readHtml('deposits/8')).toContain('placeholder="149.5"');
    expect(await dashboard.readHtml('deposits/2')).toContain('placeholder="450.00"');
  });

  test('shows the remaining amount as the profile does, even while nothing is held', async () => {
    const { dashboard } = await createAccountWithDashboard(sim, { 'deposit.remaining-amount': 'uncaptured' });
    // Deposit 1 is pending.
    expect(await dashboard.readText('deposits/1')).toMatch(/Captured €0\.00 Remaining €300\.00/);
  });

  test('has its planned expiry on the timeline', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const text = await dashboard.readText('deposits/2');
    expect(text).toMatch(/2026-03-0\d 09:00:00 State due: expires/);
  });
});

test('an invoice has its transitions, payments, emails and due date on the timeline', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  await dashboard.submitForm('invoices/2', 'sendInvoiceReminder/2');
  await dashboard.submitForm('invoices/2', 'payInvoice/2', { 'amount:number': '10' });
  const text = await dashboard.readText('invoices/2');
  expect(text).toContain('State pending → partial (pay)');
  expect(text).toContain('Payments payment 9 of €10.00: paid');
  expect(text).toMatch(/Emails .*DEMO-0002.*, to ada@analytical-engines\.example: not sent: no SMTP server was set/);
  expect(text).toContain('State due: becomes overdue');
});

test('the fields of a payment link count only the payments that succeeded', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const before = await dashboard.readText('payment-links/1');
  const paidBefore = /Paid payments \d+/.exec(before)?.[0];
  expect(paidBefore).toBeDefined();
  await dashboard.postFields('payment-links/1', 'payPaymentLink/1', { outcome: 'failed' });
  expect(await dashboard.readText('payment-links/1')).toContain(String(paidBefore));
});

test('the timeline of an inactive payment link shows it as inactive', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const barsOf = (html: string): string[] =>
    [...html.matchAll(/<text class="bar [^>]*>(\w+)</g)].map(([, state = '']) => state);
  expect(barsOf(await dashboard.readHtml('payment-links/1'))).toEqual(['active']);
  expect(barsOf(await dashboard.readHtml('payment-links/3'))).toEqual(['inactive']);
});

test('a payment link is created and paid, and the page of its payment leads back to it', async () => {
  const { dashboard, account } = await createAccountWithDashboard(sim);
  const { path } = await dashboard.submitForm('payment-links', 'createPaymentLink', {
    description: 'Late checkout',
    'amount:number': '49.90',
    currency: 'EUR',
  });
  expect(path).toBe(`/dashboard/${account.id}/payment-links/4`);
  await dashboard.submitForm('payment-links/4', 'payPaymentLink/4');
  expect(await dashboard.readText('payment-links/4')).toContain('Payments payment 9 of €49.90: paid');
  expect(await dashboard.readHtml('payments/9')).toContain(`href="${path}"`);
  expect(await dashboard.readText('payments/9')).toContain('Payment link payment link 4 Invoice none Created (UTC)');
});

test('the page of a payment of an invoice leads to the invoice', async () => {
  const { dashboard, account } = await createAccountWithDashboard(sim);
  await account.invoices.pay(3);
  expect(await dashboard.readHtml('payments/9')).toContain(`href="/dashboard/${account.id}/invoices/3"`);
  expect(await dashboard.readText('payments/9')).toContain('Payment link none Invoice invoice 3 Created (UTC)');
});

test('the page of a pending deposit begins with a link to the page where the guest authorizes it', async () => {
  const { dashboard, account } = await createAccountWithDashboard(sim);
  const url = `${sim.url}/authorize/${account.id}/1`;
  expect(await dashboard.readHtml('deposits/1')).toContain(`€300.00, to be authorized at <a href="${url}"`);
  await account.deposits.authorize(1);
  expect(await dashboard.readText('deposits/1')).toContain('authorized €300.00 Actions');
});

test('a customer is created, and shown with their invoices', async () => {
  const { dashboard, account } = await createAccountWithDashboard(sim);
  const fields = { name: 'Emmy Noether', email: 'emmy@ring.example' };
  const { notice, html } = await dashboard.submitForm('customers', 'createCustomer', fields);
  expect(notice).toBe('Customer Emmy Noether created, with id 5.');
  expect(html).toContain(`href="/dashboard/${account.id}/customers/5"`);
  expect(await dashboard.readText('customers/5')).toContain('No invoices yet.');
  expect(await dashboard.readText('customers/1')).toContain('DEMO-0002');
});

test.each([
  'invoices/99',
  'deposits/99',
  'payments/99',
  'payment-links/99',
  'customers/99',
  'customers/__proto__',
  'deposits/dep_no',
])('%s is not found', async (page) => {
  const { account } = await createAccountWithDashboard(sim);
  const response = await fetch(`${sim.url}/dashboard/${account.id}/${page}`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<h1>');
});

test('forms cannot call operations of the service that only read, such as listDeposits', async () => {
  const { account } = await createAccountWithDashboard(sim);
  const response = await fetch(`${sim.url}/dashboard/${account.id}/do/listDeposits`, {
    method: 'POST',
    redirect: 'manual',
  });
  expect(response.status).toBe(404);
});

test('values set by clients are shown as plain text on the pages of records', async () => {
  const { client, dashboard } = await createAccountWithDashboard(sim);
  let acceptedCount = 0;
  for (const text of hostileTexts) {
    const short = text.slice(0, 255);
    const { data } = await client.POST('/deposits', {
      body: { booking_reference: short, amount: 10, metadata: { [short.slice(0, 40)]: short } },
    });
    // The service refuses some of the texts.
    if (!data) continue;
    acceptedCount++;
    const pages = [await dashboard.readHtml('deposits'), await dashboard.readHtml(`deposits/${data.data.id}`)];
    for (const html of pages) {
      expect(visibleText(html)).toContain(short.replace(/\s+/g, ' ').trim());
      expect(html).not.toMatch(/<(?:script(?! src="\/assets)|img|iframe|object|base)/i);
    }
  }
  expect(acceptedCount).toBeGreaterThan(5);
});

test.each(['   ', '\u200b'])(
  'records with the blank name %j have a link and a heading with their ids',
  async (blank) => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, { 'invoice.number-blank': 'kept' });
    const customer = await account.customers.create({ name: blank, email: 'a@b.example' });
    const link = await client.POST('/payment-links', { body: { description: blank, amount: 5 } });
    const deposit = await client.POST('/deposits', { body: { booking_reference: blank, amount: 5 } });
    const items = [{ description: 'Night', quantity: 1, unit_price: 5 }];
    const dates = { date: '2026-03-01', due_date: '2026-03-31' };
    const invoice = await client.POST('/invoices', {
      body: { customer_id: customer.id, invoice_number: blank, ...dates, items },
    });
    for (const [section, noun, id, title] of [
      ['customers', 'customer', customer.id, 'Customer'],
      ['payment-links', 'payment link', link.data?.data.id, 'Payment link'],
      ['deposits', 'deposit', deposit.data?.data.id, 'Deposit'],
      ['invoices', 'invoice', invoice.data?.data.id, 'Invoice'],
    ] as const) {
      expect(await dashboard.readHtml(section)).toContain(`/${section}/${id}">${noun} ${id}</a>`);
      expect(await dashboard.readHtml(`${section}/${id}`)).toContain(`<h1>${title} ${id}</h1>`);
    }
    expect(await dashboard.readHtml(`invoices/${invoice.data?.data.id}`)).toContain(`>customer ${customer.id}</a>`);
  },
);

test.each([
  [3, ['created as pending', 'pending → authorized (authorize)', 'authorized → partially_captured (capture)']],
  [4, ['created as pending', 'pending → authorized (authorize)', 'authorized → captured (capture)']],
  [5, ['created as pending', 'pending → authorized (authorize)', 'authorized → released (release)']],
  [6, ['created as pending', 'pending → authorized (authorize)', 'authorized → expired (expire)']],
  [7, ['created as failed']],
])('the timeline of deposit %i of the seed has the changes that led to its status', async (id, expected) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  expect(stateEntriesOn(await dashboard.readHtml(`deposits/${id}`))).toEqual(expected);
});

/** The past entries of the lane `State` in the timeline on a page. */
function stateEntriesOn(html: string): string[] {
  const entries = [...html.matchAll(/<span class="lane">State<\/span> <span>(.*?)<\/span>/g)];
  return entries.map(([, text = '']) => text).filter((text) => !text.startsWith('due: '));
}

describe('the timeline of a payment link', () => {
  const profile: Choices = { 'link.deactivation': 'after-payment' };

  test('that a payment has deactivated shows that it was active before', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, profile);
    const link = await client.POST('/payment-links', { body: { description: 'Only once', amount: 5 } });
    const id = link.data?.data.id ?? 0;
    await account.clock.advance('1h');
    await account.paymentLinks.pay(id);
    const html = await dashboard.readHtml(`payment-links/${id}`);
    expect(stateEntriesOn(html)).toEqual(['created as active', 'active → inactive (payment)']);
    expect(visibleText(html)).toContain('2026-03-01 10:00:00 State active → inactive (payment)');
  });

  test('that was deactivated after earlier payments shows the payment that did so', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.paymentLinks.pay(1);
    await dashboard.postFields('profile', 'chooseForGap/link.deactivation', { choice: 'after-payment' });
    await account.clock.advance('1h');
    await account.paymentLinks.pay(1);
    expect(await dashboard.readText('payment-links/1')).toContain('10:00:00 State active → inactive (payment)');
  });

  test('that was deactivated while another payment was pending shows the payment that succeeded first', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, profile);
    const link = await client.POST('/payment-links', { body: { description: 'Two guests', amount: 5 } });
    const id = link.data?.data.id ?? 0;
    const first = await account.paymentLinks.pay(id, { outcome: 'pending' });
    const second = await account.paymentLinks.pay(id, { outcome: 'pending' });
    for (const payment of [first, second]) {
      await account.clock.advance('1h');
      await account.payments.succeed(payment.id);
    }
    expect(await dashboard.readText(`payment-links/${id}`)).toContain(' 10:00:00 State active → inactive (payment)');
  });

  test('that a payment in the seed has deactivated shows that, too', async () => {
    const { dashboard } = await createAccountWithDashboard(sim, profile);
    const entries = stateEntriesOn(await dashboard.readHtml('payment-links/1'));
    expect(entries).toEqual(['created as active', 'active → inactive (payment)']);
  });

  test('that the seed contains as inactive shows that', async () => {
    const { dashboard } = await createAccountWithDashboard(sim, profile);
    expect(stateEntriesOn(await dashboard.readHtml('payment-links/3'))).toEqual(['created as inactive']);
  });

  test('that is active shows only its creation', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.paymentLinks.pay(1);
    expect(stateEntriesOn(await dashboard.readHtml('payment-links/1'))).toEqual(['created as active']);
  });
});

test('the timeline of a deposit says that its webhooks were not sent, if no URL was set', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  await account.deposits.authorize(1);
  expect(await dashboard.readText('deposits/1')).toContain(
    'Webhooks deposit.authorized, not sent: no webhook URL was set',
  );
});

test('the timeline of a deposit of the seed continues with later changes', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  await account.deposits.expire(3);
  expect(await dashboard.readText('deposits/3')).toMatch(
    /created as pending .* authorized → partially_captured \(capture\) .* partially_captured → expired \(expire\)/,
  );
});

test('an unknown field with the name of a property that every object inherits is refused', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const fields = { 'form-key': 'createCustomer', name: 'Ada', email: 'ada@example.com', toString: 'x' };
  const { notice, isRefused } = await dashboard.postFields('customers', 'createCustomer', fields);
  expect({ notice, isRefused }).toEqual({ notice: expect.stringContaining('toString'), isRefused: true });
});

test.each(['0x10', '0b11', '1_000', ' ', 'Infinity'])('the amount %j in a form is not a number', async (amount) => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const fields = { booking_reference: 'BK-9', 'amount:number': amount };
  const { notice } = await dashboard.submitForm('deposits', 'createDeposit', fields);
  expect(notice).toBe('The Amount field must be a number.');
});

test('a deposit that cannot be stored is not created, and the form is shown again with an error', async () => {
  const simulator = await startSimulator({ data: tempFolder(), now: '2026-03-01T09:00:00Z', log: () => undefined });
  onTestFinished(() => simulator.close());
  const dashboard = dashboardOf(simulator.url);
  breakDisk('ENOSPC');
  const fields = { booking_reference: 'BK-9', 'amount:number': '300' };
  const { notice, isRefused, html } = await dashboard.submitForm('deposits', 'createDeposit', fields);
  expect({ notice, isRefused }).toEqual({
    notice: expect.stringMatching(/^The change could not be stored\./),
    isRefused: true,
  });
  expect(html).toContain('value="BK-9"');
  expect(await dashboard.readText('deposits')).toContain('1–7 of 7 deposits');
});
