import { instant } from '../../../domain/dates.js';
import { getPayment } from '../../../simulation/operations/payments.js';
import { readInteger } from '../../service/query.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { paymentEntries } from '../routing/timeline.js';
import { paymentPage, paymentsPage } from './view.js';

const payments: Show = (asked) => {
  const found = pageOf(asked.account.payments, asked.search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ description, reference, customer }) => [description, reference, customer.name, customer.email],
    statusOf: ({ status }) => status,
  });
  return paymentsPage(placeOf(asked, 'payments'), found);
};

const payment: Show = (asked) => {
  const { account, request } = asked;
  const record = getPayment(account, readInteger(String(request.params['name'])));
  return paymentPage(placeOf(asked, 'payments'), record, {
    profile: account.profile,
    entries: paymentEntries(account, record),
    now: instant(account.now()),
  });
};

export const paymentPages: readonly Page[] = [
  ['/payments', payments],
  ['/payments/:name', payment],
];
