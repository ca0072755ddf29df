import type { Payment } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getPayment } from '../../../simulation/operations/payments.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { paymentEntries } from '../routing/timeline.js';
import { paymentPage, paymentsPage } from './view.js';

export const paymentList = (account: Account): ListSource<Payment> => ({
  rows: account.payments.rows,
  rowPositionsInTimeOrder: () => account.payments.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ description, reference, customer }) => [description, reference, customer.name, customer.email],
  statusOf: ({ status }) => status,
  exportedFields: {
    id: ({ id }) => id,
    reference: ({ reference }) => reference,
    description: ({ description }) => description,
    customer: ({ customer }) => customer.name,
    status: ({ status }) => status,
    payment_method: ({ payment_method }) => payment_method,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => currency,
    invoice_id: ({ invoice_id }) => invoice_id,
    payment_link_id: ({ payment_link_id }) => payment_link_id,
    created_at: ({ created_at }) => created_at,
    paid_at: ({ paid_at }) => paid_at,
  },
});

const showPayments: PageHandler = (context) =>
  paymentsPage(context.location, listPageOf(context.query, paymentList(context.account)));

const showPayment: PageHandler = (context) => {
  const { account } = context;
  const record = getPayment(account, operationInput(context).id);
  return paymentPage(context.location, record, {
    profile: account.profile,
    entries: paymentEntries(account, record),
    related: relatedActivity(account, `payment:${record.id}`),
  });
};

export const paymentPages: readonly PageRoute[] = [
  ['/payments', showPayments],
  ['/payments/:idOrName', showPayment],
  ...createExportRoutes('payments', paymentList),
];
