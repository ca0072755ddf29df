import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InvoiceCause, invoiceLifecycle } from '../../src/domain/invoice-lifecycle.js';
import { findTransition } from '../../src/domain/lifecycle.js';
import { type Invoice, type InvoiceStatus, invoiceStatuses } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import {
  createInvoice,
  getInvoiceStats,
  listInvoices,
  listOverdueInvoices,
  type Statistics,
} from '../../src/simulation/operations/invoices.js';
import type { World } from '../../src/simulation/world.js';
import { scaled } from '../domain/exact.js';
import { emptyWorld, openAccount } from './world.js';

const day = 86_400_000;
const start = Date.parse('2026-04-01T08:00:00Z');

type Step =
  | { readonly do: 'create'; readonly customer: number; readonly due: number; readonly cents: readonly number[] }
  | { readonly do: InvoiceCause; readonly which: number; readonly part: number }
  | { readonly do: 'move'; readonly to: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('create' as const),
      customer: fc.integer({ min: 1, max: 3 }),
      due: fc.integer({ min: -3, max: 12 }),
      cents: fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      do: fc.constantFrom('send' as const, 'view' as const, 'pay' as const, 'pay' as const, 'cancel' as const),
      which: fc.nat(),
      part: fc.integer({ min: 1, max: 4 }),
    }),
    // Hours, so that some times are on different dates in UTC and in Paris.
    fc.record({ do: fc.constant('move' as const), to: fc.integer({ min: 0, max: 100 }) }),
  ),
  { minLength: 1, maxLength: 25 },
);

const choices: fc.Arbitrary<Choices> = fc.record({
  'invoice.pending-count': fc.constantFrom('without-overdue', 'with-overdue'),
  'invoice.outstanding': fc.constantFrom('remaining', 'whole-amount'),
  'invoice.overdue-moment': fc.constantFrom('utc-day', 'account-day', 'never'),
  'invoice.currency': fc.constantFrom('account', 'customer'),
  'invoice.amount': fc.constantFrom('taxed-lines', 'net', 'rounded-once'),
  'overdue.total-outstanding': fc.constantFrom('listed', 'all-unpaid'),
});

/** Performs the steps; clock changes are in hours, relative to the previous time. */
async function live(world: World, chosen: Choices, appliedSteps: readonly Step[]): Promise<Account> {
  const account = openAccount(world, 'demo', chosen);
  for (const step of appliedSteps) {
    if (step.do === 'create') create(account, step);
    else if (step.do === 'move') {
      account.schedule.freezeAt(account.now() + step.to * 3_600_000);
    } else change(account, step.do, step.which, step.part);
    account.schedule.runDueItems();
  }
  await world.commits.whenStored();
  return account;
}

function create(account: Account, step: Step & { do: 'create' }): void {
  const date = new Date(start - 10 * day).toISOString().slice(0, 10);
  const due_date = new Date(start + step.due * day).toISOString().slice(0, 10);
  const items = step.cents.map((cents) => ({
    description: 'Night',
    quantity: 1,
    unit_price: cents / 100,
    tax_rate: 19.6,
  }));
  createInvoice(account, { customer_id: step.customer, date, due_date, items }, 999_999.99);
}

/** Applies an allowed transition to some invoice; a payment is of part or all of the remaining amount. */
function change(account: Account, cause: InvoiceCause, which: number, part: number): void {
  const invoice = account.invoices.rows[which % Math.max(1, account.invoices.size)];
  if (!invoice) return;
  const rest = scaled(invoice.amount) - scaled(invoice.paid_amount);
  const payment = part === 4 ? rest : (rest * BigInt(part)) / 4n;
  const condition = payment < rest ? 'in-part' : 'in-full';
  const row = findTransition(invoiceLifecycle, invoice.status, cause, account.profile, condition);
  if (!row) return;
  const paid = cause === 'pay' ? payment : 0n;
  const paid_amount = Number(scaled(invoice.paid_amount) + paid) / 100;
  account.transaction((tx) => tx.put({ invoices: [{ ...invoice, status: row.to, paid_amount }] }));
}

function allInvoices(account: Account): readonly Invoice[] {
  return listInvoices(account, { page: 1, size: 1000, newestFirst: false }).rows;
}

/** Returns the date in a time zone, by the calendar of the JavaScript runtime. */
function today(account: Account, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(account.now());
}

function recomputed(account: Account, isOverdue: (invoice: Invoice) => boolean): Statistics {
  const { profile, record } = account;
  const all = allInvoices(account);
  const unpaid = all.filter(({ status }) => !['draft', 'paid', 'cancelled'].includes(status));
  const overdue = unpaid.filter(isOverdue);
  const whole = profile['invoice.outstanding'] === 'whole-amount';
  const owed = (rows: readonly Invoice[]): number => {
    const sums = rows.filter(({ currency }) => currency === record.currency);
    const cents = sums.map(({ amount, paid_amount }) => scaled(amount) - (whole ? 0n : scaled(paid_amount)));
    return Number(cents.reduce((sum, each) => sum + each, 0n)) / 100;
  };
  const pending = profile['invoice.pending-count'] === 'with-overdue' ? unpaid.length : unpaid.length - overdue.length;
  return {
    total_invoices: all.length,
    pending_invoices: pending,
    paid_invoices: all.filter(({ status }) => status === 'paid').length,
    overdue_invoices: overdue.length,
    total_outstanding: owed(unpaid),
    total_overdue: owed(overdue),
    currency: record.currency,
  };
}

function countsByStatus(statuses: readonly InvoiceStatus[]): Partial<Record<InvoiceStatus, number>> {
  return Object.fromEntries(
    invoiceStatuses.map((status) => [status, statuses.filter((each) => each === status).length]),
  );
}

describe('after any sequence of changes and moves of the clock', () => {
  const byDate =
    (account: Account) =>
    ({ due_date }: Invoice): boolean => {
      const zone = account.profile['invoice.overdue-moment'] === 'account-day' ? account.record.time_zone : 'UTC';
      return due_date < today(account, zone);
    };

  it('the statistics match the invoice list, with unpaid invoices after their due date as overdue', async () => {
    await fc.assert(
      fc.asyncProperty(choices, steps, async (chosen, appliedSteps) => {
        const account = await live(await emptyWorld(), chosen, appliedSteps);
        expect(getInvoiceStats(account)).toEqual(recomputed(account, byDate(account)));
      }),
    );
  });

  it('the counts by status match the invoice list', async () => {
    await fc.assert(
      fc.asyncProperty(choices, steps, async (chosen, appliedSteps) => {
        const account = await live(await emptyWorld(), chosen, appliedSteps);
        const counted = invoiceStatuses.map((status) => [status, account.totals.countOf(status)]);
        expect(Object.fromEntries(counted)).toEqual(countsByStatus(allInvoices(account).map(({ status }) => status)));
      }),
    );
  });

  it('the overdue list has every unpaid invoice after its due date, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(choices, steps, async (chosen, appliedSteps) => {
        const account = await live(await emptyWorld(), chosen, appliedSteps);
        const late = allInvoices(account).filter(byDate(account));
        const unpaid = late.filter(({ status }) => !['draft', 'paid', 'cancelled'].includes(status));
        expect(listOverdueInvoices(account).invoices).toEqual(unpaid.toReversed());
      }),
    );
  });

  it('the total of the overdue list is that of the listed or of all unpaid invoices, as overdue.total-outstanding says', async () => {
    await fc.assert(
      fc.asyncProperty(choices, steps, async (chosen, appliedSteps) => {
        const account = await live(await emptyWorld(), chosen, appliedSteps);
        const { total_outstanding, total_overdue } = recomputed(account, byDate(account));
        const all = account.profile['overdue.total-outstanding'] === 'all-unpaid';
        expect(listOverdueInvoices(account).outstanding).toBe(all ? total_outstanding : total_overdue);
      }),
    );
  });
});
