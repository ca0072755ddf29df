import type { Customer, Payment } from '../../domain/records.js';
import { requireFound } from '../../domain/service-error.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { WritableAccount } from '../transaction.js';

/** A customer to be created. Omitted fields are null. */
export type NewCustomer = { readonly name: string; readonly email: string } & Partial<
  Omit<Customer, 'id' | 'name' | 'email'>
>;

/** Creates a customer. The service has no such operation, but the control API and the library do. */
export function createCustomer(account: WritableAccount, input: NewCustomer): Customer {
  const customer = newCustomer(account, input);
  account.transaction((tx) => tx.put({ customers: [customer] }));
  return customer;
}

/** @throws ServiceError customer-not-found */
export function getCustomer(account: AccountState, id: number | string): Customer {
  return requireFound(account.customers.get(id), 'customer-not-found');
}

/**
 * The customer `Guest`, for payments whose payer is not a stored customer. If it does not exist yet, `changes` contains
 * it, and the caller must commit them.
 */
export function guestCustomer(account: AccountState): { customer: Customer; changes: RowsByTable } {
  const email = 'guest@example.com';
  const existing = account.customersByEmail.all(email)[0];
  if (existing) return { customer: existing, changes: {} };
  const customer = newCustomer(account, { name: 'Guest', email });
  return { customer, changes: { customers: [customer] } };
}

export function contactOf({ id, name, email }: Customer): Payment['customer'] {
  return { id, name, email };
}

/** Builds a customer that is not stored yet. */
export function newCustomer(account: AccountState, input: NewCustomer): Customer {
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
