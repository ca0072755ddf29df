import { atLeast, atMost, exactly } from './matchers.js';

/** Texts and bounds that the specification states for the values of individual fields. */

export const invoiceCreatedMessage = exactly('Invoice created successfully');
export const newInvoiceStatus = exactly('pending');
export const reminderSentMessage = exactly('Invoice reminder sent successfully');
export const invoicePaidError = exactly('Invoice is already paid');
export const invoiceNotFoundError = exactly('Invoice not found');

/** Default page size of invoices, payment links and payments. For deposits the specification states none. */
export const defaultPerPage = 25;
/** Maximum page size of invoices, payment links and payments. For deposits the specification states none. */
export const maxPerPage = 100;
export const perPageUpperBound = atMost(maxPerPage);
export const perPageLowerBound = atLeast(1);
export const currentPageLowerBound = atLeast(1);
export const daysOverdueLowerBound = atLeast(0);
/** Lower bound of numbers of records and of remaining requests. */
export const countLowerBound = atLeast(0);
export const rateLimitLowerBound = atLeast(1);

/**
 * True if the error of a refused reminder contains `already paid` or `already been paid`, in any letter case. The
 * specification states the exact text for this reason: `invoicePaidError`.
 */
export function saysAlreadyPaid(error: unknown): boolean {
  return typeof error === 'string' && /\balready\s+(?:been\s+)?paid\b/i.test(error);
}
