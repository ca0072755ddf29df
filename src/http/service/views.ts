import { apiTimestamp, dateOf, daysBetween } from '../../domain/dates.js';
import { defaultAccountId } from '../../domain/defaults.js';
import { shownRemainingAmount } from '../../domain/deposit-lifecycle.js';
import { decimalPlacesOf, formatDecimal } from '../../domain/money.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { invoiceSlug } from '../../domain/slugs.js';
import { decimalPlaces } from '../../lib/decimals.js';
import type { Profile } from '../../openapi/profile.js';
import type { InvoiceStatistics } from '../../simulation/operations/invoices.js';
import type { AccountState } from '../../simulation/state/account-state.js';

/** Renders a record for an account. */
type View<Row> = (account: AccountState, row: Row) => string;

/** Caches the last rendering, since an event and the response often need the same one. */
function cacheLast<Row>(view: View<Row>): View<Row> {
  let last: { readonly account: AccountState; readonly row: Row; readonly text: string } | undefined;
  return (account, row) => {
    if (last?.row !== row || last.account !== account) last = { account, row, text: view(account, row) };
    return last.text;
  };
}

/**
 * Renders records as clients see them: as JSON text or, for parts of a larger response, as objects. Also builds the URLs
 * of the pages where guests pay or authorize them.
 */
export class Views {
  readonly #server: { readonly url: string };

  /** @param server its URL, such as `http://127.0.0.1:4010`, is set once the server listens */
  constructor(server: { readonly url: string }) {
    this.#server = server;
  }

  /** The URL of the simulator. */
  url(): string {
    return this.#server.url;
  }

  /** The base URL of the service. */
  baseUrl(): string {
    return `${this.url()}/api/v1`;
  }

  /** URL of the page where an invoice can be paid. */
  invoicePayUrl(account: AccountState, invoice: Invoice): string {
    return pageUrl(this.url(), 'pay', account, invoiceSlug(invoice.id));
  }

  /** URL of the page of a payment link. */
  linkUrl(account: AccountState, link: PaymentLink): string {
    return pageUrl(this.url(), 'pay', account, link.slug);
  }

  /** URL of the page where the guest authorizes a deposit. */
  authorizationUrl(account: AccountState, deposit: Deposit): string {
    return pageUrl(this.url(), 'authorize', account, String(deposit.id));
  }

  /** An invoice in the list of invoices, and in the response to its creation. */
  invoiceListItem(account: AccountState, invoice: Invoice): string {
    return JSON.stringify(invoiceFields(account, invoice));
  }

  invoiceDetail(account: AccountState, invoice: Invoice): string {
    return JSON.stringify({
      ...invoiceFields(account, invoice),
      customer: customerFields(account, invoice, ({ company, phone, address, city, postal_code, country }) => ({
        company,
        phone,
        address,
        city,
        postal_code,
        country,
      })),
      ...optionalTexts(account.profile, { notes: invoice.notes }),
      transactions: account.paymentsOfInvoice.all(invoice.id).map((payment) => transactionFields(account, payment)),
      subscription:
        invoice.subscription && selectFields({ ...invoice.subscription }, account.profile['invoice.subscription']),
    });
  }

  overdueInvoice(account: AccountState, invoice: Invoice): object {
    return Object.assign(invoiceFields(account, invoice), {
      customer: customerFields(account, invoice, ({ phone }) => ({ phone })),
      days_overdue: daysBetween(invoice.due_date, dateOf(account.now(), dueDateTimeZone(account))),
      payment_link: account.hasPaymentInProgress(invoice) ? null : this.invoicePayUrl(account, invoice),
    });
  }

  statistics(account: AccountState, statistics: InvoiceStatistics): object {
    return {
      ...statistics,
      total_outstanding: encodeAmount(account, statistics.total_outstanding, statistics.currency),
      total_overdue: encodeAmount(account, statistics.total_overdue, statistics.currency),
    };
  }

  /** A payment link in the response to its creation. */
  createdPaymentLink(account: AccountState, link: PaymentLink): string {
    return JSON.stringify(this.#linkFields(account, link));
  }

  paymentLinkListItem(account: AccountState, link: PaymentLink): string {
    return JSON.stringify(
      Object.assign(this.#linkFields(account, link), {
        payments_count: link.payments_count,
        revenue: encodeAmount(account, link.revenue, link.currency),
        is_active: link.is_active,
      }),
    );
  }

  readonly payment = cacheLast<Payment>((account, payment) => {
    const paidLink = payment.payment_link_id === null ? undefined : account.paymentLinks.get(payment.payment_link_id);
    const omitsPaidAt = payment.paid_at === null && account.profile['payment.paid-at-unpaid'] === 'absent';
    return JSON.stringify({
      id: payment.id,
      description: payment.description,
      amount: encodeAmount(account, payment.amount, payment.currency),
      currency: payment.currency,
      status: payment.status,
      payment_method: payment.payment_method,
      payment_link_id: payment.payment_link_id,
      payment_link_url: paidLink ? this.linkUrl(account, paidLink) : null,
      reference: payment.reference,
      ...(omitsPaidAt ? {} : { paid_at: timestampOrNull(payment.paid_at) }),
      created_at: apiTimestamp(payment.created_at),
      customer: payment.customer,
    });
  });

  readonly deposit = cacheLast<Deposit>((account, deposit) =>
    JSON.stringify(selectFields(this.#depositFields(account, deposit), account.profile['deposit.fields'])),
  );

  /** A deposit in the response to its creation, which always has `authorization_url` (gap deposit.fields). */
  createdDeposit(account: AccountState, deposit: Deposit): string {
    const choice = account.profile['deposit.fields'];
    if (choice === 'all' || choice.fields.includes('authorization_url')) return this.deposit(account, deposit);
    const fields = [...choice.fields, 'authorization_url'];
    return JSON.stringify(selectFields(this.#depositFields(account, deposit), { fields }));
  }

  #linkFields(account: AccountState, link: PaymentLink): object {
    return {
      id: link.id,
      url: this.linkUrl(account, link),
      description: link.description,
      amount: encodeAmount(account, link.amount, link.currency),
      currency: link.currency,
      created_at: apiTimestamp(link.created_at),
    };
  }

  #depositFields(account: AccountState, deposit: Deposit): object {
    const unset = unsetFields(account.profile);
    const customer = deposit.customer && optionalTexts(account.profile, { ...deposit.customer });
    return {
      id: deposit.id,
      booking_reference: deposit.booking_reference ?? unsetText(account.profile),
      amount: encodeAmount(account, deposit.amount, deposit.currency),
      currency: deposit.currency,
      customer: customer ?? unset.customer,
      check_in_date: deposit.check_in_date ?? unset.dates,
      check_out_date: deposit.check_out_date ?? unset.dates,
      metadata: Object.keys(deposit.metadata).length === 0 ? unset.metadata : deposit.metadata,
      status: deposit.status,
      captured_amount: encodeAmount(account, deposit.captured_amount, deposit.currency),
      remaining_amount: encodeAmount(account, shownRemainingAmount(deposit, account.profile), deposit.currency),
      authorization_url: this.authorizationUrl(account, deposit),
      authorized_at: timestampOrNull(deposit.authorized_at) ?? unset.timestamps,
      expires_at: timestampOrNull(deposit.expires_at) ?? unset.timestamps,
      released_at: timestampOrNull(deposit.released_at) ?? unset.timestamps,
      created_at: apiTimestamp(deposit.created_at),
    };
  }
}

/** The fields of an invoice that all responses with invoices have. */
function invoiceFields(account: AccountState, invoice: Invoice): object {
  return {
    id: invoice.id,
    invoice_number: invoice.invoice_number,
    ...optionalTexts(account.profile, { reference: invoice.reference }),
    amount: encodeAmount(account, invoice.amount, invoice.currency),
    currency: invoice.currency,
    status: invoice.status,
    date: invoice.date,
    due_date: invoice.due_date,
    customer: customerFields(account, invoice, ({ company }) => ({ company })),
    invoice_items: invoice.items.map((item) => ({
      description: item.description,
      quantity: encodeDecimal(account, item.quantity),
      unit_price: encodeDecimal(account, item.unit_price),
      tax_rate: encodeDecimal(account, item.tax_rate),
      total: encodeAmount(account, item.total, invoice.currency),
    })),
  };
}

/**
 * URL of a guest page: `/pay/{slug}` for the default account, but `/pay/{account}/{slug}` for all others, so that slugs
 * of different accounts cannot collide.
 */
function pageUrl(origin: string, page: 'pay' | 'authorize', account: AccountState, slugOrId: string): string {
  const accountPrefix = account.id === defaultAccountId ? '' : `${account.id}/`;
  return `${origin}/${page}/${accountPrefix}${encodeURIComponent(slugOrId)}`;
}

/** Encodes an amount in JSON (gaps decimal.encoding, amount.minor-units). */
export function encodeAmount({ profile }: AccountState, amount: number, currency: string): number | string {
  return profile['decimal.encoding'] === 'number' ? amount : formatDecimal(amount, decimalPlacesOf(currency, profile));
}

/** Encodes a decimal that is not an amount, such as a quantity. A string has at least two decimal places. */
function encodeDecimal({ profile }: AccountState, value: number): number | string {
  return profile['decimal.encoding'] === 'number' ? value : formatDecimal(value, Math.max(2, decimalPlaces(value)));
}

/** Returns optional strings. Each null is kept, omitted or replaced by an empty string (gap null.optional). */
function optionalTexts(profile: Profile, values: Record<string, string | null>): Record<string, string | null> {
  const choice = profile['null.optional'];
  if (choice === 'null') return values;
  const givenValues = Object.entries(values).filter(([, value]) => value !== null);
  if (choice === 'absent') return Object.fromEntries(givenValues);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));
}

/** The representation of an optional string that is null (gap null.optional). `JSON.stringify` omits undefined. */
function unsetText(profile: Profile): string | null | undefined {
  return { null: null, absent: undefined, empty: '' }[profile['null.optional']];
}

/** Representations of a field without a value, by their names in profiles. `JSON.stringify` omits undefined. */
const unsetValues = { null: null, absent: undefined, 'empty-text': '', 'empty-object': {} };

/** The choice `nulls`: null, except that metadata is an empty object. */
const defaultUnsetFields = { customer: null, dates: null, metadata: {}, timestamps: null };

/** Representations of a deposit's fields without a value (gap deposit.unset-fields). */
function unsetFields(profile: Profile): Readonly<Record<'customer' | 'dates' | 'metadata' | 'timestamps', unknown>> {
  const choice = profile['deposit.unset-fields'];
  if (choice === 'nulls') return defaultUnsetFields;
  // `moments` is the name that profiles use for the timestamps.
  const { customer, dates, metadata, moments } = choice.each;
  return {
    customer: unsetValues[customer],
    dates: unsetValues[dates],
    metadata: unsetValues[metadata],
    timestamps: unsetValues[moments],
  };
}

function timestampOrNull(stored: string | null): string | null {
  return stored === null ? null : apiTimestamp(stored);
}

function transactionFields(account: AccountState, payment: Payment): object {
  const { id, currency, payment_method, status, reference } = payment;
  const all = {
    id,
    amount: encodeAmount(account, payment.amount, currency),
    currency,
    payment_method,
    status,
    reference,
    created_at: apiTimestamp(payment.created_at),
  };
  return selectFields(all, account.profile['invoice.transactions']);
}

/** Picks the fields that the profile includes. */
function selectFields(all: object, choice: 'all' | { fields: string[] }): object {
  if (choice === 'all') return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => choice.fields.includes(name)));
}

/** The customer of an invoice. @param pickOptionalFields returns the optional fields to include */
function customerFields(
  account: AccountState,
  { customer_id }: Invoice,
  pickOptionalFields: (customer: Customer) => Record<string, string | null>,
): object {
  const found = account.customers.get(customer_id);
  if (!found) throw new Error(`account ${account.id} has an invoice of customer ${customer_id}, but no such customer`);
  const { id, name, email } = found;
  return { id, name, email, ...optionalTexts(account.profile, pickOptionalFields(found)) };
}

function dueDateTimeZone(account: AccountState): string {
  return account.profile['invoice.overdue-moment'] === 'account-day' ? account.record.time_zone : 'UTC';
}
