import { ServiceError } from '../../../domain/service-error.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { readInteger } from '../../service/query.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { customerPage, customersPage } from './view.js';

/** Maximum number of invoices listed for a customer. */
const maxInvoices = 25;

const customers: Show = (context) => {
  const found = pageOf(context.account.customers, context.search, {
    textsOf: ({ name, company, email, city }) => [name, company, email, city],
  });
  return customersPage(placeOf(context, 'customers'), found);
};

const customer: Show = (context) => {
  const { account, request } = context;
  const record = account.customers.get(readInteger(String(request.params['name'])));
  if (!record) throw new ServiceError('route-unknown', { hint: 'There is no such customer' });
  const billed = account.invoices.rows.filter(({ customer_id }) => customer_id === record.id);
  const latest = newestFirst(billed, ({ created_at }) => created_at).slice(0, maxInvoices);
  return customerPage(placeOf(context, 'customers'), record, latest);
};

export const customerPages: readonly Page[] = [
  ['/customers', customers],
  ['/customers/:name', customer],
];
