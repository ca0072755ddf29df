import { formatInstant } from '../../domain/dates.js';
import { foldText } from '../../domain/fold-text.js';
import { payInvoice, unpaidAmount } from '../../domain/invoice-lifecycle.js';
import { requireDecimalPlaces } from '../../domain/money.js';
import { payLink } from '../../domain/payable.js';
import {
  applyPaymentTransition,
  defaultMethod,
  type PaymentCause,
  paymentMethods,
} from '../../domain/payment-lifecycle.js';
import type { Customer, Invoice, Payment, PaymentLink, PaymentStatus } from '../../domain/records.js';
import { invalidField, requireFound, ServiceError } from '../../domain/service-error.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { ListPage, PageQuery } from '../state/table.js';
import type { WritableAccount } from '../transaction.js';
import { contactOf, guestCustomer } from './customers.js';
import { getInvoice } from './invoices.js';
import { getPaymentLink } from './payment-links.js';

export interface PaymentFilter {
  readonly description?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  /** First and last date, `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function listPayments(account: AccountState, page: PageQuery, filter: PaymentFilter): ListPage<Payment> {
  const text = filter.description === undefined ? undefined : foldText(filter.description);
  const { status, from, to } = filter;
  if (text === undefined && status === undefined && from === undefined && to === undefined) {
    return account.payments.page(page);
  }
  return account.payments.page(page, (payment) => {
    if (status !== undefined && payment.status !== status) return false;
    if (text !== undefined && !foldText(payment.description).includes(text)) return false;
    if (from === undefined && to === undefined) return true;
    const date = filterDate(account, payment);
    return date !== undefined && (from === undefined || date >= from) && (to === undefined || date <= to);
  });
}

/** Date of a payment that `from` and `to` are compared with, in UTC (gap payment.date-filter). */
function filterDate(account: AccountState, payment: Payment): string | undefined {
  const at = account.profile['payment.date-filter'] === 'paid-at' ? payment.paid_at : payment.created_at;
  return at?.slice(0, 10);
}

/** Outcome of a payment. A `pending` one can succeed or fail later. */
export type PaymentOutcome = 'paid' | 'failed' | 'pending';

/** How a link or an invoice is paid. */
export interface PaymentInput {
  /** Default: `paid`. */
  readonly outcome?: PaymentOutcome | undefined;
  /** One of the methods of gap payment.methods; default: those that the profile lists, in rotation, or `card`. */
  readonly method?: string | undefined;
}

/** Like `PaymentInput`, but the payment can stay `open`, and can be from a checkout page. */
interface NewPayment extends Pick<PaymentInput, 'method'> {
  readonly outcome?: PaymentStatus | undefined;
  readonly checkout?: Pick<Payment, 'form' | 'scheduled_end'> | undefined;
}

const causeOfOutcome: Record<PaymentOutcome, PaymentCause> = { paid: 'succeed', failed: 'fail', pending: 'start' };

/**
 * Creates a guest's payment for a payment link, with the given outcome.
 * @throws ServiceError payment-link-not-found, payment-link-inactive, invalid: method
 */
export function createLinkPayment(account: WritableAccount, id: number | string, input: NewPayment): Payment {
  const link = getPaymentLink(account, id);
  if (!link.is_active) throw new ServiceError('payment-link-inactive');
  return createPayment(account, input, undefined, {
    description: link.description,
    amount: link.amount,
    currency: link.currency,
    payment_link_id: link.id,
    invoice_id: null,
  });
}

/**
 * Creates a customer's payment for an invoice, of the full unpaid amount or a part of it, with the given outcome.
 * @throws ServiceError invoice-not-found, transition-not-allowed, payment-too-large, invalid: amount, method
 */
export function createInvoicePayment(
  account: WritableAccount,
  id: number | string,
  input: NewPayment & { readonly amount?: number | undefined },
): Payment {
  const invoice = getInvoice(account, id);
  const amount = input.amount ?? unpaidAmount(invoice);
  if (input.amount !== undefined) {
    if (!(input.amount > 0)) throw invalidField('amount', 'exclusiveMinimum', { limit: 0 });
    requireDecimalPlaces(input.amount, invoice.currency, account.profile);
  }
  // Called only to throw: even a failed payment requires an invoice that can be paid.
  payInvoice(invoice, amount, account.profile, account.now());
  const customer = account.customers.get(invoice.customer_id);
  return createPayment(account, input, customer, {
    description: `Invoice ${invoice.invoice_number}`,
    amount,
    currency: invoice.currency,
    payment_link_id: null,
    invoice_id: invoice.id,
  });
}

/** @throws ServiceError payment-not-found */
export function getPayment(account: AccountState, id: number | string): Payment {
  return requireFound(account.payments.get(id), 'payment-not-found');
}

/** Makes an open payment pending. @throws ServiceError payment-not-found, transition-not-allowed */
export function startPayment(account: WritableAccount, id: number | string): Payment {
  return commitTransition(account, getPayment(account, id), 'start', {});
}

/** Makes a payment succeed or fail. @throws ServiceError payment-not-found, transition-not-allowed, payment-too-large */
export function endPayment(account: WritableAccount, id: number | string, cause: 'succeed' | 'fail'): Payment {
  return commitTransition(account, getPayment(account, id), cause, {});
}

/**
 * Like `endPayment`, but a payment that cannot succeed, because its invoice can no longer be paid, fails instead.
 * @throws ServiceError payment-not-found, transition-not-allowed
 */
export function endPaymentOrMarkFailed(
  account: WritableAccount,
  id: number | string,
  cause: 'succeed' | 'fail',
): Payment {
  try {
    return endPayment(account, id, cause);
  } catch (error) {
    if (error instanceof ServiceError && cause === 'succeed') return endPayment(account, id, 'fail');
    throw error;
  }
}

/** Reference of a payment: `PAY-000012`. */
export function paymentReference(id: number): string {
  return `PAY-${String(id).padStart(6, '0')}`;
}

/**
 * Creates a payment, and applies the transition to the status that the input asks for.
 * @param payer default: the guest
 */
function createPayment(
  account: WritableAccount,
  { outcome: status = 'paid', method, checkout }: NewPayment,
  payer: Customer | undefined,
  fields: Pick<Payment, 'description' | 'amount' | 'currency' | 'payment_link_id' | 'invoice_id'>,
): Payment {
  const id = account.payments.nextId();
  const allowed = paymentMethods(account.profile);
  const { customer, changes } = payer ? { customer: payer, changes: {} } : guestCustomer(account);
  if (method !== undefined && !allowed.includes(method))
    throw invalidField('method', 'enum', { allowedValues: allowed });
  const payment: Payment = {
    id,
    ...fields,
    customer: contactOf(customer),
    status: 'open',
    payment_method: method ?? defaultMethod(account.profile, id),
    reference: paymentReference(id),
    paid_at: null,
    history: [],
    ...checkout,
    created_at: formatInstant(account.now()),
  };
  if (status !== 'open') return commitTransition(account, payment, causeOfOutcome[status], changes);
  return account.transaction((tx) => {
    tx.put({ ...changes, payments: [payment] });
    return payment;
  });
}

/** Applies a transition to a payment, and updates its link or invoice in the same commit. */
function commitTransition(
  account: WritableAccount,
  payment: Payment,
  cause: PaymentCause,
  changes: RowsByTable,
): Payment {
  const { record, event } = applyPaymentTransition(payment, cause, account.profile, account.now());
  const payableChanges = record.status === 'paid' ? changesWhenPaid(account, record) : {};
  return account.transaction((tx) => {
    tx.put({ ...changes, payments: [record], ...payableChanges });
    if (event !== undefined) tx.emit({ event, record });
    return record;
  });
}

/** Returns the link or invoice of a successful payment with the changes that the payment causes. */
function changesWhenPaid(
  account: AccountState,
  payment: Payment,
): { payment_links: PaymentLink[] } | { invoices: Invoice[] } {
  if (payment.payment_link_id === null) {
    // A payment without a link has an invoice. The fallback 0 only satisfies the type: no invoice has that id.
    const invoice = getInvoice(account, payment.invoice_id ?? 0);
    return { invoices: [payInvoice(invoice, payment.amount, account.profile, account.now())] };
  }
  const link = getPaymentLink(account, payment.payment_link_id);
  return { payment_links: [payLink(link, payment.amount, account.profile)] };
}
