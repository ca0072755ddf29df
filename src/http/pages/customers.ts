import { Refusal } from '../../domain/refusal.js';
import { customerPage, customersPage } from '../../pages/customers.js';
import { readInteger } from '../query.js';
import { pageOf } from './list.js';
import { type Page, placeOf, type Show } from './show.js';

const customers: Show = (asked) => {
  const found = pageOf(asked.account.customers, asked.search, {
    textsOf: ({ name, company, email, city }) => [name, company, email, city],
  });
  return customersPage(placeOf(asked, 'customers'), found);
};

const customer: Show = (asked) => {
  const { account, request } = asked;
  const record = account.customers.get(readInteger(String(request.params['name'])));
  if (!record) throw new Refusal('route-unknown', { hint: 'There is no such customer' });
  const latest = { page: 1, size: 25, newestFirst: true };
  const { rows } = account.invoices.page(latest, ({ customer_id }) => customer_id === record.id);
  return customerPage(placeOf(asked, 'customers'), record, rows);
};

export const customerPages: readonly Page[] = [
  ['/customers', customers],
  ['/customers/:name', customer],
];
