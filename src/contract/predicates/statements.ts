import { atLeast, atMost, exactly } from './kinds.js';

/** Values of single fields, as the specification states them. */

export const invoiceCreatedMessage = exactly('Invoice created successfully');
export const newInvoiceStatus = exactly('pending');
export const reminderSentMessage = exactly('Invoice reminder sent successfully');
export const invoicePaidError = exactly('Invoice is already paid');
export const invoiceNotFoundError = exactly('Invoice not found');

/** Maximum page size of invoices, payment links and payments; that of deposits is open. */
export const maxPerPage = 100;
export const largestPerPage = atMost(maxPerPage);
export const leastPerPage = atLeast(1);
export const leastPageNumber = atLeast(1);
export const leastDaysOverdue = atLeast(0);

/** Whether the error of a refused reminder says that the invoice is paid, in any words. */
export function saysAlreadyPaid(error: unknown): boolean {
  return typeof error === 'string' && /\balready\s+(?:been\s+)?paid\b/i.test(error);
}
