import type { components } from '../../generated/control-validated-types.js';
import { authorizeDeposit, declineDeposit, expireDeposit } from '../../simulation/operations/deposits.js';
import { changeInvoice, getInvoice } from '../../simulation/operations/invoices.js';
import { endPayment, payInvoiceLink, payLink, startPayment } from '../../simulation/operations/payments.js';
import type { Views } from '../service/views.js';
import type { ControlRoutes } from './handler.js';

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

/** Handlers for the actions of guests and customers. */
export function recordRoutes({ deposit, paymentRow: payment, invoiceDetail: invoice }: Views): Routes {
  return {
    authorizeDeposit: ({ account, id }) => ({ deposit: shown(deposit(account, authorizeDeposit(account, id))) }),
    declineDeposit: ({ account, id }) => ({ deposit: shown(deposit(account, declineDeposit(account, id))) }),
    expireDeposit: ({ account, id }) => ({ deposit: shown(deposit(account, expireDeposit(account, id))) }),

    payPaymentLink: ({ account, id, body }) => ({ payment: shown(payment(account, payLink(account, id, body))) }),
    startPayment: ({ account, id }) => ({ payment: shown(payment(account, startPayment(account, id))) }),
    succeedPayment: ({ account, id }) => ({ payment: shown(payment(account, endPayment(account, id, 'succeed'))) }),
    failPayment: ({ account, id }) => ({ payment: shown(payment(account, endPayment(account, id, 'fail'))) }),

    finalizeInvoice: ({ account, id }) => ({
      invoice: shown(invoice(account, changeInvoice(account, id, 'finalize'))),
    }),
    sendInvoice: ({ account, id }) => ({ invoice: shown(invoice(account, changeInvoice(account, id, 'send'))) }),
    viewInvoice: ({ account, id }) => ({ invoice: shown(invoice(account, changeInvoice(account, id, 'view'))) }),
    cancelInvoice: ({ account, id }) => ({ invoice: shown(invoice(account, changeInvoice(account, id, 'cancel'))) }),
    payInvoice: ({ account, id, body }) => ({
      payment: shown(payment(account, payInvoiceLink(account, id, body))),
      invoice: shown(invoice(account, getInvoice(account, id))),
    }),
  };
}

/** Parses a record that a view of the service has rendered. */
function shown(text: string): components['schemas']['ServiceRecord'] {
  return JSON.parse(text);
}
