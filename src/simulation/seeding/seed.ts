import { addDays, dateOf, formatInstant, parseInstant } from '../../domain/dates.js';
import { authorizationWindow } from '../../domain/deposit-lifecycle.js';
import { invoiceCurrency, isUnpaid, markOverdueIfDue } from '../../domain/invoice-lifecycle.js';
import { invoiceAmount, lineTotal, plus } from '../../domain/money.js';
import { payLink } from '../../domain/payable.js';
import { defaultMethod } from '../../domain/payment-lifecycle.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { type RelativeTime, relativeTimeMs, type Seed } from '../../domain/seed.js';
import { firstFreeSlug, slugOf } from '../../domain/slugs.js';
import { dayMs } from '../../lib/durations.js';
import type { Profile } from '../../openapi/gaps.js';
import { contactOf } from '../operations/customers.js';
import { depositId } from '../operations/deposits.js';
import { type AllAccounts, isSlugTakenElsewhere } from '../operations/payment-links.js';
import { paymentReference } from '../operations/payments.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import { Lookup } from '../state/table.js';

/**
 * Builds the rows of a seed (the initial records) for an account. Times of the seed are relative to the account's
 * current time.
 * @param seed already validated, by the readers of seeds in `files`
 * @param accounts slugs may have to be unique among all of them (gap link.slug-scope)
 */
export function buildSeed(seed: Seed, account: AccountState, accounts: AllAccounts): RowsByTable {
  const now = account.now();
  const { profile } = account;
  const toInstant = (time: RelativeTime): string => formatInstant(now + offsetMs(time));
  const toDate = (time: RelativeTime): string => {
    const offset = offsetMs(time);
    // Counts the days in the calendar, because the day on which summer time begins or ends does not have 24 hours.
    const days = Math.trunc(offset / dayMs);
    return addDays(dateOf(now + offset - days * dayMs, seed.time_zone), days);
  };

  const toInstantOrNull = (time: RelativeTime | null | undefined) => (time ? toInstant(time) : null);
  const toDateOrNull = (time: RelativeTime | null) => (time ? toDate(time) : null);

  const customers = new Map(seed.customers.map((customer) => [customer.id, customer]));
  const customerOf = (id: number): Customer => {
    const customer = customers.get(id);
    if (!customer) throw new Error(`the seed has no customer ${id}`);
    return customer;
  };
  const contactOfCustomer = (id: number): Payment['customer'] => contactOf(customerOf(id));

  const linksById = new Map<number | null | undefined, Seed['payment_links'][number]>(
    seed.payment_links.map((link) => [link.id, link]),
  );
  const invoicesById = new Map<number | null | undefined, Seed['invoices'][number]>(
    seed.invoices.map((invoice) => [invoice.id, invoice]),
  );
  const payments = seed.payments.map((payment): Payment => {
    const link = linksById.get(payment.payment_link_id);
    const invoice = invoicesById.get(payment.invoice_id);
    return {
      id: payment.id,
      description: link?.description ?? `Invoice ${invoice?.invoice_number ?? ''}`.trim(),
      amount: payment.amount,
      currency: invoice ? invoiceCurrency(customerOf(invoice.customer_id), seed.currency, profile) : seed.currency,
      status: payment.status,
      payment_method: allowedMethod(payment, profile),
      payment_link_id: payment.payment_link_id ?? null,
      invoice_id: payment.invoice_id ?? null,
      reference: paymentReference(payment.id),
      customer: contactOfCustomer(payment.customer_id),
      paid_at: toInstantOrNull(payment.paid),
      history: [],
      created_at: toInstant(payment.created),
    };
  });
  const paidPaymentsOfLink = new Lookup<Payment>(({ payment_link_id }) => payment_link_id);
  const paidPaymentsOfInvoice = new Lookup<Payment>(({ invoice_id }) => invoice_id);
  for (const payment of payments.filter(({ status }) => status === 'paid')) {
    paidPaymentsOfLink.add(payment);
    paidPaymentsOfInvoice.add(payment);
  }
  const sumOfAmounts = (rows: readonly Payment[]): number => rows.reduce((total, row) => plus(total, row.amount), 0);

  const invoices = seed.invoices.map((row): Invoice => {
    const currency = invoiceCurrency(customerOf(row.customer_id), seed.currency, profile);
    const items = row.items.map((item) => ({ ...item, total: lineTotal(item, profile, currency) }));
    const amount = invoiceAmount(items, profile, currency);
    const paidAmount = sumOfAmounts(paidPaymentsOfInvoice.all(row.id));
    const statusBeforeDueDate = paidAmount > 0 ? 'partial' : 'sent';
    const due_date = toDate(row.due_date);
    const seeded: Invoice = {
      id: row.id,
      invoice_number: row.invoice_number,
      reference: row.reference,
      customer_id: row.customer_id,
      amount,
      paid_amount: Math.min(paidAmount, amount),
      currency,
      // Below, the due date decides whether the invoice is overdue.
      status: row.status === 'overdue' ? statusBeforeDueDate : row.status,
      past_due: false,
      date: toDate(row.date),
      due_date,
      notes: row.notes,
      items,
      subscription: row.subscription,
      history: [],
      // The date of an invoice can be in the future.
      created_at: formatInstant(now + Math.min(0, offsetMs(row.date))),
    };
    // A profile that was chosen after the seed was validated can lower the amount, so that the payments cover it (gap
    // invoice.amount).
    const isPaid = paidAmount > 0 && paidAmount >= amount && isUnpaid(seeded);
    const invoice: Invoice = isPaid ? { ...seeded, status: 'paid' } : seeded;
    return markOverdueIfDue(invoice, profile, seed.time_zone, now);
  });

  const slugs = new Set<string>();
  const lastSuffixes = new Map<string, number>();
  const freeSlug = (preferredSlug: string): string => {
    const isTaken = (candidate: string): boolean =>
      slugs.has(candidate) || isSlugTakenElsewhere(account, candidate, accounts);
    const { slug, suffix } = firstFreeSlug(preferredSlug, isTaken, lastSuffixes.get(preferredSlug));
    slugs.add(slug);
    lastSuffixes.set(preferredSlug, suffix);
    return slug;
  };

  const links = seed.payment_links.map((link): PaymentLink => {
    const unpaidLink: PaymentLink = {
      id: link.id,
      slug: freeSlug(slugOf(link.description, profile)),
      description: link.description,
      amount: link.amount,
      currency: seed.currency,
      is_active: link.is_active,
      payments_count: 0,
      revenue: 0,
      created_at: toInstant(link.created),
    };
    return paidPaymentsOfLink.all(link.id).reduce((row, { amount }) => payLink(row, amount, profile), unpaidLink);
  });

  const deposits = seed.deposits.map((row): Deposit => {
    const captures = (row.captures ?? []).map((capture) => ({ ...capture, at: toInstant(capture.at) }));
    const authorizedAt = row.authorized ? now + offsetMs(row.authorized) : null;
    return {
      id: depositId(account, row.id),
      booking_reference: row.booking_reference,
      amount: row.amount,
      currency: seed.currency,
      customer: row.customer,
      check_in_date: toDateOrNull(row.check_in_date),
      check_out_date: toDateOrNull(row.check_out_date),
      metadata: row.metadata,
      status: row.status,
      captured_amount: captures.reduce((total, capture) => plus(total, capture.amount), 0),
      captures,
      authorized_at: authorizedAt === null ? null : formatInstant(authorizedAt),
      expires_at: authorizedAt === null ? null : formatInstant(authorizedAt + authorizationWindow(profile)),
      released_at: toInstantOrNull(row.released),
      history: [],
      created_at: toInstant(row.created),
    };
  });

  return {
    customers: seed.customers,
    invoices: oldestFirst(invoices),
    payment_links: oldestFirst(links),
    payments: oldestFirst(payments),
    deposits: oldestFirst(deposits),
  };
}

/**
 * Sorts rows by their time of creation, since lists return the rows of a table in the order in which they were added.
 */
function oldestFirst<Row extends { readonly created_at: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => parseInstant(a.created_at) - parseInstant(b.created_at));
}

/** The payment method of the seed, or a default if the profile does not allow it (gap payment.methods). */
function allowedMethod(payment: Seed['payments'][number], profile: Profile): string {
  const { id, payment_method: method } = payment;
  const allowed = profile['payment.methods'];
  return allowed === 'common' || allowed.only.includes(method) ? method : defaultMethod(profile, id);
}

function offsetMs(time: RelativeTime): number {
  const offset = relativeTimeMs(time);
  if (offset === undefined) throw new Error(`the seed has the invalid time ${JSON.stringify(time)}`);
  return offset;
}
