import type { Customer } from '../../../domain/records.js';
import { ServiceError } from '../../../domain/service-error.js';
import type { Account } from '../../../simulation/account.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { customerPage, customersPage } from './view.js';

/** Maximum number of invoices listed for a customer. */
const maxInvoices = 25;

export const customerList = (account: Account): ListSource<Customer> => ({
  rows: account.customers.rows,
  searchTextsOf: ({ name, company, email, city }) => [name, company, email, city],
  exportedFields: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    company: ({ company }) => company,
    email: ({ email }) => email,
    city: ({ city }) => city,
    country: ({ country }) => country,
    currency: ({ currency }) => currency,
  },
});

const showCustomers: PageHandler = (context) =>
  customersPage(context.location, listPageOf(context.query, customerList(context.account)));

const showCustomer: PageHandler = (context) => {
  const { account } = context;
  const record = account.customers.get(operationInput(context).id);
  if (!record) throw new ServiceError('route-unknown', { hint: 'there is no such customer' });
  const customerInvoices = account.invoices.rows.filter(({ customer_id }) => customer_id === record.id);
  const latest = newestFirst(customerInvoices, ({ created_at }) => created_at).slice(0, maxInvoices);
  return customerPage(context.location, record, latest, relatedActivity(account, `customer:${record.id}`));
};

export const customerPages: readonly PageRoute[] = [
  ['/customers', showCustomers],
  ['/customers/:idOrName', showCustomer],
  ...createExportRoutes('customers', customerList),
];
