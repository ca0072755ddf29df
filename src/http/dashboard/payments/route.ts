import { instant } from '../../../domain/dates.js';
import { getPayment } from '../../../simulation/operations/payments.js';
import { readInteger } from '../../service/query.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { paymentEntries } from '../routing/timeline.js';
import { paymentPage, paymentsPage } from './view.js';

const payments: Show = (context) => {
  const found = pageOf(context.account.payments, context.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ description, reference, customer }) => [description, reference, customer.name, customer.email],
    statusOf: ({ status }) => status,
  });
  return paymentsPage(placeOf(context, 'payments'), found);
};

const payment: Show = (context) => {
  const { account, request } = context;
  const record = getPayment(account, readInteger(String(request.params['name'])));
  return paymentPage(placeOf(context, 'payments'), record, {
    profile: account.profile,
    entries: paymentEntries(account, record),
    now: instant(account.now()),
  });
};

export const paymentPages: readonly Page[] = [
  ['/payments', payments],
  ['/payments/:name', payment],
];
