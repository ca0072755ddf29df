import { describe, expect, test } from 'vitest';
import type { PaymentLink } from '../../src/domain/records.js';
import type { Seed } from '../../src/domain/seed.js';
import { demo } from '../../src/generated/seed-demo.js';
import { empty } from '../../src/generated/seed-empty.js';
import type { Choices } from '../../src/index.js';
import { dayMs } from '../../src/lib/durations.js';
import type { Account } from '../../src/simulation/account.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import { getInvoiceStats, listOverdueInvoices } from '../../src/simulation/operations/invoices.js';
import { type AllAccounts, getPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { generateRecords, type RecordCounts } from '../../src/simulation/seeding/generate.js';
import { buildSeed } from '../../src/simulation/seeding/seed.js';
import type { World } from '../../src/simulation/world.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/** Generates records, and adds them to an account. */
function addGenerated(world: World, account: Account, counts: RecordCounts): void {
  for (const changes of generateRecords(account, world.accounts, counts, 1))
    account.transaction((tx) => tx.put(changes));
}

/** A draft invoice, with dates relative to the time at which the account is created. */
function draft(date: string, dueDate: string): Seed['invoices'][number] {
  return {
    id: 1,
    invoice_number: 'INV-1',
    reference: null,
    customer_id: 1,
    status: 'draft',
    date,
    due_date: dueDate,
    notes: null,
    items: [],
    subscription: null,
  };
}

describe('the relative dates of a seed', () => {
  // The account's time zone is Europe/Paris.
  test.each([
    {
      case: 'offsets in days',
      now: '2026-04-01T08:00:00Z',
      date: '-2d',
      due_date: '30d',
      dates: ['2026-03-30', '2026-05-01'],
    },
    {
      case: 'offsets in hours',
      now: '2026-04-01T08:00:00Z',
      date: '-11h',
      due_date: '15h',
      dates: ['2026-03-31', '2026-04-02'],
    },
    {
      case: 'days across the beginning of summer time',
      now: '2026-03-29T22:30:00Z',
      date: '-1d',
      due_date: '1d',
      dates: ['2026-03-29', '2026-03-31'],
    },
    {
      case: 'days across the end of summer time',
      now: '2026-10-24T22:30:00Z',
      date: '-1d',
      due_date: '1d',
      dates: ['2026-10-24', '2026-10-26'],
    },
  ])("become calendar dates in the account's time zone: $case", async ({ now, date, due_date, dates }) => {
    const account = openAccount(await emptyWorld(), 'one', {}, { invoices: [draft(date, due_date)] }, now);
    const invoice = account.invoices.get(1);
    expect([invoice?.date, invoice?.due_date]).toEqual(dates);
  });
});

test('the records of a seed are listed by their time of creation, whatever their ids', async () => {
  const account = openAccount(await emptyWorld(), 'one', {}, demo);
  for (const table of [account.invoices, account.paymentLinks, account.payments, account.deposits]) {
    const times = table.page({ page: 1, size: 100, newestFirst: true }).rows.map(({ created_at }) => created_at);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort().reverse());
  }
});

describe.each(['integer', 'uuid', 'prefixed'])(
  'deposits that are added to an account with seeded deposits (deposit.id: %s)',
  (format) => {
    /** Opens an account whose seed has three deposits, with ids that are not consecutive. */
    async function openSeededAccount(choices: Choices) {
      const world = await emptyWorld();
      const [deposit] = demo.deposits;
      if (!deposit) throw new Error('the seed `demo` has no deposit');
      const deposits = [4, 5, 100].map((id) => ({ ...deposit, id }));
      return { world, account: openAccount(world, 'one', choices, { deposits }) };
    }

    test('have unique ids', async () => {
      const { account } = await openSeededAccount({ 'deposit.id': format });
      for (let added = 0; added < 4; added++) createDeposit(account, newDeposit);
      expect(account.deposits.size).toBe(7);
    });

    test('have unique ids if the profile has changed', async () => {
      const { world, account } = await openSeededAccount({});
      createDeposit(account, newDeposit);
      const changed = world.accounts.configure(account, { choices: { 'deposit.id': format } });
      for (let added = 0; added < 3; added++) createDeposit(changed, newDeposit);
      expect(changed.deposits.size).toBe(7);
    });

    test('have unique ids if they are generated', async () => {
      const { world, account } = await openSeededAccount({ 'deposit.id': format });
      const counts = { customers: 0, invoices: 0, links: 0, payments: 0, deposits: 600 };
      addGenerated(world, account, counts);
      expect(account.deposits.size).toBe(603);
    });
  },
);

test.each(['newest-first', 'oldest-first'])(
  'the overdue invoices of a seed have the order of the invoice list: %s',
  async (order) => {
    const account = openAccount(await emptyWorld(), 'one', { 'list.order': order }, demo);
    await account.schedule.advance({ by: 100 * dayMs, timeoutMs: 1000 });
    const overdue = listOverdueInvoices(account).invoices.map(({ id }) => id);
    const page = { page: 1, size: 100, newestFirst: order === 'newest-first' };
    const listed = account.invoices.page(page).rows.map(({ id }) => id);
    expect(overdue.length).toBeGreaterThan(2);
    expect(overdue).toEqual(listed.filter((id) => overdue.includes(id)));
  },
);

test.each([
  { choice: 'account', currency: 'EUR' },
  { choice: 'customer', currency: 'USD' },
])(
  'a payment of an invoice has the currency of the invoice, under invoice.currency: $choice',
  async ({ choice, currency }) => {
    // The currency of customer 2 is USD, and the account's is EUR.
    const items = [{ description: 'Room', quantity: 1, unit_price: 80, tax_rate: 0 }];
    const payment = { customer_id: 2, amount: 80, status: 'paid', payment_method: 'card', created: '-1d' } as const;
    const records = {
      invoices: [{ ...draft('-2d', '30d'), customer_id: 2, status: 'paid', items } as const],
      payment_links: [{ id: 1, description: 'Room', amount: 80, is_active: true, created: '-2d' }],
      payments: [
        { ...payment, id: 1, invoice_id: 1 },
        { ...payment, id: 2, payment_link_id: 1 },
      ],
    };
    const account = openAccount(await emptyWorld(), 'one', { 'invoice.currency': choice }, records);
    expect(account.invoices.get(1)).toMatchObject({ currency, amount: 80, paid_amount: 80 });
    expect(account.payments.get(1)).toMatchObject({ currency });
    expect(account.payments.get(2)).toMatchObject({ currency: 'EUR' });
  },
);

test('generated records follow the profile: a paid link is inactive, and an invoice has the currency of its customer', async () => {
  const choices = { 'link.deactivation': 'after-payment', 'invoice.currency': 'customer' };
  const world = await emptyWorld();
  const account = openAccount(world, 'one', choices);
  const counts = { customers: 0, invoices: 20, links: 5, payments: 5, deposits: 0 };
  addGenerated(world, account, counts);
  const links = account.paymentLinks.rows;
  expect(links.map(({ is_active }) => is_active)).toEqual(links.map(({ payments_count }) => payments_count === 0));
  expect(new Set(links.map(({ is_active }) => is_active)).size).toBe(2);
  const { rows } = account.invoices;
  // Customer 3 has no currency, so the account's applies.
  expect(rows.map(({ currency }) => currency)).toEqual(
    rows.map(({ customer_id }) => account.customers.get(customer_id)?.currency ?? 'EUR'),
  );
  expect(new Set(rows.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'USD']));
});

test('generated payments end with the first successful one of their link, under link.deactivation: after-payment', async () => {
  const links = [1, 2].map((id) => ({
    id,
    description: `Room ${id}`,
    amount: 80,
    is_active: id === 1,
    created: '-100d',
  }));
  const choices = { 'link.deactivation': 'after-payment' };
  const world = await emptyWorld();
  const account = openAccount(world, 'one', choices, { payment_links: links });
  const counts = { customers: 0, invoices: 0, links: 10, payments: 200, deposits: 0 };
  addGenerated(world, account, counts);
  const paidLinks = new Set<number | null>();
  for (const { payment_link_id, status } of account.payments.rows) {
    expect(paidLinks).not.toContain(payment_link_id);
    expect(payment_link_id).not.toBe(2);
    if (status === 'paid') paidLinks.add(payment_link_id);
  }
  expect(account.payments.size).toBe(200);
  expect(paidLinks.size).toBe(10);
  expect(account.paymentLinks.rows.filter(({ is_active }) => is_active)).toHaveLength(1);
});

test.each([1, 1.239, 50])('generated amounts are at most the maximum of the profile: %d', async (maximum) => {
  const world = await emptyWorld();
  const account = openAccount(world, 'one', { 'amount.maximum': { maximum } });
  addGenerated(world, account, { customers: 0, invoices: 50, links: 20, payments: 50, deposits: 20 });
  const { invoices, paymentLinks, payments, deposits } = account;
  for (const { rows } of [invoices, paymentLinks, payments, deposits]) {
    expect(Math.max(...rows.map(({ amount }) => amount))).toBeLessThanOrEqual(maximum);
    expect(Math.min(...rows.map(({ amount }) => amount))).toBeGreaterThan(0);
  }
});

test('generated tax rates are at most the maximum of the profile', async () => {
  const world = await emptyWorld();
  const account = openAccount(world, 'one', { 'invoice.tax-rate': { maximum: 10 } });
  addGenerated(world, account, { customers: 0, invoices: 50, links: 0, payments: 0, deposits: 0 });
  const rates = account.invoices.rows.flatMap(({ items }) => items.map(({ tax_rate }) => tax_rate));
  expect([...new Set(rates)].sort((a, b) => a - b)).toEqual([0, 5.5, 10]);
});

test.each<Choices>([{}, { 'deposit.window': { for: '1h' } }, { 'deposit.link-expiry': { after: '2d' } }])(
  'generated deposits have not expired yet: %j',
  async (choices) => {
    const world = await emptyWorld();
    const account = openAccount(world, 'one', choices);
    addGenerated(world, account, { customers: 0, invoices: 0, links: 0, payments: 0, deposits: 50 });
    account.schedule.runDueItems();
    expect(new Set(account.deposits.rows.map(({ status }) => status))).toEqual(new Set(['pending', 'authorized']));
  },
);

describe('the slug of a generated payment link', () => {
  const counts = { customers: 0, invoices: 0, links: 1, payments: 0, deposits: 0 };

  /** Adds an account with a link, and generates a second one, which is the same in each account. */
  function addSecondLink(world: World, id: string, description: string, choices: Choices = {}): PaymentLink {
    const link = { id: 1, description, amount: 80, is_active: true, created: '-1d' };
    const account = openAccount(world, id, choices, { payment_links: [link] });
    addGenerated(world, account, counts);
    return getPaymentLink(account, 2);
  }

  test('differs from those of the links that exist', async () => {
    const world = await emptyWorld();
    const { description, slug } = addSecondLink(world, 'one', 'Room');
    expect(addSecondLink(world, 'two', description)).toMatchObject({ description, slug: `${slug}-2` });
  });

  test('differs from those in other accounts, under link.slug-scope: global', async () => {
    const world = await emptyWorld();
    const choices = { 'link.slug-scope': 'global' };
    const { description, slug } = addSecondLink(world, 'one', 'Room', choices);
    expect(addSecondLink(world, 'two', 'Suite', choices)).toMatchObject({ description, slug: `${slug}-2` });
  });
});

test('for links of one description, a seed continues the search for a free slug where the last one ended', async () => {
  const world = await emptyWorld();
  const choices = { 'link.slug-scope': 'global' };
  const link = { description: 'Room', amount: 80, is_active: true, created: '-2d' };
  const payment_links = Array.from({ length: 100 }, (_, index) => ({ ...link, id: index + 1 }));
  openAccount(world, 'one', choices, { payment_links });
  let lookupCount = 0;
  const accounts: AllAccounts = {
    all() {
      lookupCount += 1;
      return world.accounts.all();
    },
  };
  const seeded = buildSeed({ ...empty, payment_links }, openAccount(world, 'two', choices), accounts);
  expect(seeded.payment_links?.at(-1)).toMatchObject({ slug: 'room-200' });
  // Each link looks up the slug without a suffix and its own, and the first one also the slugs of the other account.
  expect(lookupCount).toBe(299);
});

test('an invoice of a seed with a date in the future counts as created when the seed was applied', async () => {
  const now = '2026-04-01T08:00:00.000Z';
  const account = openAccount(await emptyWorld(), 'one', {}, { invoices: [draft('5d', '30d')] }, now);
  expect(account.invoices.get(1)).toMatchObject({ date: '2026-04-06', created_at: now });
});

test.each([
  { amount: undefined, expected: 'sent' },
  { amount: 30, expected: 'partial' },
])(
  'an invoice that a seed calls overdue before its due date, with a paid amount of $amount, is $expected',
  async (row) => {
    const items = [{ description: 'Room', quantity: 1, unit_price: 80, tax_rate: 0 }];
    const payment = { id: 1, invoice_id: 1, customer_id: 1, status: 'paid', payment_method: 'card' } as const;
    const { amount, expected } = row;
    const account = openAccount(
      await emptyWorld(),
      'one',
      {},
      {
        invoices: [{ ...draft('-2d', '30d'), status: 'overdue', items }],
        payments: amount === undefined ? [] : [{ ...payment, amount, created: '-1d', paid: '-1d' }],
      },
    );
    expect(account.invoices.get(1)).toMatchObject({ status: expected, paid_amount: amount ?? 0 });
  },
);

test.each([
  { status: 'partial', paid: 110, expected: 'paid' },
  { status: 'partial', paid: 100, expected: 'paid' },
  { status: 'draft', paid: 110, expected: 'draft' },
  { status: 'cancelled', paid: 110, expected: 'cancelled' },
] as const)(
  'an invoice of a seed ($status, $paid paid) is paid at most in full after a reset, even if a changed profile makes its amount smaller',
  async ({ status, paid, expected }) => {
    const items = [{ description: 'Room', quantity: 1, unit_price: 100, tax_rate: 20 }];
    const payment = { customer_id: 1, amount: paid, status: 'paid', payment_method: 'card', created: '-1d' } as const;
    const records = {
      invoices: [{ ...draft('-2d', '30d'), status, items }],
      payments: [{ ...payment, id: 1, invoice_id: 1 }],
    };
    const world = await emptyWorld();
    const account = openAccount(world, 'one', {}, records);
    const changed = world.accounts.configure(account, { choices: { 'invoice.amount': 'net' } });
    const reset = world.accounts.reset(changed);
    expect(reset.invoices.get(1)).toMatchObject({ status: expected, amount: 100, paid_amount: 100 });
    expect(getInvoiceStats(reset)).toMatchObject({ total_outstanding: 0 });
  },
);

test.each([
  { dueDate: '30d', expected: 'partial' },
  { dueDate: '-1d', expected: 'overdue' },
] as const)(
  'a paid invoice of a seed (due $dueDate) is $expected after a reset if a changed profile makes its amount larger',
  async ({ dueDate, expected }) => {
    const items = [{ description: 'Room', quantity: 1, unit_price: 100, tax_rate: 20 }];
    const payment = { customer_id: 1, amount: 100, status: 'paid', payment_method: 'card', created: '-1d' } as const;
    const records = {
      invoices: [{ ...draft('-2d', dueDate), status: 'paid' as const, items }],
      payments: [{ ...payment, id: 1, invoice_id: 1 }],
    };
    const world = await emptyWorld();
    const account = openAccount(world, 'one', { 'invoice.amount': 'net' }, records);
    const changed = world.accounts.configure(account, { choices: { 'invoice.amount': 'taxed-lines' } });
    const reset = world.accounts.reset(changed);
    expect(reset.invoices.get(1)).toMatchObject({ status: expected, amount: 120, paid_amount: 100 });
    expect(getInvoiceStats(reset)).toMatchObject({ total_outstanding: 20 });
  },
);
