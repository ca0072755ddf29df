import { authorizeDeposit, declineDeposit, expireDeposit } from '../../simulation/operations/deposits.js';
import { changeInvoice, getInvoice } from '../../simulation/operations/invoices.js';
import { endPayment, payInvoiceLink, payLink, startPayment } from '../../simulation/operations/payments.js';
import type { Views } from '../service/views.js';
import type { ControlRoutes } from './handler.js';
import { parseServiceRecord } from './views.js';

type Routes = Pick<
  ControlRoutes,
  | 'authorizeDeposit'
  | 'declineDeposit'
  | 'expireDeposit'
  | 'payPaymentLink'
  | 'startPayment'
  | 'succeedPayment'
  | 'failPayment'
  | 'finalizeInvoice'
  | 'sendInvoice'
  | 'viewInvoice'
  | 'cancelInvoice'
  | 'payInvoice'
>;

/**
 * Handlers for changes that the API of the service does not offer, such as a guest's payment. Views of the service render
 * the records, as JSON text.
 */
export function recordRoutes({ deposit, paymentRow: payment, invoiceDetail: invoice }: Views): Routes {
  return {
    authorizeDeposit: ({ account, id }) => ({
      deposit: parseServiceRecord(deposit(account, authorizeDeposit(account, id))),
    }),
    declineDeposit: ({ account, id }) => ({
      deposit: parseServiceRecord(deposit(account, declineDeposit(account, id))),
    }),
    expireDeposit: ({ account, id }) => ({ deposit: parseServiceRecord(deposit(account, expireDeposit(account, id))) }),

    payPaymentLink: ({ account, id, body }) => ({
      payment: parseServiceRecord(payment(account, payLink(account, id, body))),
    }),
    startPayment: ({ account, id }) => ({ payment: parseServiceRecord(payment(account, startPayment(account, id))) }),
    succeedPayment: ({ account, id }) => ({
      payment: parseServiceRecord(payment(account, endPayment(account, id, 'succeed'))),
    }),
    failPayment: ({ account, id }) => ({
      payment: parseServiceRecord(payment(account, endPayment(account, id, 'fail'))),
    }),

    finalizeInvoice: ({ account, id }) => ({
      invoice: parseServiceRecord(invoice(account, changeInvoice(account, id, 'finalize'))),
    }),
    sendInvoice: ({ account, id }) => ({
      invoice: parseServiceRecord(invoice(account, changeInvoice(account, id, 'send'))),
    }),
    viewInvoice: ({ account, id }) => ({
      invoice: parseServiceRecord(invoice(account, changeInvoice(account, id, 'view'))),
    }),
    cancelInvoice: ({ account, id }) => ({
      invoice: parseServiceRecord(invoice(account, changeInvoice(account, id, 'cancel'))),
    }),
    payInvoice: ({ account, id, body }) => ({
      payment: parseServiceRecord(payment(account, payInvoiceLink(account, id, body))),
      invoice: parseServiceRecord(invoice(account, getInvoice(account, id))),
    }),
  };
}
