import { startOfNextDay } from './dates.js';
import type { GapChoices } from './gaps.js';
import { causesFrom, findTransition, type Transition, withStatus } from './lifecycle.js';
import { minus, plus } from './money.js';
import type { Customer, Invoice, InvoiceStatus } from './records.js';
import { ServiceError, transitionNotAllowed } from './service-error.js';

export type InvoiceCause = 'finalize' | 'send' | 'view' | 'pay' | 'fall-due' | 'cancel';
/** `in-part`: a payment leaves a part of the invoice unpaid; `in-full`: it leaves nothing unpaid. */
type Condition = 'in-part' | 'in-full';

/**
 * Transitions of an invoice. A client creates it as `pending`; only seed data has drafts (specification, States and
 * transitions; gap invoice.transitions).
 */
export const invoiceLifecycle: readonly Transition<InvoiceStatus, InvoiceCause, Condition, never>[] = [
  { from: ['draft'], cause: 'finalize', to: 'pending' },
  { from: ['pending'], cause: 'send', to: 'sent' },
  { from: ['pending', 'sent'], cause: 'view', to: 'viewed' },
  { from: ['pending', 'sent', 'viewed', 'partial', 'overdue'], cause: 'pay', when: 'in-full', to: 'paid' },
  { from: ['pending', 'sent', 'viewed', 'partial'], cause: 'pay', when: 'in-part', to: 'partial' },
  { from: ['overdue'], cause: 'pay', when: 'in-part', to: 'overdue' },
  { from: ['pending', 'sent', 'viewed', 'partial'], cause: 'fall-due', to: 'overdue' },
  { from: ['draft', 'pending', 'sent', 'viewed', 'partial', 'overdue'], cause: 'cancel', to: 'cancelled' },
];

/** Currency of a customer's invoices (gap invoice.currency). */
export function invoiceCurrency(customer: Customer, accountCurrency: string, profile: GapChoices): string {
  const customerCurrency = profile['invoice.currency'] === 'customer' ? customer.currency : null;
  return customerCurrency ?? accountCurrency;
}

/** True if an invoice counts as unpaid in the statistics. */
export function isUnpaid(invoice: Invoice): boolean {
  return invoice.status !== 'draft' && invoice.status !== 'paid' && invoice.status !== 'cancelled';
}

/** Amount that an unpaid invoice adds to the outstanding sums (gap invoice.outstanding). */
export function outstandingAmount(invoice: Invoice, profile: GapChoices): number {
  // Without a payment, both choices yield the amount. The shortcut spares most invoices a slow decimal subtraction.
  if (profile['invoice.outstanding'] === 'whole-amount' || invoice.paid_amount === 0) return invoice.amount;
  return minus(invoice.amount, invoice.paid_amount);
}

/**
 * Time at which an invoice becomes overdue, in milliseconds since 1970 (gap invoice.overdue-moment). It is never before
 * the last entry of the history: an invoice that is created or finalized after its due date becomes overdue then.
 */
export function overdueAt(invoice: Invoice, profile: GapChoices, zone: string): number {
  const dayAfter = startOfNextDay(invoice.due_date, profile['invoice.overdue-moment'] === 'account-day' ? zone : 'UTC');
  return Math.max(dayAfter, Date.parse(invoice.history.at(-1)?.at ?? invoice.created_at));
}

/**
 * Sets `past_due` of an unpaid invoice, whose due date has passed. The status also becomes `overdue`, unless the
 * profile says that invoices never do.
 * @returns the same object if nothing changes
 */
export function markOverdue(invoice: Invoice, profile: GapChoices, now: number): Invoice {
  const transition = findTransition(invoiceLifecycle, invoice.status, 'fall-due', profile);
  if (!transition || invoice.past_due) return invoice;
  const status = profile['invoice.overdue-moment'] === 'never' ? invoice.status : transition.to;
  return { ...withStatus(invoice, 'fall-due', status, now), past_due: true };
}

/**
 * Marks an invoice as overdue, as of the time at which it became so, unless that time is after `now`.
 * @param zone time zone of the account
 */
export function markOverdueIfDue(invoice: Invoice, profile: GapChoices, zone: string, now: number): Invoice {
  const at = overdueAt(invoice, profile, zone);
  return at <= now ? markOverdue(invoice, profile, at) : invoice;
}

/**
 * Applies any transition except `pay` and `fall-due`, which `payInvoice` and `markOverdue` apply.
 * @throws ServiceError transition-not-allowed
 */
export function applyInvoiceCause(
  invoice: Invoice,
  cause: Exclude<InvoiceCause, 'pay' | 'fall-due'>,
  profile: GapChoices,
  now: number,
): Invoice {
  const transition = findTransition(invoiceLifecycle, invoice.status, cause, profile);
  if (!transition) throw transitionError(invoice);
  return withStatus(invoice, cause, transition.to, now);
}

/** Amount still to be paid; see `outstandingAmount` for the statistics. */
export function unpaidAmount(invoice: Invoice): number {
  return minus(invoice.amount, invoice.paid_amount);
}

/**
 * Pays an invoice in full or in part.
 * @throws ServiceError transition-not-allowed, payment-too-large
 */
export function payInvoice(invoice: Invoice, amount: number, profile: GapChoices, now: number): Invoice {
  const unpaid = unpaidAmount(invoice);
  const transition = findTransition(
    invoiceLifecycle,
    invoice.status,
    'pay',
    profile,
    amount < unpaid ? 'in-part' : 'in-full',
  );
  if (!transition) throw transitionError(invoice);
  if (amount > unpaid) throw new ServiceError('payment-too-large', { hint: `${unpaid} ${invoice.currency} is unpaid` });
  return { ...withStatus(invoice, 'pay', transition.to, now), paid_amount: plus(invoice.paid_amount, amount) };
}

/** The hint of the error lists the allowed actions. `fall-due` is not one of them: only the clock causes it. */
function transitionError(invoice: Invoice): ServiceError {
  const actions = causesFrom(invoiceLifecycle, invoice.status).filter((cause) => cause !== 'fall-due');
  return transitionNotAllowed('invoice', invoice.status, actions);
}
