import { authorizeDeposit, declineDeposit, expireDeposit } from '../../simulation/operations/deposits.js';
import { changeInvoice, getInvoice } from '../../simulation/operations/invoices.js';
import { endPayment, payInvoiceLink, payLink, startPayment } from '../../simulation/operations/payments.js';
import type { Views } from '../service/views.js';
import type { ControlRoutes } from './handler.js';
import { serviceRecord } from './views.js';

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

/** Handlers for changes of records that the service has no operation for, such as the payment of a guest. */
export function recordRoutes({ deposit, paymentRow: payment, invoiceDetail: invoice }: Views): Routes {
  return {
    authorizeDeposit: ({ account, id }) => ({
      deposit: serviceRecord(deposit(account, authorizeDeposit(account, id))),
    }),
    declineDeposit: ({ account, id }) => ({ deposit: serviceRecord(deposit(account, declineDeposit(account, id))) }),
    expireDeposit: ({ account, id }) => ({ deposit: serviceRecord(deposit(account, expireDeposit(account, id))) }),

    payPaymentLink: ({ account, id, body }) => ({
      payment: serviceRecord(payment(account, payLink(account, id, body))),
    }),
    startPayment: ({ account, id }) => ({ payment: serviceRecord(payment(account, startPayment(account, id))) }),
    succeedPayment: ({ account, id }) => ({
      payment: serviceRecord(payment(account, endPayment(account, id, 'succeed'))),
    }),
    failPayment: ({ account, id }) => ({ payment: serviceRecord(payment(account, endPayment(account, id, 'fail'))) }),

    finalizeInvoice: ({ account, id }) => ({
      invoice: serviceRecord(invoice(account, changeInvoice(account, id, 'finalize'))),
    }),
    sendInvoice: ({ account, id }) => ({
      invoice: serviceRecord(invoice(account, changeInvoice(account, id, 'send'))),
    }),
    viewInvoice: ({ account, id }) => ({
      invoice: serviceRecord(invoice(account, changeInvoice(account, id, 'view'))),
    }),
    cancelInvoice: ({ account, id }) => ({
      invoice: serviceRecord(invoice(account, changeInvoice(account, id, 'cancel'))),
    }),
    payInvoice: ({ account, id, body }) => ({
      payment: serviceRecord(payment(account, payInvoiceLink(account, id, body))),
      invoice: serviceRecord(invoice(account, getInvoice(account, id))),
    }),
  };
}
