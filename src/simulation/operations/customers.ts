import type { Customer, Payment } from '../../domain/records.js';
import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../account.js';
import type { RowChanges } from '../state/ports.js';

export type NewCustomer = { readonly name: string; readonly email: string } & Partial<
  Omit<Customer, 'id' | 'name' | 'email'>
>;

/** Makes a customer, which the service itself has no operation for. */
export function createCustomer(account: Account, input: NewCustomer): Customer {
  const customer = newCustomer(account, input);
  account.commit({ customers: [customer] });
  return customer;
}

/** @throws ServiceError customer-unknown */
export function getCustomer(account: Account, id: number | string): Customer {
  const customer = account.customers.get(id);
  if (!customer) throw new ServiceError('customer-unknown');
  return customer;
}

/** Who pays where nobody is named; made when needed first. */
export function guest(account: Account): { customer: Customer; changes: RowChanges } {
  const email = 'guest@example.com';
  const known = account.customersByEmail.all(email)[0];
  if (known) return { customer: known, changes: {} };
  const customer = newCustomer(account, { name: 'Guest', email });
  return { customer, changes: { customers: [customer] } };
}

export function contactOf({ id, name, email }: Customer): Payment['customer'] {
  return { id, name, email };
}

function newCustomer(account: Account, input: NewCustomer): Customer {
  return {
    id: account.customers.nextId(),
    company: null,
    phone: null,
    address: null,
    city: null,
    postal_code: null,
    country: null,
    currency: null,
    ...input,
  };
}
