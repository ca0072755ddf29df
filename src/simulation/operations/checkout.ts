import { formatInstant } from '../../domain/dates.js';
import { invoiceLifecycle } from '../../domain/invoice-lifecycle.js';
import { causesFrom } from '../../domain/lifecycle.js';
import { type Payable, type UnpayableReason, whyNotPayable } from '../../domain/payable.js';
import type { Invoice, Payment } from '../../domain/records.js';
import { invoiceIdOf } from '../../domain/slugs.js';
import { type TestOutcome, testOutcomes } from '../../domain/test-outcomes.js';
import type { AccountState } from '../state/account-state.js';
import type { WritableAccount } from '../transaction.js';
import { changeInvoice } from './invoices.js';
import { createInvoicePayment, createLinkPayment, endPaymentOrMarkFailed } from './payments.js';

/** Finds the payment link or invoice with a slug, which is the last part of the URL of its checkout page. */
export function findPayable(account: AccountState, slug: string): Payable | undefined {
  const id = invoiceIdOf(slug);
  if (id !== undefined) {
    const invoice = account.invoices.get(id);
    return invoice && { resource: 'invoice', record: invoice };
  }
  const [link] = account.paymentLinksBySlug.all(slug);
  return link && { resource: 'payment_link', record: link };
}

/** Returns the reason why a record cannot be paid now; undefined if it can. */
export function whyNotPayableNow(account: AccountState, payable: Payable): UnpayableReason | undefined {
  return whyNotPayable(payable, payable.resource === 'invoice' && account.hasPaymentInProgress(payable.record));
}

/**
 * The payment of an invoice that the guest has yet to approve; undefined if there is none. Always undefined for a
 * payment link, which can have several.
 */
export function openPaymentOf(account: AccountState, { resource, record }: Payable): Payment | undefined {
  if (resource !== 'invoice') return undefined;
  return account.paymentsOfInvoice.all(record.id).find(({ status }) => status === 'open');
}

/** Marks an invoice as viewed, if its status allows it. @returns the invoice, updated if it changed */
export function markInvoiceViewed(account: WritableAccount, invoice: Invoice): Invoice {
  const canBeViewed = causesFrom(invoiceLifecycle, invoice.status).includes('view');
  return canBeViewed ? changeInvoice(account, invoice.id, 'view') : invoice;
}

/** Payment that a checkout form has already created, if any: a form that is sent twice must not pay twice. */
export function paymentOfForm(
  account: AccountState,
  { resource, record }: Payable,
  formId: string,
): Payment | undefined {
  return account.paymentsOfForm
    .all(formId)
    .find((payment) => (resource === 'invoice' ? payment.invoice_id : payment.payment_link_id) === record.id);
}

/**
 * Creates the payment of a checkout form, with the outcome that the tester has chosen.
 * @throws ServiceError payment-link-inactive, transition-not-allowed, invalid: method
 */
export function checkOut(
  account: WritableAccount,
  { resource, record }: Payable,
  { formId, method, outcome }: { readonly formId: string; readonly method: string; readonly outcome: TestOutcome },
): Payment {
  const { initialStatus, scheduledEnd } = testOutcomes[outcome];
  const end = scheduledEnd && { at: formatInstant(account.now() + scheduledEnd.afterMs), cause: scheduledEnd.cause };
  const input = {
    outcome: initialStatus,
    method,
    checkout: { form: formId, ...(end && { scheduled_end: end }) },
  };
  return resource === 'invoice'
    ? createInvoicePayment(account, record.id, input)
    : createLinkPayment(account, record.id, input);
}

/**
 * Approves or rejects an open payment on behalf of the guest. An approved payment fails if its invoice can no longer be
 * paid. A second answer changes nothing.
 */
export function answerChallenge(account: WritableAccount, payment: Payment, isApproved: boolean): void {
  if (payment.status === 'open') endPaymentOrMarkFailed(account, payment.id, isApproved ? 'succeed' : 'fail');
}
