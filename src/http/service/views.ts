import { apiTimestamp, dateOf, daysBetween } from '../../domain/dates.js';
import { defaultAccountId } from '../../domain/default-account.js';
import { shownRemainingAmount } from '../../domain/deposit-lifecycle.js';
import { decimalPlacesOf, formatDecimal } from '../../domain/money.js';
import type { Customer, Deposit, Invoice, Payment, PaymentLink } from '../../domain/records.js';
import { invoiceSlug } from '../../domain/slugs.js';
import { decimalPlaces } from '../../lib/decimals.js';
import type { Profile } from '../../openapi/gaps.js';
import type { InvoiceStatistics } from '../../simulation/operations/invoices.js';
import type { AccountState } from '../../simulation/state/account-state.js';

/**
 * Renders records as clients see them: as JSON text or, for parts of a larger response, as objects and values. Also
 * builds the URLs of the pages where guests pay or authorize them.
 */
export interface Views {
  /** The URL of the simulator. */
  url(): string;
  /** The base URL of the service. */
  baseUrl(): string;
  /** An invoice in the list of invoices, and in the response to its creation. */
  invoiceListItem(account: AccountState, invoice: Invoice): string;
  invoiceDetail(account: AccountState, invoice: Invoice): string;
  overdueInvoice(account: AccountState, invoice: Invoice): object;
  statistics(account: AccountState, statistics: InvoiceStatistics): object;
  encodeAmount(account: AccountState, amount: number, currency: string): number | string;
  /** A payment link in the response to its creation. */
  createdPaymentLink(account: AccountState, link: PaymentLink): string;
  paymentLinkListItem(account: AccountState, link: PaymentLink): string;
  payment(account: AccountState, payment: Payment): string;
  deposit(account: AccountState, deposit: Deposit): string;
  /** A deposit in the response to its creation, which always has `authorization_url` (gap deposit.fields). */
  createdDeposit(account: AccountState, deposit: Deposit): string;
  /** URL of the page where an invoice can be paid. */
  invoicePayUrl(account: AccountState, invoice: Invoice): string;
  /** URL of the page of a payment link. */
  linkUrl(account: AccountState, link: PaymentLink): string;
  /** URL of the page where the guest authorizes a deposit. */
  authorizationUrl(account: AccountState, deposit: Deposit): string;
}

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

/** @param server its URL, such as `http://127.0.0.1:4010`, is set once the server listens */
export function createViews(server: { readonly url: string }): Views {
  const payUrl = (account: AccountState, slug: string): string => pageUrl(server.url, 'pay', account, slug);

  const invoicePayUrl = (account: AccountState, record: Invoice): string => payUrl(account, invoiceSlug(record.id));

  const linkUrl = (account: AccountState, record: PaymentLink): string => payUrl(account, record.slug);

  const authorizationUrl = (account: AccountState, record: Deposit): string =>
    pageUrl(server.url, 'authorize', account, String(record.id));

  const invoiceFields = (account: AccountState, record: Invoice): object => ({
    id: record.id,
    invoice_number: record.invoice_number,
    ...optionalTexts(account.profile, { reference: record.reference }),
    amount: encodeAmount(account, record.amount, record.currency),
    currency: record.currency,
    status: record.status,
    date: record.date,
    due_date: record.due_date,
    customer: customerFields(account, record, ({ company }) => ({ company })),
    invoice_items: record.items.map((item) => ({
      description: item.description,
      quantity: encodeDecimal(account, item.quantity),
      unit_price: encodeDecimal(account, item.unit_price),
      tax_rate: encodeDecimal(account, item.tax_rate),
      total: encodeAmount(account, item.total, record.currency),
    })),
  });

  const linkFields = (account: AccountState, record: PaymentLink): object => ({
    id: record.id,
    url: linkUrl(account, record),
    description: record.description,
    amount: encodeAmount(account, record.amount, record.currency),
    currency: record.currency,
    created_at: apiTimestamp(record.created_at),
  });

  const depositFields = (account: AccountState, record: Deposit): object => {
    const unset = unsetFields(account.profile);
    const customer = record.customer && optionalTexts(account.profile, { ...record.customer });
    return {
      id: record.id,
      booking_reference: record.booking_reference ?? unsetText(account.profile),
      amount: encodeAmount(account, record.amount, record.currency),
      currency: record.currency,
      customer: customer ?? unset.customer,
      check_in_date: record.check_in_date ?? unset.dates,
      check_out_date: record.check_out_date ?? unset.dates,
      metadata: Object.keys(record.metadata).length === 0 ? unset.metadata : record.metadata,
      status: record.status,
      captured_amount: encodeAmount(account, record.captured_amount, record.currency),
      remaining_amount: encodeAmount(account, shownRemainingAmount(record, account.profile), record.currency),
      authorization_url: authorizationUrl(account, record),
      authorized_at: timestampOrNull(record.authorized_at) ?? unset.timestamps,
      expires_at: timestampOrNull(record.expires_at) ?? unset.timestamps,
      released_at: timestampOrNull(record.released_at) ?? unset.timestamps,
      created_at: apiTimestamp(record.created_at),
    };
  };

  const viewDeposit = cacheLast<Deposit>((account, record) =>
    JSON.stringify(selectFields(depositFields(account, record), account.profile['deposit.fields'])),
  );

  return {
    url: () => server.url,
    baseUrl: () => `${server.url}/api/v1`,
    encodeAmount,
    invoiceListItem: (account, record) => JSON.stringify(invoiceFields(account, record)),

    invoiceDetail: (account, record) =>
      JSON.stringify({
        ...invoiceFields(account, record),
        customer: customerFields(account, record, ({ company, phone, address, city, postal_code, country }) => ({
          company,
          phone,
          address,
          city,
          postal_code,
          country,
        })),
        ...optionalTexts(account.profile, { notes: record.notes }),
        transactions: account.paymentsOfInvoice.all(record.id).map((payment) => transactionFields(account, payment)),
        subscription:
          record.subscription && selectFields({ ...record.subscription }, account.profile['invoice.subscription']),
      }),

    overdueInvoice: (account, record) =>
      Object.assign(invoiceFields(account, record), {
        customer: customerFields(account, record, ({ phone }) => ({ phone })),
        days_overdue: daysBetween(record.due_date, dateOf(account.now(), dueDateTimeZone(account))),
        payment_link: account.hasPaymentInProgress(record) ? null : invoicePayUrl(account, record),
      }),

    statistics: (account, statistics) => ({
      ...statistics,
      total_outstanding: encodeAmount(account, statistics.total_outstanding, statistics.currency),
      total_overdue: encodeAmount(account, statistics.total_overdue, statistics.currency),
    }),

    createdPaymentLink: (account, record) => JSON.stringify(linkFields(account, record)),

    paymentLinkListItem: (account, record) =>
      JSON.stringify(
        Object.assign(linkFields(account, record), {
          payments_count: record.payments_count,
          revenue: encodeAmount(account, record.revenue, record.currency),
          is_active: record.is_active,
        }),
      ),

    payment: cacheLast((account, record) => {
      const paidLink = record.payment_link_id === null ? undefined : account.paymentLinks.get(record.payment_link_id);
      const omitsPaidAt = record.paid_at === null && account.profile['payment.paid-at-unpaid'] === 'absent';
      return JSON.stringify({
        id: record.id,
        description: record.description,
        amount: encodeAmount(account, record.amount, record.currency),
        currency: record.currency,
        status: record.status,
        payment_method: record.payment_method,
        payment_link_id: record.payment_link_id,
        payment_link_url: paidLink ? linkUrl(account, paidLink) : null,
        reference: record.reference,
        ...(omitsPaidAt ? {} : { paid_at: timestampOrNull(record.paid_at) }),
        created_at: apiTimestamp(record.created_at),
        customer: record.customer,
      });
    }),

    deposit: viewDeposit,
    createdDeposit: (account, record) => {
      const choice = account.profile['deposit.fields'];
      if (choice === 'all' || choice.fields.includes('authorization_url')) return viewDeposit(account, record);
      const fields = [...choice.fields, 'authorization_url'];
      return JSON.stringify(selectFields(depositFields(account, record), { fields }));
    },

    invoicePayUrl,
    linkUrl,
    authorizationUrl,
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
function encodeAmount({ profile }: AccountState, amount: number, currency: string): number | string {
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
