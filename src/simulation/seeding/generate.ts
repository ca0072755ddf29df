import { base, en, Faker } from '@faker-js/faker';
import { addDays, dateOf, formatInstant, parseInstant } from '../../domain/dates.js';
import { authorizationWindow, holdEnd } from '../../domain/deposit-lifecycle.js';
import { invoiceCurrency, markOverdueIfDue } from '../../domain/invoice-lifecycle.js';
import { decimalPlacesOf, invoiceAmount, lineTotal, maximumAmount, roundDown } from '../../domain/money.js';
import { payLink } from '../../domain/payable.js';
import { paymentMethods } from '../../domain/payment-lifecycle.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { slugOf } from '../../domain/slugs.js';
import { dayMs } from '../../lib/durations.js';
import type { Profile } from '../../openapi/profile.js';
import { contactOf, getCustomer } from '../operations/customers.js';
import { freeDepositIds } from '../operations/deposits.js';
import { type AllAccounts, chooseSlug } from '../operations/payment-links.js';
import { paymentReference } from '../operations/payments.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';

/** How many records to generate. `payments` counts only payments through payment links. */
export interface RecordCounts {
  readonly customers: number;
  readonly invoices: number;
  readonly links: number;
  readonly payments: number;
  readonly deposits: number;
}

/** A paid invoice, and the time of its payment. */
interface PaidInvoice {
  readonly invoice: Invoice;
  readonly at: number;
}

/** Maximum number of rows per batch. */
const batchSize = 500;

/**
 * Generates random records for large test accounts, in batches; the caller commits each batch before it requests the
 * next. The same random seed, account and time yield the same records. Invoices require a customer, and payments a
 * customer and a payment link; these can be generated, too. Besides the given number of payments, each paid invoice has
 * one.
 * @param accounts slugs may have to be unique among all of them (gap link.slug-scope)
 */
export function* generateRecords(
  account: AccountState,
  accounts: AllAccounts,
  counts: RecordCounts,
  randomSeed: number,
): Generator<RowsByTable> {
  const factory = new RecordFactory(account, accounts, randomSeed);
  for (const customers of batches(counts.customers, account.customers.nextId(), (id) => factory.customer(id))) {
    yield { customers };
  }
  const firstInvoice = account.invoices.nextId();
  for (const invoices of batches(counts.invoices, firstInvoice, (id, progress) => factory.invoice(id, progress))) {
    yield { invoices };
  }
  const firstLink = account.paymentLinks.nextId();
  for (const payment_links of batches(counts.links, firstLink, (id, progress) => factory.link(id, progress))) {
    yield { payment_links };
  }
  const paidInvoices = account.invoices.rows.filter(({ id, status }) => id >= firstInvoice && status === 'paid');
  const nextPayment = factory.paymentCreator(paidInvoices, counts.payments);
  const paymentCount = counts.payments + paidInvoices.length;
  for (const payments of batches(paymentCount, account.payments.nextId(), nextPayment)) {
    yield { payments, payment_links: withPayments(account, payments) };
  }
  const firstDeposit = account.deposits.nextId();
  for (const deposits of batches(counts.deposits, firstDeposit, (_number, progress) => factory.deposit(progress))) {
    yield { deposits };
  }
}

/**
 * Creates records with random values. `progress` is the share of the requested records of a kind that has been
 * generated, from 0 to 1: later records get later times of creation.
 */
class RecordFactory {
  readonly #account: AccountState;
  readonly #accounts: AllAccounts;
  readonly #faker: Faker;
  readonly #now: number;
  readonly #invoiceNumbers: Generator<string, never>;
  readonly #depositIds: Generator<number | string, never>;

  constructor(account: AccountState, accounts: AllAccounts, randomSeed: number) {
    this.#account = account;
    this.#accounts = accounts;
    this.#faker = new Faker({ locale: [en, base], seed: randomSeed });
    this.#now = account.now();
    this.#invoiceNumbers = freeInvoiceNumbers(account);
    this.#depositIds = freeDepositIds(account);
  }

  customer(id: number): Customer {
    const name = this.#faker.person.fullName();
    return {
      id,
      name,
      email: this.#faker.internet
        .email({ firstName: name, provider: `${this.#faker.internet.domainWord()}.example` })
        .toLowerCase(),
      company: this.#faker.company.name(),
      phone: this.#faker.phone.number({ style: 'international' }),
      address: this.#faker.location.streetAddress(),
      city: this.#faker.location.city(),
      postal_code: this.#faker.location.zipCode(),
      country: this.#faker.location.countryCode(),
      currency: null,
    };
  }

  invoice(id: number, progress: number): Invoice {
    const { profile, record, customers } = this.#account;
    let items = Array.from({ length: this.#faker.number.int({ min: 1, max: 3 }) }, () => ({
      description: this.#faker.commerce.productName(),
      quantity: this.#faker.number.int({ min: 1, max: 12 }),
      unit_price: this.#price(400),
      tax_rate: this.#pick(taxRates(profile)),
    }));
    const createdAt = this.#timeInLast(365, progress);
    const date = dateOf(createdAt, record.time_zone);
    // A status that is listed more often is picked more often.
    const status = this.#pick([
      'draft',
      'pending',
      'pending',
      'sent',
      'sent',
      'viewed',
      'paid',
      'paid',
      'paid',
      'cancelled',
    ] as const);
    const reference = this.#faker.datatype.boolean() ? `PO-${this.#faker.number.int({ min: 1000, max: 9999 })}` : null;
    const payer = this.#pick(customers.rows);
    const currency = invoiceCurrency(payer, record.currency, profile);
    let amount = invoiceAmount(items, profile, currency);
    if (amount > maximumAmount(profile)) {
      // The price of a single item is at most the maximum.
      items = items.slice(0, 1).map((item) => ({ ...item, quantity: 1, tax_rate: 0 }));
      amount = invoiceAmount(items, profile, currency);
    }
    const generated: Invoice = {
      id,
      invoice_number: this.#invoiceNumbers.next().value,
      reference,
      customer_id: payer.id,
      amount,
      paid_amount: status === 'paid' ? amount : 0,
      currency,
      status,
      past_due: false,
      date,
      due_date: addDays(date, 30),
      notes: null,
      items: items.map((item) => ({ ...item, total: lineTotal(item, profile, currency) })),
      subscription: null,
      history: [],
      created_at: formatInstant(createdAt),
    };
    return markOverdueIfDue(generated, profile, record.time_zone, this.#now);
  }

  link(id: number, progress: number): PaymentLink {
    const { profile, record } = this.#account;
    const description = `${this.#faker.commerce.productName()} ${id}`;
    return {
      id,
      slug: chooseSlug(this.#account, slugOf(description, profile), this.#accounts),
      description,
      amount: this.#price(500),
      currency: record.currency,
      is_active: true,
      payments_count: 0,
      revenue: 0,
      created_at: formatInstant(this.#timeInLast(365, progress)),
    };
  }

  /**
   * Returns a function that creates payments, oldest first: one of each of `paidInvoices`, and `linkPaymentCount` through
   * payment links.
   */
  paymentCreator(paidInvoices: readonly Invoice[], linkPaymentCount: number): (id: number) => Payment {
    const remaining = paidInvoices.map((invoice) => this.#paidInvoice(invoice)).sort((a, b) => b.at - a.at);
    const { paymentLinks } = this.#account;
    const now = this.#now;
    const linksByTime = paymentLinks.rowPositionsInTimeOrder().flatMap((position) => paymentLinks.rows[position] ?? []);
    // Payments through links are made in the last 90 days, but not before there is a link.
    const [firstLink] = linksByTime;
    const firstLinkAt = firstLink ? Math.min(now, parseInstant(firstLink.created_at)) : now;
    const start = Math.max(now - 90 * dayMs, firstLinkAt);
    const payableLinks = new PayableLinks(linksByTime, this.#account.profile);
    let linkCount = 0;
    return (id) => {
      const progress = (linkCount + 1) / (linkPaymentCount + 1);
      const linkTime =
        linkCount < linkPaymentCount ? Math.floor(start + progress * (now - start)) : Number.POSITIVE_INFINITY;
      const next = remaining.at(-1);
      if (next && next.at <= linkTime) {
        remaining.pop();
        return this.#invoicePayment(id, next);
      }
      linkCount += 1;
      const link = this.#pick(payableLinks.at(linkTime));
      const payment = this.#linkPayment(id, linkTime, link, payableLinks.canBePaid);
      if (payment.status === 'paid') payableLinks.onPaid(link);
      return payment;
    };
  }

  deposit(progress: number): Deposit {
    const { profile, record } = this.#account;
    const { 'deposit.link-expiry': linkExpiry } = profile;
    const lifetimeMs = Math.min(authorizationWindow(profile), linkExpiry === 'never' ? Infinity : linkExpiry.after);
    // At most six days, so that no hold has expired yet: by default it lasts seven days.
    const createdAt = this.#timeInLast(Math.min(6, (6 * lifetimeMs) / (7 * dayMs)), progress);
    const isAuthorized = this.#faker.datatype.boolean();
    const checkIn = addDays(dateOf(this.#now, record.time_zone), this.#faker.number.int({ min: 0, max: 60 }));
    return {
      id: this.#depositIds.next().value,
      booking_reference: `BK-${this.#faker.string.alphanumeric({ length: 8, casing: 'upper' })}`,
      amount: this.#price(900),
      currency: record.currency,
      customer: { name: this.#faker.person.fullName(), email: this.#faker.internet.exampleEmail().toLowerCase() },
      check_in_date: checkIn,
      check_out_date: addDays(checkIn, this.#faker.number.int({ min: 1, max: 14 })),
      metadata: { room: String(this.#faker.number.int({ min: 1, max: 400 })) },
      status: isAuthorized ? 'authorized' : 'pending',
      captured_amount: 0,
      captures: [],
      authorized_at: isAuthorized ? formatInstant(createdAt) : null,
      expires_at: isAuthorized ? holdEnd(createdAt, profile) : null,
      released_at: null,
      history: [],
      created_at: formatInstant(createdAt),
    };
  }

  /** Chooses when an invoice was paid: up to 30 days after its creation. */
  #paidInvoice(invoice: Invoice): PaidInvoice {
    const createdAt = Date.parse(invoice.created_at);
    const latest = Math.min(this.#now, createdAt + 30 * dayMs);
    return { invoice, at: Math.floor(this.#faker.number.float({ min: createdAt, max: latest })) };
  }

  #linkPayment(id: number, createdAt: number, link: PaymentLink, canBePaid: boolean): Payment {
    const { profile, customers } = this.#account;
    const unpaidStatuses = ['open', 'pending', 'failed'] as const;
    const status = this.#pick(canBePaid ? ([...unpaidStatuses, 'paid', 'paid', 'paid'] as const) : unpaidStatuses);
    const created_at = formatInstant(createdAt);
    const payer = this.#pick(customers.rows);
    return {
      id,
      description: link.description,
      amount: link.amount,
      currency: link.currency,
      status,
      payment_method: this.#pick(paymentMethods(profile)),
      payment_link_id: link.id,
      invoice_id: null,
      reference: paymentReference(id),
      customer: contactOf(payer),
      paid_at: status === 'paid' ? created_at : null,
      history: [],
      created_at,
    };
  }

  #invoicePayment(id: number, { invoice, at }: PaidInvoice): Payment {
    const created_at = formatInstant(at);
    return {
      id,
      description: `Invoice ${invoice.invoice_number}`,
      amount: invoice.amount,
      currency: invoice.currency,
      status: 'paid',
      payment_method: this.#pick(paymentMethods(this.#account.profile)),
      payment_link_id: null,
      invoice_id: invoice.id,
      reference: paymentReference(id),
      customer: contactOf(getCustomer(this.#account, invoice.customer_id)),
      paid_at: created_at,
      history: [],
      created_at,
    };
  }

  /** A time in the last `days` days: their beginning for a progress of 0, now for a progress of 1. */
  #timeInLast(days: number, progress: number): number {
    return Math.floor(this.#now - (1 - progress) * days * dayMs);
  }

  /** A price of at least 1, and at most the given one and the largest amount of the profile (gap amount.maximum). */
  #price(largest: number): number {
    const { profile, record } = this.#account;
    const max = Math.min(largest, maximumAmount(profile));
    return roundDown(
      this.#faker.number.float({ min: 1, max, fractionDigits: 2 }),
      Math.min(2, decimalPlacesOf(record.currency, profile)),
    );
  }

  #pick<Value>(values: readonly Value[]): Value {
    return this.#faker.helpers.arrayElement(values);
  }
}

/** Common tax rates, in percent, that the profile allows (gap invoice.tax-rate). */
function taxRates({ 'invoice.tax-rate': choice }: Profile): readonly number[] {
  const maximum = typeof choice === 'string' ? 100 : choice.maximum;
  return [0, 5.5, 10, 20].filter((rate) => rate <= maximum);
}

/** The payment links through which payments can be made, in the order of time (gap link.deactivation). */
class PayableLinks {
  readonly #byTime: readonly PaymentLink[];
  readonly #isDeactivatedWhenPaid: boolean;
  readonly #payable: PaymentLink[] = [];
  /** Number of links in `#byTime` that exist at the latest time. */
  #existingCount = 0;

  /** @param byTime links, oldest first */
  constructor(byTime: readonly PaymentLink[], profile: Profile) {
    this.#isDeactivatedWhenPaid = profile['link.deactivation'] === 'after-payment';
    const active = byTime.filter(({ is_active }) => is_active);
    // Without active links, the payments were made before the links became inactive.
    this.#byTime = this.#isDeactivatedWhenPaid && active.length > 0 ? active : byTime;
  }

  /**
   * Returns the links that can be paid at a time. The first link counts as existing at any time.
   * @param time the times of all calls must be in ascending order
   */
  at(time: number): readonly PaymentLink[] {
    for (;;) {
      const link = this.#byTime[this.#existingCount];
      if (!link || (this.#existingCount > 0 && parseInstant(link.created_at) > time)) return this.#payable;
      this.#payable.push(link);
      this.#existingCount += 1;
    }
  }

  /** False if only one link is left. It stays active for further payments, which do not succeed. */
  get canBePaid(): boolean {
    return !this.#isDeactivatedWhenPaid || this.#payable.length > 1;
  }

  /** Called after a successful payment, which may deactivate the link. */
  onPaid(link: PaymentLink): void {
    if (!this.#isDeactivatedWhenPaid) return;
    const last = this.#payable.pop();
    const index = this.#payable.indexOf(link);
    if (last && index !== -1) this.#payable[index] = last;
  }
}

/** Numbers for generated invoices, from the next id on, without those that other invoices have. */
function* freeInvoiceNumbers({ invoices, invoicesByNumber }: AccountState): Generator<string, never> {
  for (let number = invoices.nextId(); ; number++) {
    const text = `GEN-${String(number).padStart(7, '0')}`;
    if (!invoicesByNumber.has(text)) yield text;
  }
}

/** Returns the payment links of the paid payments, with these payments added. */
function withPayments({ paymentLinks, profile }: AccountState, payments: readonly Payment[]): PaymentLink[] {
  const changed = new Map<PaymentLink['id'], PaymentLink>();
  for (const { status, amount, payment_link_id: id } of payments) {
    const link = id === null ? undefined : (changed.get(id) ?? paymentLinks.get(id));
    if (status === 'paid' && link) changed.set(link.id, payLink(link, amount, profile));
  }
  return [...changed.values()];
}

/**
 * Generates rows in batches.
 * @param generate gets the id of a row, and the share of the rows that has been generated, from 0 to 1: rows with
 *   higher ids are created later
 */
function* batches<Row>(
  count: number,
  firstId: number,
  generate: (id: number, progress: number) => Row,
): Generator<Row[]> {
  for (let offset = 0; offset < count; offset += batchSize) {
    const size = Math.min(batchSize, count - offset);
    yield Array.from({ length: size }, (_, index) =>
      generate(firstId + offset + index, (offset + index + 1) / (count + 1)),
    );
  }
}
