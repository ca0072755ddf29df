import { ServiceError } from '../../../domain/service-error.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { readInteger } from '../../service/query.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { customerPage, customersPage } from './view.js';

/** How many invoices of a customer are listed. */
const maxInvoices = 25;

const customers: Show = (asked) => {
  const found = pageOf(asked.account.customers, asked.search, {
    textsOf: ({ name, company, email, city }) => [name, company, email, city],
  });
  return customersPage(placeOf(asked, 'customers'), found);
};

const customer: Show = (asked) => {
  const { account, request } = asked;
  const record = account.customers.get(readInteger(String(request.params['name'])));
  if (!record) throw new ServiceError('route-unknown', { hint: 'There is no such customer' });
  const billed = account.invoices.rows.filter(({ customer_id }) => customer_id === record.id);
  const latest = newestFirst(billed, ({ created_at }) => created_at).slice(0, maxInvoices);
  return customerPage(placeOf(asked, 'customers'), record, latest);
};

export const customerPages: readonly Page[] = [
  ['/customers', customers],
  ['/customers/:name', customer],
];
