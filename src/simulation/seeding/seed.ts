import { dateOf, formatInstant, isTimeZone } from '../../domain/dates.js';
import { authorizationWindow } from '../../domain/deposit-lifecycle.js';
import { fallDue, fallsDueAt, invoiceCurrency } from '../../domain/invoice-lifecycle.js';
import { invoiceAmount, lineTotal, plus } from '../../domain/money.js';
import { defaultMethod } from '../../domain/payment-lifecycle.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { type RelativeTime, type Seed, SeedError } from '../../domain/seed.js';
import { firstFreeSlug, slugOf } from '../../domain/slugs.js';
import { monthOrYearHint, parseDuration } from '../../lib/durations.js';
import type { Profile } from '../../openapi/gaps.js';
import { contactOf } from '../operations/customers.js';
import { depositId } from '../operations/deposits.js';
import { paymentReference } from '../operations/payments.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';

/**
 * Builds the rows of a seed (the initial records) for an account. Times of the seed are relative to the account's current
 * time.
 * @throws SeedError
 */
export function buildSeed(seed: Seed, account: AccountState): RowsByTable {
  if (!isTimeZone(seed.time_zone)) throw new SeedError(`the time zone of the seed is not known: ${seed.time_zone}`);
  for (const rows of [seed.customers, seed.invoices, seed.payment_links, seed.payments, seed.deposits]) {
    const ids = new Set<number>();
    for (const { id } of rows) {
      if (ids.has(id)) throw new SeedError(`the seed has id ${id} twice in one list`);
      ids.add(id);
    }
  }
  const now = account.now();
  const { profile } = account;
  const toInstant = (time: RelativeTime): string => formatInstant(now + offsetMs(time));
  const toDate = (time: RelativeTime): string => dateOf(now + offsetMs(time), seed.time_zone);

  const customers = new Map(seed.customers.map((customer) => [customer.id, customer]));
  const customerOf = (id: number): Customer => {
    const customer = customers.get(id);
    if (!customer) throw new SeedError(`the seed refers to customer ${id}, which it does not contain`);
    return customer;
  };
  const contactOfCustomer = (id: number): Payment['customer'] => contactOf(customerOf(id));

  const payments = seed.payments.map((payment): Payment => {
    const link = referencedRow(seed.payment_links, payment.payment_link_id, 'payment link');
    const invoice = referencedRow(seed.invoices, payment.invoice_id, 'invoice');
    return {
      id: payment.id,
      description: link?.description ?? `Invoice ${invoice?.invoice_number ?? ''}`.trim(),
      amount: payment.amount,
      currency: seed.currency,
      status: payment.status,
      payment_method: allowedMethod(payment, profile),
      payment_link_id: payment.payment_link_id ?? null,
      invoice_id: payment.invoice_id ?? null,
      reference: paymentReference(payment.id),
      customer: contactOfCustomer(payment.customer_id),
      paid_at: payment.paid === undefined ? null : toInstant(payment.paid),
      history: [],
      created_at: toInstant(payment.created),
    };
  });
  const paidPayments = payments.filter((payment) => payment.status === 'paid');
  const sumOfAmounts = (rows: readonly Payment[]): number => rows.reduce((total, row) => plus(total, row.amount), 0);

  const invoices = seed.invoices.map((row): Invoice => {
    const items = row.items.map((item) => ({ ...item, total: lineTotal(item, profile, seed.currency) }));
    const due_date = toDate(row.due_date);
    const invoice: Invoice = {
      id: row.id,
      invoice_number: row.invoice_number,
      reference: row.reference,
      customer_id: row.customer_id,
      amount: invoiceAmount(items, profile, seed.currency),
      paid_amount: sumOfAmounts(paidPayments.filter((payment) => payment.invoice_id === row.id)),
      currency: invoiceCurrency(customerOf(row.customer_id), seed.currency, profile),
      // Below, the due date decides whether the invoice is overdue.
      status: row.status === 'overdue' ? 'sent' : row.status,
      past_due: false,
      date: toDate(row.date),
      due_date,
      notes: row.notes,
      items,
      subscription: row.subscription,
      history: [],
      created_at: toInstant(row.date),
    };
    return fallsDueAt(invoice, profile, seed.time_zone) <= now
      ? fallDue(invoice, profile, fallsDueAt(invoice, profile, seed.time_zone))
      : invoice;
  });

  const slugs = new Set<string>();
  const freeSlug = (preferredSlug: string): string => {
    const { slug } = firstFreeSlug(preferredSlug, (candidate) => slugs.has(candidate));
    slugs.add(slug);
    return slug;
  };

  const links = seed.payment_links.map((link): PaymentLink => {
    const paymentsOfLink = paidPayments.filter((payment) => payment.payment_link_id === link.id);
    return {
      id: link.id,
      slug: freeSlug(slugOf(link.description, profile)),
      description: link.description,
      amount: link.amount,
      currency: seed.currency,
      is_active: link.is_active && (paymentsOfLink.length === 0 || profile['link.deactivation'] === 'never'),
      payments_count: paymentsOfLink.length,
      revenue: sumOfAmounts(paymentsOfLink),
      created_at: toInstant(link.created),
    };
  });

  const deposits = seed.deposits.map((row): Deposit => {
    const captures = (row.captures ?? []).map((capture) => ({ ...capture, at: toInstant(capture.at) }));
    const authorizedAt = row.authorized === undefined ? null : now + offsetMs(row.authorized);
    return {
      id: depositId(account, row.id),
      booking_reference: row.booking_reference,
      amount: row.amount,
      currency: seed.currency,
      customer: row.customer,
      check_in_date: toDate(row.check_in_date),
      check_out_date: toDate(row.check_out_date),
      metadata: row.metadata,
      status: row.status,
      captured_amount: captures.reduce((total, capture) => plus(total, capture.amount), 0),
      captures,
      authorized_at: authorizedAt === null ? null : formatInstant(authorizedAt),
      expires_at: authorizedAt === null ? null : formatInstant(authorizedAt + authorizationWindow(profile)),
      released_at: row.released === undefined ? null : toInstant(row.released),
      history: [],
      created_at: toInstant(row.created),
    };
  });

  return { customers: seed.customers, invoices, payment_links: links, payments, deposits };
}

/** The row of a seed with this id; undefined without an id. @throws SeedError if the seed does not contain it */
function referencedRow<Row extends { readonly id: number }>(
  rows: readonly Row[],
  id: number | undefined,
  name: string,
): Row | undefined {
  const row = rows.find((candidate) => candidate.id === id);
  if (id !== undefined && !row) throw new SeedError(`the seed refers to ${name} ${id}, which it does not contain`);
  return row;
}

/** The payment method of the seed, or a default if the profile does not allow it (gap payment.methods). */
function allowedMethod(payment: Seed['payments'][number], profile: Profile): string {
  const { id, payment_method: method } = payment;
  const allowed = profile['payment.methods'];
  return typeof allowed === 'string' || allowed.only.includes(method) ? method : defaultMethod(profile, id);
}

function offsetMs(time: RelativeTime): number {
  const isPast = time.startsWith('-');
  const duration = time === '0' ? 0 : parseDuration(isPast ? time.slice(1) : time);
  if (duration === undefined)
    throw new SeedError(`${JSON.stringify(time)} in the seed is not a time such as -8d${monthOrYearHint(time)}`);
  return isPast ? -duration : duration;
}
