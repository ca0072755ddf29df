import { addDays, dateOf, formatInstant, parseInstant } from '../../domain/dates.js';
import { holdEnd } from '../../domain/deposit-lifecycle.js';
import { invoiceCurrency, isUnpaid, markOverdueIfDue } from '../../domain/invoice-lifecycle.js';
import { invoiceAmount, lineTotal, plus } from '../../domain/money.js';
import { payLink } from '../../domain/payable.js';
import { defaultMethod } from '../../domain/payment-lifecycle.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { type RelativeTime, relativeTimeMs, type Seed } from '../../domain/seed.js';
import { firstFreeSlug, slugOf } from '../../domain/slugs.js';
import { dayMs } from '../../lib/durations.js';
import type { Profile } from '../../openapi/profile.js';
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
  const builder = new SeedBuilder(seed, account, accounts);
  const payments = seed.payments.map((payment) => builder.payment(payment));
  const paidPayments = payments.filter(({ status }) => status === 'paid');
  const paidPaymentsOfLink = new Lookup<Payment>(
    ({ payment_link_id }) => payment_link_id,
    () => paidPayments,
  );
  const paidPaymentsOfInvoice = new Lookup<Payment>(
    ({ invoice_id }) => invoice_id,
    () => paidPayments,
  );
  const invoices = seed.invoices.map((invoice) => builder.invoice(invoice, paidPaymentsOfInvoice.all(invoice.id)));
  const links = seed.payment_links.map((link) => builder.link(link, paidPaymentsOfLink.all(link.id)));
  const deposits = seed.deposits.map((deposit) => builder.deposit(deposit));
  return {
    customers: seed.customers,
    invoices: oldestFirst(invoices),
    payment_links: oldestFirst(links),
    payments: oldestFirst(payments),
    deposits: oldestFirst(deposits),
  };
}

type Seeded<Name extends 'invoices' | 'payment_links' | 'payments' | 'deposits'> = Seed[Name][number];

/** Builds single records of a seed. */
class SeedBuilder {
  readonly #seed: Seed;
  readonly #account: AccountState;
  readonly #accounts: AllAccounts;
  readonly #profile: Profile;
  readonly #now: number;
  readonly #customers: ReadonlyMap<number, Customer>;
  readonly #invoices: ReadonlyMap<number | null | undefined, Seeded<'invoices'>>;
  readonly #links: ReadonlyMap<number | null | undefined, Seeded<'payment_links'>>;
  readonly #slugs = new Set<string>();
  /** Suffixes of the slugs that were chosen last, by the preferred slug. */
  readonly #lastSuffixes = new Map<string, number>();

  constructor(seed: Seed, account: AccountState, accounts: AllAccounts) {
    this.#seed = seed;
    this.#account = account;
    this.#accounts = accounts;
    this.#profile = account.profile;
    this.#now = account.now();
    this.#customers = new Map(seed.customers.map((customer) => [customer.id, customer]));
    this.#invoices = new Map(seed.invoices.map((invoice) => [invoice.id, invoice]));
    this.#links = new Map(seed.payment_links.map((link) => [link.id, link]));
  }

  payment(payment: Seeded<'payments'>): Payment {
    const link = this.#links.get(payment.payment_link_id);
    const invoice = this.#invoices.get(payment.invoice_id);
    return {
      id: payment.id,
      description: link?.description ?? `Invoice ${invoice?.invoice_number ?? ''}`.trim(),
      amount: payment.amount,
      currency: invoice ? this.#currencyOf(invoice) : this.#seed.currency,
      status: payment.status,
      payment_method: allowedMethod(payment, this.#profile),
      payment_link_id: payment.payment_link_id ?? null,
      invoice_id: payment.invoice_id ?? null,
      reference: paymentReference(payment.id),
      customer: contactOf(this.#customerOf(payment)),
      paid_at: this.#instantOrNull(payment.paid),
      history: [],
      created_at: this.#instant(payment.created),
    };
  }

  invoice(invoice: Seeded<'invoices'>, paidPayments: readonly Payment[]): Invoice {
    const currency = this.#currencyOf(invoice);
    const items = invoice.items.map((item) => ({ ...item, total: lineTotal(item, this.#profile, currency) }));
    const amount = invoiceAmount(items, this.#profile, currency);
    const paidAmount = sumOfAmounts(paidPayments);
    // A profile that was chosen after the seed was validated can change the amount, so that the payments no longer cover
    // it, or do now (gap invoice.amount).
    const isUnderpaid = invoice.status === 'paid' && paidAmount < amount;
    const statusBeforeDueDate = paidAmount > 0 ? 'partial' : 'sent';
    const due_date = this.#date(invoice.due_date);
    const seeded: Invoice = {
      id: invoice.id,
      invoice_number: invoice.invoice_number,
      reference: invoice.reference,
      customer_id: invoice.customer_id,
      amount,
      paid_amount: Math.min(paidAmount, amount),
      currency,
      // Below, the due date decides whether the invoice is overdue.
      status: invoice.status === 'overdue' || isUnderpaid ? statusBeforeDueDate : invoice.status,
      past_due: false,
      date: this.#date(invoice.date),
      due_date,
      notes: invoice.notes,
      items,
      subscription: invoice.subscription,
      history: [],
      // The date of an invoice can be in the future.
      created_at: formatInstant(this.#now + Math.min(0, offsetMs(invoice.date))),
    };
    const isPaid = paidAmount > 0 && paidAmount >= amount && isUnpaid(seeded);
    const current: Invoice = isPaid ? { ...seeded, status: 'paid' } : seeded;
    return markOverdueIfDue(current, this.#profile, this.#seed.time_zone, this.#now);
  }

  link(link: Seeded<'payment_links'>, paidPayments: readonly Payment[]): PaymentLink {
    const unpaidLink: PaymentLink = {
      id: link.id,
      slug: this.#freeSlug(slugOf(link.description, this.#profile)),
      description: link.description,
      amount: link.amount,
      currency: this.#seed.currency,
      is_active: link.is_active,
      payments_count: 0,
      revenue: 0,
      created_at: this.#instant(link.created),
    };
    return paidPayments.reduce((row, { amount }) => payLink(row, amount, this.#profile), unpaidLink);
  }

  deposit(deposit: Seeded<'deposits'>): Deposit {
    const captures = (deposit.captures ?? []).map((capture) => ({ ...capture, at: this.#instant(capture.at) }));
    const authorizedAt = deposit.authorized ? this.#now + offsetMs(deposit.authorized) : null;
    return {
      id: depositId(this.#account, deposit.id),
      booking_reference: deposit.booking_reference,
      amount: deposit.amount,
      currency: this.#seed.currency,
      customer: deposit.customer,
      check_in_date: this.#dateOrNull(deposit.check_in_date),
      check_out_date: this.#dateOrNull(deposit.check_out_date),
      metadata: deposit.metadata,
      status: deposit.status,
      captured_amount: sumOfAmounts(captures),
      captures,
      authorized_at: authorizedAt === null ? null : formatInstant(authorizedAt),
      expires_at: authorizedAt === null ? null : holdEnd(authorizedAt, this.#profile),
      released_at: this.#instantOrNull(deposit.released),
      history: [],
      created_at: this.#instant(deposit.created),
    };
  }

  #instant(time: RelativeTime): string {
    return formatInstant(this.#now + offsetMs(time));
  }

  #instantOrNull(time: RelativeTime | null | undefined): string | null {
    return time ? this.#instant(time) : null;
  }

  #date(time: RelativeTime): string {
    const offset = offsetMs(time);
    // Counts the days in the calendar, because the day on which summer time begins or ends does not have 24 hours.
    const days = Math.trunc(offset / dayMs);
    return addDays(dateOf(this.#now + offset - days * dayMs, this.#seed.time_zone), days);
  }

  #dateOrNull(time: RelativeTime | null): string | null {
    return time ? this.#date(time) : null;
  }

  #customerOf({ customer_id: id }: { readonly customer_id: number }): Customer {
    const customer = this.#customers.get(id);
    if (!customer) throw new Error(`the seed has no customer ${id}`);
    return customer;
  }

  #currencyOf(invoice: Seeded<'invoices'>): string {
    return invoiceCurrency(this.#customerOf(invoice), this.#seed.currency, this.#profile);
  }

  #freeSlug(preferredSlug: string): string {
    const isTaken = (candidate: string): boolean =>
      this.#slugs.has(candidate) || isSlugTakenElsewhere(this.#account, candidate, this.#accounts);
    const { slug, suffix } = firstFreeSlug(preferredSlug, isTaken, this.#lastSuffixes.get(preferredSlug));
    this.#slugs.add(slug);
    this.#lastSuffixes.set(preferredSlug, suffix);
    return slug;
  }
}

function sumOfAmounts(rows: readonly { readonly amount: number }[]): number {
  return rows.reduce((total, { amount }) => plus(total, amount), 0);
}

/**
 * Sorts rows by their time of creation, since lists return the rows of a table in the order in which they were added.
 */
function oldestFirst<Row extends { readonly created_at: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => parseInstant(a.created_at) - parseInstant(b.created_at));
}

/** The payment method of the seed, or a default if the profile does not allow it (gap payment.methods). */
function allowedMethod(payment: Seeded<'payments'>, profile: Profile): string {
  const { id, payment_method: method } = payment;
  const allowed = profile['payment.methods'];
  return allowed === 'common' || allowed.only.includes(method) ? method : defaultMethod(profile, id);
}

function offsetMs(time: RelativeTime): number {
  const offset = relativeTimeMs(time);
  if (offset === undefined) throw new Error(`the seed has the invalid time ${JSON.stringify(time)}`);
  return offset;
}
