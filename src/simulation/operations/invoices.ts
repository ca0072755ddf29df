import { formatInstant } from '../../domain/dates.js';
import { applyInvoiceCause, type InvoiceCause, invoiceCurrency } from '../../domain/invoice-lifecycle.js';
import { invoiceAmount, lineTotal, maximumAmount } from '../../domain/money.js';
import type { Customer, Invoice } from '../../domain/records.js';
import { type ErrorCode, invalidField, requireFound, ServiceError } from '../../domain/service-error.js';
import type { components } from '../../generated/validated-types.js';
import type { Profile } from '../../openapi/profile.js';
import { writeReminder } from '../delivery/mails.js';
import type { AccountState } from '../state/account-state.js';
import type { WritableAccount } from '../transaction.js';
import { type NewCustomer, newCustomer } from './customers.js';

export type NewInvoice = components['schemas']['NewInvoice'];

/** @throws ServiceError invoice-not-found */
export function getInvoice(account: AccountState, id: number | string): Invoice {
  return requireFound(account.invoices.get(id), 'invoice-not-found');
}

/** Statistics of invoices, as the service returns them. */
export interface InvoiceStatistics {
  readonly total_invoices: number;
  readonly pending_invoices: number;
  readonly paid_invoices: number;
  readonly overdue_invoices: number;
  readonly total_outstanding: number;
  readonly total_overdue: number;
  readonly currency: string;
}

export function getInvoiceStats(account: AccountState): InvoiceStatistics {
  const { invoiceTotals: totals } = account;
  return {
    total_invoices: totals.total,
    pending_invoices: totals.pending,
    paid_invoices: totals.paid,
    overdue_invoices: totals.overdue.size,
    total_outstanding: totals.outstanding,
    total_overdue: totals.overdueAmount,
    currency: account.record.currency,
  };
}

/**
 * Overdue invoices, in list order (gap list.order), and the outstanding sum to show with them (gap
 * overdue.total-outstanding).
 */
export function listOverdueInvoices(account: AccountState): { invoices: Invoice[]; outstanding: number } {
  const direction = account.profile['list.order'] === 'newest-first' ? -1 : 1;
  const sortKeyOf = ({ id }: Invoice): number => account.invoices.positionOf(id) * direction;
  const invoices = [...account.invoiceTotals.overdue.values()].sort((a, b) => sortKeyOf(a) - sortKeyOf(b));
  const includesAllUnpaid = account.profile['overdue.total-outstanding'] === 'all-unpaid';
  return {
    invoices,
    outstanding: includesAllUnpaid ? account.invoiceTotals.outstanding : account.invoiceTotals.overdueAmount,
  };
}

/**
 * Creates an invoice for an existing customer, and emits `invoice.created`.
 * @throws ServiceError invalid: unknown customer, number taken, amount above the maximum or below zero
 */
export function createInvoice(account: WritableAccount, input: NewInvoice): Invoice {
  const customer = account.customers.get(input.customer_id);
  if (!customer) {
    const listCommand = `billing-sim customer list --account ${account.id}`;
    const hint = `the account has no customer ${input.customer_id}; ${listCommand} shows its customers`;
    throw invalidField('customer_id', 'exists', {}, hint);
  }
  return createInvoiceFor(account, customer, input);
}

/** Creates an invoice and its customer in one commit. @throws ServiceError invalid, like `createInvoice` */
export function createInvoiceWithCustomer(
  account: WritableAccount,
  input: Omit<NewInvoice, 'customer_id'> & { readonly customer: NewCustomer },
): Invoice {
  return account.transaction((tx) => {
    const customer = newCustomer(account, input.customer);
    tx.put({ customers: [customer] });
    return createInvoiceFor(account, customer, input);
  });
}

function createInvoiceFor(
  account: WritableAccount,
  customer: Customer,
  input: Omit<NewInvoice, 'customer_id'>,
): Invoice {
  const { profile } = account;
  const number = chosenNumber(input, profile);
  if (
    number !== undefined &&
    profile['invoice.number-duplicate'] === 'refused' &&
    account.invoicesByNumber.has(number)
  ) {
    throw invalidField('invoice_number', 'unique');
  }
  const currency = invoiceCurrency(customer, account.record.currency, profile);
  const items = input.items.map((item) => {
    const { description, quantity, unit_price, tax_rate } = item;
    return { description, quantity, unit_price, tax_rate, total: lineTotal(item, profile, currency) };
  });
  const amount = invoiceAmount(items, profile, currency);
  const maximum = maximumAmount(profile);
  if (amount > maximum) throw invalidField('items', 'total-maximum', { limit: maximum });
  if (amount < 0) throw invalidField('items', 'total-minimum', { limit: 0 });
  const invoice: Invoice = {
    id: account.invoices.nextId(),
    invoice_number: number ?? nextNumber(account, input.date),
    reference: input.reference ?? null,
    customer_id: customer.id,
    amount,
    paid_amount: 0,
    currency,
    status: 'pending',
    past_due: false,
    date: input.date,
    due_date: input.due_date,
    notes: input.notes ?? null,
    items,
    subscription: null,
    history: [],
    created_at: formatInstant(account.now()),
  };
  return account.transaction((tx) => {
    tx.put({ invoices: [invoice] });
    tx.emit({ event: 'invoice.created', record: invoice });
    return invoice;
  });
}

/**
 * Applies any transition except `pay` and `fall-due`.
 * @throws ServiceError invoice-not-found, transition-not-allowed
 */
export function changeInvoice(
  account: WritableAccount,
  id: number | string,
  cause: Exclude<InvoiceCause, 'pay' | 'fall-due'>,
): Invoice {
  const invoice = applyInvoiceCause(getInvoice(account, id), cause, account.profile, account.now());
  account.transaction((tx) => tx.put({ invoices: [invoice] }));
  return invoice;
}

/** Error code with which a reminder is refused; undefined if it is sent (gap invoice.reminder-cancelled). */
export function whyNotRemindable({ profile }: AccountState, { status }: Invoice): ErrorCode | undefined {
  if (status === 'paid') return 'invoice-paid';
  if (profile['invoice.reminder-cancelled'] === 'sent') return undefined;
  if (status === 'draft') return 'invoice-draft';
  return status === 'cancelled' ? 'invoice-cancelled' : undefined;
}

/**
 * Sends a reminder by email (specification, POST /invoices/{invoice}/reminder).
 * @throws ServiceError reminder-invoice-not-found, invoice-paid, invoice-draft, invoice-cancelled
 */
export function sendInvoiceReminder(account: WritableAccount, id: number | string): void {
  const invoice = requireFound(account.invoices.get(id), 'reminder-invoice-not-found');
  const code = whyNotRemindable(account, invoice);
  if (code) throw new ServiceError(code);
  writeReminder(account, invoice);
}

/** Number that the client has chosen; undefined if one must be generated (gap invoice.number-blank). */
function chosenNumber(
  { invoice_number: number }: Pick<NewInvoice, 'invoice_number'>,
  profile: Profile,
): string | undefined {
  const isGenerated = profile['invoice.number-blank'] === 'generated' && number?.trim() === '';
  return isGenerated ? undefined : number;
}

/** Next free generated number (gap invoice.number-format). */
function nextNumber(account: AccountState, date: string): string {
  const format = account.profile['invoice.number-format'];
  const pattern = typeof format === 'string' ? 'INV-{year}-{number:5}' : format.pattern;
  const series = pattern
    .replaceAll('{year}', date.slice(0, 4))
    .replaceAll('{this_year}', formatInstant(account.now()).slice(0, 4));
  for (let number = (account.lastNumbers.get(series) ?? 0) + 1; ; number++) {
    // `{number}`, or `{number:5}` with a minimum number of digits.
    const text = series.replace(/\{number(?::(\d{1,2}))?\}/g, (_, width = '1') =>
      String(number).padStart(Number(width), '0'),
    );
    if (account.invoicesByNumber.has(text)) continue;
    account.lastNumbers.set(series, number);
    return text;
  }
}
