import type { Deposit, Invoice, Payment } from '../../domain/records.js';
import { memberOf } from '../../lib/json.js';
import type { Account } from '../../simulation/account.js';
import { authorizeDeposit, declineDeposit, expireDeposit, getDeposit } from '../../simulation/operations/deposits.js';
import { changeInvoice, getInvoice } from '../../simulation/operations/invoices.js';
import { getPaymentLink } from '../../simulation/operations/payment-links.js';
import {
  createInvoicePayment,
  createLinkPayment,
  endPayment,
  getPayment,
  startPayment,
} from '../../simulation/operations/payments.js';
import { subjectName } from '../../text/format.js';
import type { Views } from '../service/views.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';
import { parseServiceRecord } from './views.js';

/** Handlers for reads of records, and for changes that the API of the service does not offer, such as a guest's payment. */
export function recordRoutes(views: Views) {
  // The views of the service return JSON text, which is parsed to become a part of the response.
  const deposit = (account: Account, row: Deposit) => ({ deposit: parseServiceRecord(views.deposit(account, row)) });
  const payment = (account: Account, row: Payment) => ({ payment: parseServiceRecord(views.payment(account, row)) });
  const invoice = (account: Account, row: Invoice) => ({
    invoice: parseServiceRecord(views.invoiceDetail(account, row)),
  });
  return {
    listDepositRecords: ({ account, query }) =>
      listOf(query, account.deposits.rows, (row) => views.deposit(account, row)),
    listInvoiceRecords: ({ account, query }) =>
      listOf(query, account.invoices.rows, (row) => views.invoiceListItem(account, row)),
    listPaymentRecords: ({ account, query }) =>
      listOf(query, account.payments.rows, (row) => views.payment(account, row)),
    listPaymentLinkRecords: ({ account, query }) =>
      listOf(query, account.paymentLinks.rows, (row) => views.paymentLinkListItem(account, row)),

    getDepositRecord: ({ account, id }) => parseServiceRecord(views.deposit(account, getDeposit(account, id))),
    getInvoiceRecord: ({ account, id }) => parseServiceRecord(views.invoiceDetail(account, getInvoice(account, id))),
    getPaymentRecord: ({ account, id }) => parseServiceRecord(views.payment(account, getPayment(account, id))),
    getPaymentLinkRecord: ({ account, id }) =>
      parseServiceRecord(views.paymentLinkListItem(account, getPaymentLink(account, id))),

    authorizeDeposit: ({ account, id }) => deposit(account, authorizeDeposit(account, id)),
    declineDeposit: ({ account, id }) => deposit(account, declineDeposit(account, id)),
    expireDeposit: ({ account, id }) => deposit(account, expireDeposit(account, id)),

    payPaymentLink: ({ account, id, body, logDetails }) => {
      logDetails(subjectName({ resource: 'payment_link', id }));
      return payment(account, createLinkPayment(account, id, body));
    },
    startPayment: ({ account, id }) => payment(account, startPayment(account, id)),
    succeedPayment: ({ account, id }) => payment(account, endPayment(account, id, 'succeed')),
    failPayment: ({ account, id }) => payment(account, endPayment(account, id, 'fail')),

    finalizeInvoice: ({ account, id }) => invoice(account, changeInvoice(account, id, 'finalize')),
    sendInvoice: ({ account, id }) => invoice(account, changeInvoice(account, id, 'send')),
    viewInvoice: ({ account, id }) => invoice(account, changeInvoice(account, id, 'view')),
    cancelInvoice: ({ account, id }) => invoice(account, changeInvoice(account, id, 'cancel')),
    payInvoice: ({ account, id, body, logDetails }) => {
      logDetails(subjectName({ resource: 'invoice', id }));
      return {
        ...payment(account, createInvoicePayment(account, id, body)),
        ...invoice(account, getInvoice(account, id)),
      };
    },
  } satisfies Partial<ControlRoutes>;
}

/** Lists records as the service shows them. Filters the stored rows, since a profile can omit `status` from the JSON. */
function listOf<Row extends object>(
  { status, ...pageQuery }: { readonly page: number; readonly per_page: number; readonly status?: string | undefined },
  rows: readonly Row[],
  viewOf: (row: Row) => string,
) {
  return pageOf(pageQuery, {
    rows: status === undefined ? rows : rows.filter((row) => memberOf(row, 'status') === status),
    view: (row) => parseServiceRecord(viewOf(row)),
    newestFirst: true,
  });
}
