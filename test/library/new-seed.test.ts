import { expect, test } from 'vitest';
import type {
  NewSeed,
  SeedCapture,
  SeedCustomer,
  SeedDeposit,
  SeedInvoice,
  SeedInvoiceItem,
  SeedPayment,
  SeedPaymentLink,
} from '../../src/index.js';
import { isRecord, itemsOf, memberOf } from '../../src/lib/json.js';
import { readSchema } from '../../src/lib/read-schema.js';

/** For each field of a type, whether it may be omitted. */
type Fields<Type> = {
  readonly [Name in keyof Type]-?: Partial<Pick<Type, Name>> extends Pick<Type, Name> ? 'optional' : 'required';
};

// The compiler compares these constants with the types, and the test compares them with the schema.
const seed: Fields<NewSeed> = {
  currency: 'required',
  time_zone: 'required',
  tokens: 'optional',
  customers: 'optional',
  invoices: 'optional',
  payment_links: 'optional',
  payments: 'optional',
  deposits: 'optional',
};
const tokens: Fields<NonNullable<NewSeed['tokens']>> = { full: 'required', read: 'required', write: 'required' };
const customer: Fields<SeedCustomer> = {
  id: 'required',
  name: 'required',
  email: 'required',
  company: 'optional',
  phone: 'optional',
  address: 'optional',
  city: 'optional',
  postal_code: 'optional',
  country: 'optional',
  currency: 'optional',
};
const invoice: Fields<SeedInvoice> = {
  id: 'required',
  invoice_number: 'required',
  reference: 'optional',
  customer_id: 'required',
  status: 'required',
  date: 'required',
  due_date: 'required',
  notes: 'optional',
  items: 'required',
  subscription: 'optional',
};
const item: Fields<SeedInvoiceItem> = {
  description: 'required',
  quantity: 'required',
  unit_price: 'required',
  tax_rate: 'optional',
};
const subscription: Fields<NonNullable<SeedInvoice['subscription']>> = {
  id: 'required',
  name: 'required',
  interval: 'required',
  status: 'required',
};
const paymentLink: Fields<SeedPaymentLink> = {
  id: 'required',
  description: 'required',
  amount: 'required',
  is_active: 'optional',
  created: 'required',
};
const payment: Fields<SeedPayment> = {
  id: 'required',
  payment_link_id: 'optional',
  invoice_id: 'optional',
  customer_id: 'required',
  amount: 'required',
  status: 'required',
  payment_method: 'required',
  created: 'required',
  paid: 'optional',
};
const deposit: Fields<SeedDeposit> = {
  id: 'required',
  booking_reference: 'required',
  amount: 'required',
  customer: 'optional',
  check_in_date: 'optional',
  check_out_date: 'optional',
  metadata: 'optional',
  status: 'required',
  created: 'required',
  authorized: 'optional',
  released: 'optional',
  captures: 'optional',
};
const guest: Fields<NonNullable<SeedDeposit['customer']>> = { name: 'required', email: 'required' };
const capture: Fields<SeedCapture> = { amount: 'required', description: 'optional', at: 'required' };

/** The schema at a path; the path goes through lists, and through the alternative to null. */
function schemaAt(...path: readonly string[]): unknown {
  return path.reduce<unknown>((schema, name) => {
    const field = memberOf(memberOf(schema, 'properties'), name);
    return memberOf(field, 'items') ?? itemsOf(field, 'anyOf')[0] ?? field;
  }, readSchema('fixtures/accounts/seed.schema.json'));
}

test.each<[type: string, fields: object, schema: unknown]>([
  ['seed', seed, schemaAt()],
  ['tokens', tokens, schemaAt('tokens')],
  ['customer', customer, schemaAt('customers')],
  ['invoice', invoice, schemaAt('invoices')],
  ['item of an invoice', item, schemaAt('invoices', 'items')],
  ['subscription', subscription, schemaAt('invoices', 'subscription')],
  ['payment link', paymentLink, schemaAt('payment_links')],
  ['payment', payment, schemaAt('payments')],
  ['deposit', deposit, schemaAt('deposits')],
  ['guest of a deposit', guest, schemaAt('deposits', 'customer')],
  ['capture of a deposit', capture, schemaAt('deposits', 'captures')],
])('the type of a %s has the fields of its schema, and the same ones may be omitted', (_type, fields, schema) => {
  const properties = memberOf(schema, 'properties');
  const names = Object.keys(isRecord(properties) ? properties : {});
  const required = itemsOf(schema, 'required');
  expect(fields).toEqual(
    Object.fromEntries(names.map((name) => [name, required.includes(name) ? 'required' : 'optional'])),
  );
});
