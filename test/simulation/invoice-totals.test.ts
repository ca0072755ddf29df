import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InvoiceCause, invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import { findTransition } from '../../src/domain/lifecycle.js';
import { type Invoice, type InvoiceStatus, invoiceStatuses } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { createCustomer } from '../../src/simulation/operations/customers.js';
import {
  changeInvoice,
  createInvoice,
  getInvoiceStats,
  type InvoiceStatistics,
  listOverdueInvoices,
} from '../../src/simulation/operations/invoices.js';
import type { World } from '../../src/simulation/world.js';
import { toCents } from '../domain/exact.js';
import { emptyWorld, openAccount, startTime } from './world.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse(startTime);

/**
 * A change to an account: a new invoice, a transition of an invoice, or an advance of the clock. `dueDays` counts from
 * the start; `index` selects an invoice; `quarters` is the part of the remaining amount that is paid, in quarters.
 */
type Change =
  | { readonly do: 'create'; readonly customer: number; readonly dueDays: number; readonly cents: readonly number[] }
  | { readonly do: InvoiceCause; readonly index: number; readonly quarters: number }
  | { readonly do: 'advance'; readonly hours: number };

const anyChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('create' as const),
      customer: fc.integer({ min: 1, max: 3 }),
      dueDays: fc.integer({ min: -3, max: 12 }),
      cents: fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      do: fc.constantFrom('send' as const, 'view' as const, 'pay' as const, 'pay' as const, 'cancel' as const),
      index: fc.nat(),
      quarters: fc.integer({ min: 1, max: 4 }),
    }),
    // Hours and not days, so that some times have different dates in UTC and in Paris.
    fc.record({ do: fc.constant('advance' as const), hours: fc.integer({ min: 0, max: 100 }) }),
  ),
  { minLength: 1, maxLength: 25 },
);

const anyChoices: fc.Arbitrary<Choices> = fc.record({
  'invoice.pending-count': fc.constantFrom('without-overdue', 'with-overdue'),
  'invoice.outstanding': fc.constantFrom('remaining', 'whole-amount'),
  'invoice.overdue-moment': fc.constantFrom('utc-day', 'account-day', 'never'),
  'invoice.currency': fc.constantFrom('account', 'customer'),
  'invoice.amount': fc.constantFrom('taxed-lines', 'net', 'rounded-once'),
  'overdue.total-outstanding': fc.constantFrom('listed', 'all-unpaid'),
});

/** Opens an account and applies the changes. */
async function openAccountWithChanges(world: World, choices: Choices, changes: readonly Change[]): Promise<Account> {
  const account = openAccount(world, 'demo', choices);
  for (const change of changes) {
    if (change.do === 'create') addInvoice(account, change);
    else if (change.do === 'advance') account.schedule.freezeAt(account.now() + change.hours * hourMs);
    else applyTransition(account, change.do, change.index, change.quarters);
    account.schedule.runDueItems();
  }
  await world.commits.whenStored();
  return account;
}

function addInvoice(account: Account, { customer, dueDays, cents }: Change & { do: 'create' }): void {
  const date = new Date(startMs - 10 * dayMs).toISOString().slice(0, 10);
  const due_date = new Date(startMs + dueDays * dayMs).toISOString().slice(0, 10);
  const items = cents.map((price) => ({ description: 'Night', quantity: 1, unit_price: price / 100, tax_rate: 19.6 }));
  createInvoice(account, { customer_id: customer, date, due_date, items });
}

/** Applies a transition to an invoice, if it is allowed. A payment is for 1 to 4 quarters of the remaining amount. */
function applyTransition(account: Account, cause: InvoiceCause, index: number, quarters: number): void {
  const invoice = account.invoices.rows[index % Math.max(1, account.invoices.size)];
  if (!invoice) return;
  const remainingCents = toCents(invoice.amount) - toCents(invoice.paid_amount);
  const paymentCents = (remainingCents * BigInt(quarters)) / 4n;
  const condition = paymentCents < remainingCents ? 'in-part' : 'in-full';
  const transition = findTransition(invoiceLifecycle, invoice.status, cause, account.profile, condition);
  if (!transition) return;
  const paidCents = cause === 'pay' ? paymentCents : 0n;
  const paid_amount = Number(toCents(invoice.paid_amount) + paidCents) / 100;
  account.transaction((tx) => tx.put({ invoices: [{ ...invoice, status: transition.to, paid_amount }] }));
}

function allInvoices(account: Account): readonly Invoice[] {
  return account.invoices.page({ page: 1, size: 1000, newestFirst: false }).rows;
}

/** Returns the current date in a time zone, as `Intl` computes it. */
function today(account: Account, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(account.now());
}

/** Statistics, computed from the invoice list. */
function recomputeStats(account: Account, isOverdue: (invoice: Invoice) => boolean): InvoiceStatistics {
  const { profile, record } = account;
  const all = allInvoices(account);
  const unpaid = all.filter(({ status }) => !['draft', 'paid', 'cancelled'].includes(status));
  const overdue = unpaid.filter(isOverdue);
  const countsWholeAmount = profile['invoice.outstanding'] === 'whole-amount';
  const sumOutstanding = (rows: readonly Invoice[]): number => {
    const inAccountCurrency = rows.filter(({ currency }) => currency === record.currency);
    const amountsInCents = inAccountCurrency.map(
      ({ amount, paid_amount }) => toCents(amount) - (countsWholeAmount ? 0n : toCents(paid_amount)),
    );
    return Number(amountsInCents.reduce((sum, cents) => sum + cents, 0n)) / 100;
  };
  const pending = profile['invoice.pending-count'] === 'with-overdue' ? unpaid.length : unpaid.length - overdue.length;
  return {
    total_invoices: all.length,
    pending_invoices: pending,
    paid_invoices: all.filter(({ status }) => status === 'paid').length,
    overdue_invoices: overdue.length,
    total_outstanding: sumOutstanding(unpaid),
    total_overdue: sumOutstanding(overdue),
    currency: record.currency,
  };
}

function countsByStatus(statuses: readonly InvoiceStatus[]): Partial<Record<InvoiceStatus, number>> {
  return Object.fromEntries(
    invoiceStatuses.map((status) => [status, statuses.filter((candidate) => candidate === status).length]),
  );
}

describe('after any sequence of changes and advances of the clock', () => {
  /** Returns a function that says whether the due date of an invoice has passed. */
  const isPastDueIn =
    (account: Account) =>
    ({ due_date }: Invoice): boolean => {
      const zone = account.profile['invoice.overdue-moment'] === 'account-day' ? account.record.time_zone : 'UTC';
      return due_date < today(account, zone);
    };

  it('the statistics match the invoice list; unpaid invoices after their due date count as overdue', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, anyChanges, async (choices, changes) => {
        const account = await openAccountWithChanges(await emptyWorld(), choices, changes);
        expect(getInvoiceStats(account)).toEqual(recomputeStats(account, isPastDueIn(account)));
      }),
    );
  });

  it('the counts by status match the invoice list', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, anyChanges, async (choices, changes) => {
        const account = await openAccountWithChanges(await emptyWorld(), choices, changes);
        const counted = invoiceStatuses.map((status) => [status, account.invoiceTotals.countWithStatus(status)]);
        expect(Object.fromEntries(counted)).toEqual(countsByStatus(allInvoices(account).map(({ status }) => status)));
      }),
    );
  });

  it('the overdue list has every unpaid invoice after its due date, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, anyChanges, async (choices, changes) => {
        const account = await openAccountWithChanges(await emptyWorld(), choices, changes);
        const pastDue = allInvoices(account).filter(isPastDueIn(account));
        const unpaid = pastDue.filter(({ status }) => !['draft', 'paid', 'cancelled'].includes(status));
        expect(listOverdueInvoices(account).invoices).toEqual(unpaid.toReversed());
      }),
    );
  });

  it('the total of the overdue list covers the listed or all unpaid invoices, as overdue.total-outstanding says', async () => {
    await fc.assert(
      fc.asyncProperty(anyChoices, anyChanges, async (choices, changes) => {
        const account = await openAccountWithChanges(await emptyWorld(), choices, changes);
        const { total_outstanding, total_overdue } = recomputeStats(account, isPastDueIn(account));
        const coversAllUnpaid = account.profile['overdue.total-outstanding'] === 'all-unpaid';
        expect(listOverdueInvoices(account).outstanding).toBe(coversAllUnpaid ? total_outstanding : total_overdue);
      }),
    );
  });
});

it('the sums are exact, even while they include the largest amounts', async () => {
  const account = openAccount(await emptyWorld(), 'demo', { 'amount.maximum': 'unbounded' });
  const addInvoiceOf = (unit_price: number): Invoice =>
    createInvoice(account, {
      customer_id: 1,
      date: '2026-04-01',
      due_date: '2026-04-30',
      items: [{ description: 'Night', quantity: 1, unit_price, tax_rate: 0 }],
    });
  const largest = [9_999_999_999_999.99, 9_999_999_999_999.99, 8_765_432_109_876.53].map(addInvoiceOf);
  for (let count = 0; count < 7; count++) addInvoiceOf(0.03);
  expect(getInvoiceStats(account).total_outstanding).toBe(28_765_432_109_876.72);
  for (const { id } of largest) changeInvoice(account, id, 'cancel');
  expect(getInvoiceStats(account).total_outstanding).toBe(0.21);
});

it('a sum over several currencies is rounded to the decimal places of the account currency', async () => {
  const choices = { 'invoice.currency': 'customer', 'invoice.other-currencies': 'added' };
  const account = openAccount(await emptyWorld(), 'demo', choices);
  const { id } = createCustomer(account, { name: 'Nour', email: 'nour@guest.example', currency: 'KWD' });
  const item = { description: 'Night', quantity: 0.5, unit_price: 2.47, tax_rate: 0 };
  createInvoice(account, { customer_id: id, date: '2026-03-01', due_date: '2026-03-02', items: [item] });
  account.schedule.runDueItems();
  expect(account.invoices.get(1)).toMatchObject({ currency: 'KWD', amount: 1.235 });
  expect(getInvoiceStats(account)).toMatchObject({ currency: 'EUR', total_outstanding: 1.24, total_overdue: 1.24 });
});
