import { startOfNextDay } from './dates.js';
import type { Profile } from './gaps.js';
import { type Transition, transition } from './lifecycle.js';
import { minus } from './money.js';
import type { Customer, Invoice, InvoiceStatus } from './records.js';

export type InvoiceCause = 'finalize' | 'send' | 'view' | 'pay' | 'fall-due' | 'cancel';
type Condition = 'in-part' | 'in-full';

/** Gap invoice.transitions. Creation gives `pending` (specification, States and transitions). */
export const invoiceLifecycle: readonly Transition<InvoiceStatus, InvoiceCause, Condition>[] = [
  { from: ['draft'], cause: 'finalize', to: 'pending' },
  { from: ['pending'], cause: 'send', to: 'sent' },
  { from: ['pending', 'sent'], cause: 'view', to: 'viewed' },
  { from: ['pending', 'sent', 'viewed', 'partial', 'overdue'], cause: 'pay', when: 'in-full', to: 'paid' },
  { from: ['pending', 'sent', 'viewed', 'partial'], cause: 'pay', when: 'in-part', to: 'partial' },
  { from: ['overdue'], cause: 'pay', when: 'in-part', to: 'overdue' },
  { from: ['pending', 'sent', 'viewed', 'partial'], cause: 'fall-due', to: 'overdue' },
  { from: ['draft', 'pending', 'sent', 'viewed', 'partial', 'overdue'], cause: 'cancel', to: 'cancelled' },
];

/** The currency that an invoice of a customer has (gap invoice.currency). */
export function invoiceCurrency(customer: Customer, accountCurrency: string, profile: Profile): string {
  const own = profile['invoice.currency'] === 'customer' ? customer.currency : null;
  return own ?? accountCurrency;
}

/** Awaiting payment: what counts as unpaid in the statistics (gap invoice.outstanding). */
export function isUnpaid(invoice: Invoice): boolean {
  return invoice.status !== 'draft' && invoice.status !== 'paid' && invoice.status !== 'cancelled';
}

/** What an unpaid invoice adds to the outstanding sums (gap invoice.outstanding). */
export function outstanding(invoice: Invoice, profile: Profile): number {
  const whole = profile['invoice.outstanding'] === 'whole-amount' || invoice.paid_amount === 0;
  return whole ? invoice.amount : minus(invoice.amount, invoice.paid_amount);
}

/** The moment at which an invoice falls due, in milliseconds (gap invoice.overdue-moment). */
export function fallsDueAt(invoice: Invoice, profile: Profile, zone: string): number {
  return startOfNextDay(invoice.due_date, profile['invoice.overdue-moment'] === 'account-day' ? zone : 'UTC');
}

/** The invoice after its due date has passed; itself where that changes nothing. */
export function fallDue(invoice: Invoice, profile: Profile): Invoice {
  const row = transition(invoiceLifecycle, invoice.status, 'fall-due', profile);
  if (!row || invoice.past_due) return invoice;
  const status = profile['invoice.overdue-moment'] === 'never' ? invoice.status : row.to;
  return { ...invoice, status, past_due: true };
}
