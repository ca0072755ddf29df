import { createCustomer, getCustomer } from '../../simulation/operations/customers.js';
import type { ControlRoutes } from './operations.js';
import { pageOf } from './pagination.js';

export const customerRoutes = {
  listCustomers: ({ account, query }) =>
    pageOf(query, { rows: account.customers.rows, view: (customer) => customer, newestFirst: true }),

  createCustomer: ({ account, body }) => createCustomer(account, body),

  getCustomer: ({ account, id }) => getCustomer(account, id),
} satisfies Partial<ControlRoutes>;
