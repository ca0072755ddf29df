import { createCustomer } from '../../simulation/customers.js';
import type { ControlRoutes } from './routes.js';

export const customerRoutes: Pick<ControlRoutes, 'listCustomers' | 'createCustomer'> = {
  listCustomers: ({ account, query: { limit } }) => {
    const { rows, total } = account.customers.page({ page: 1, size: limit, newestFirst: true });
    return { total, customers: rows };
  },

  createCustomer: ({ account, body }) => createCustomer(account, body),
};
