import type { Customer, DepositStatus, InvoiceStatus, PaymentStatus } from '../domain/records.js';
import type { components as controlComponents } from '../generated/control-validated-types.js';
import type { NewCustomer } from '../simulation/operations/customers.js';
import type { PaymentInput } from '../simulation/operations/payments.js';
import type { Actions } from './actions.js';

/**
 * A record as the service shows it: the account's profile decides which fields it has and how decimals are written.
 * Under the default profile it has the type `Deposit`, `Payment` or `InvoiceDetail`; in lists also `Invoice` or
 * `PaymentLinkRow`.
 */
export type ServiceRecord = controlComponents['schemas']['ServiceRecord'];

/** Deposits of an account. */
export interface Deposits {
  /** Lists the deposits, or those in one status, in the format of the service, newest first. @throws ServiceError invalid */
  list(filters?: { readonly status?: DepositStatus }): Promise<ServiceRecord[]>;
  /** Returns a deposit in the format of the service, without a request to it. @throws ServiceError deposit-not-found */
  get(id: number | string): Promise<ServiceRecord>;
  /**
   * Authorizes a deposit as its guest would, which starts the hold.
   * @throws ServiceError deposit-not-found, transition-not-allowed
   */
  authorize(id: number | string): Promise<ServiceRecord>;
  /** Declines the guest's card. @throws ServiceError deposit-not-found, transition-not-allowed */
  decline(id: number | string): Promise<ServiceRecord>;
  /**
   * Expires a hold, or a deposit that nobody has authorized, before it is due.
   * @throws ServiceError deposit-not-found, transition-not-allowed
   */
  expire(id: number | string): Promise<ServiceRecord>;
}

/** Payment links of an account. */
export interface PaymentLinks {
  /** Lists the payment links in the format of the service, newest first. */
  list(): Promise<ServiceRecord[]>;
  /** Returns a payment link as the service lists it. @throws ServiceError payment-link-not-found */
  get(id: number | string): Promise<ServiceRecord>;
  /** Pays a link. @returns the payment @throws ServiceError */
  pay(id: number | string, input?: PaymentInput): Promise<ServiceRecord>;
}

/** Payments of an account. */
export interface Payments {
  /** Lists the payments, or those in one status, in the format of the service, newest first. @throws ServiceError invalid */
  list(filters?: { readonly status?: PaymentStatus }): Promise<ServiceRecord[]>;
  /** Returns a payment as the service lists it. @throws ServiceError payment-not-found */
  get(id: number | string): Promise<ServiceRecord>;
  /** Marks an open or pending payment as paid. @throws ServiceError payment-not-found, transition-not-allowed */
  succeed(id: number | string): Promise<ServiceRecord>;
  /** Marks an open or pending payment as failed. @throws ServiceError payment-not-found, transition-not-allowed */
  fail(id: number | string): Promise<ServiceRecord>;
}

/** Invoices of an account. */
export interface Invoices {
  /** Lists the invoices, or those in one status, in the format of the service, newest first. @throws ServiceError invalid */
  list(filters?: { readonly status?: InvoiceStatus }): Promise<ServiceRecord[]>;
  /** Returns an invoice with its payments, which are its `transactions`. @throws ServiceError invoice-not-found */
  get(id: number | string): Promise<ServiceRecord>;
  /** Finalizes a draft, which then awaits payment. @throws ServiceError invoice-not-found, transition-not-allowed */
  finalize(id: number | string): Promise<ServiceRecord>;
  /**
   * Marks an invoice as sent to its customer. No email is created.
   * @throws ServiceError invoice-not-found, transition-not-allowed
   */
  send(id: number | string): Promise<ServiceRecord>;
  /** Opens an invoice as its customer would. @throws ServiceError invoice-not-found, transition-not-allowed */
  view(id: number | string): Promise<ServiceRecord>;
  /** Cancels an invoice. @throws ServiceError invoice-not-found, transition-not-allowed */
  cancel(id: number | string): Promise<ServiceRecord>;
  /** Pays an invoice, in part if `amount` is less than what is owed. @returns the payment @throws ServiceError */
  pay(id: number | string, input?: PaymentInput & { readonly amount?: number }): Promise<ServiceRecord>;
}

/** Customers of an account; the service has no operations for them. */
export interface Customers {
  /** Lists the customers, or those with an email address, newest first. @throws ServiceError invalid */
  list(filters?: { readonly email?: string }): Promise<Customer[]>;
  /** Returns a customer. @throws ServiceError customer-not-found */
  get(id: number | string): Promise<Customer>;
  /** Creates a customer. @throws ServiceError invalid */
  create(input: NewCustomer): Promise<Customer>;
}

/** Creates the objects through which tests read and change the records of an account. */
export function recordsOf({ call, get, list }: Pick<Actions, 'call' | 'get' | 'list'>): {
  readonly deposits: Deposits;
  readonly paymentLinks: PaymentLinks;
  readonly payments: Payments;
  readonly invoices: Invoices;
  readonly customers: Customers;
} {
  return {
    deposits: {
      list: async (filters = {}) => [...(await list('listDepositRecords', filters, { status: true })).data],
      get: (deposit) => get('getDepositRecord', deposit),
      authorize: async (deposit) => (await call('authorizeDeposit', { name: deposit })).deposit,
      decline: async (deposit) => (await call('declineDeposit', { name: deposit })).deposit,
      expire: async (deposit) => (await call('expireDeposit', { name: deposit })).deposit,
    },
    paymentLinks: {
      list: async () => [...(await list('listPaymentLinkRecords', {}, {})).data],
      get: (link) => get('getPaymentLinkRecord', link),
      pay: async (link, body = {}) => (await call('payPaymentLink', { name: link, body })).payment,
    },
    payments: {
      list: async (filters = {}) => [...(await list('listPaymentRecords', filters, { status: true })).data],
      get: (payment) => get('getPaymentRecord', payment),
      succeed: async (payment) => (await call('succeedPayment', { name: payment })).payment,
      fail: async (payment) => (await call('failPayment', { name: payment })).payment,
    },
    invoices: {
      list: async (filters = {}) => [...(await list('listInvoiceRecords', filters, { status: true })).data],
      get: (invoice) => get('getInvoiceRecord', invoice),
      finalize: async (invoice) => (await call('finalizeInvoice', { name: invoice })).invoice,
      send: async (invoice) => (await call('sendInvoice', { name: invoice })).invoice,
      view: async (invoice) => (await call('viewInvoice', { name: invoice })).invoice,
      cancel: async (invoice) => (await call('cancelInvoice', { name: invoice })).invoice,
      pay: async (invoice, body = {}) => (await call('payInvoice', { name: invoice, body })).payment,
    },
    customers: {
      list: async (filters = {}) => [...(await list('listCustomers', filters, { email: true })).data],
      get: (customer) => get('getCustomer', customer),
      create: (body) => call('createCustomer', { body }),
    },
  };
}
