import { invoiceCurrency } from '../domain/invoice-lifecycle.js';
import { invoiceAmount, maximumAmount, placesOf, plus } from '../domain/money.js';
import type { Seed } from '../domain/seed.js';
import { decimalPlaces } from '../lib/decimals.js';
import { quote } from '../lib/messages.js';
import type { Profile } from '../openapi/gaps.js';

/** A value of a seed that contradicts another one, or is impossible. */
interface Inconsistency {
  /** Keys and indexes of the invalid value. */
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * Finds an id or a unique number that occurs twice in a list, a reference to a record that the seed does not contain,
 * or a record that the API could not have created under the profile, such as a deposit with captures above its amount.
 */
export function findInconsistency(seed: Seed, profile: Profile): Inconsistency | undefined {
  const { customers, invoices, payment_links, payments, deposits } = seed;
  for (const [list, records] of Object.entries({ customers, invoices, payment_links, payments, deposits })) {
    const ids = records.map(({ id }) => id);
    const repeated = findRepeated(list, 'id', 'id', ids);
    if (repeated) return repeated;
  }
  if (profile['invoice.number-duplicate'] === 'refused') {
    const numbers = invoices.map(({ invoice_number }) => invoice_number);
    const repeated = findRepeated('invoices', 'invoice_number', 'number', numbers);
    if (repeated) return repeated;
  }
  const customersById = new Map(customers.map((customer) => [customer.id, customer]));
  const maximum = maximumAmount(profile);
  const invoicesById = new Map<number, { readonly currency: string; readonly amount: number; paid: number }>();
  for (const [index, { id, customer_id, items }] of invoices.entries()) {
    const customer = customersById.get(customer_id);
    if (!customer) return missing('invoices', index, 'customer_id', 'customer', customer_id);
    const currency = invoiceCurrency(customer, seed.currency, profile);
    const amount = invoiceAmount(items, profile, currency);
    const path = ['invoices', `${index}`, 'items'];
    if (amount < 0) return { path, reason: 'the total must be 0 or more' };
    if (amount > maximum) return { path, reason: `the total must be ${maximum} or less` };
    invoicesById.set(id, { currency, amount, paid: 0 });
  }
  if (payment_links.length > 0 && seed.currency !== 'EUR' && profile['link.currency-others'] === 'refused') {
    const reason = `the profile refuses payment links in ${seed.currency} (gap link.currency-others)`;
    return { path: ['payment_links', '0'], reason };
  }
  const linkIds = new Set(payment_links.map(({ id }) => id));
  for (const [index, { customer_id, payment_link_id, invoice_id, amount, status }] of payments.entries()) {
    if (!customersById.has(customer_id)) return missing('payments', index, 'customer_id', 'customer', customer_id);
    if (payment_link_id !== undefined && !linkIds.has(payment_link_id))
      return missing('payments', index, 'payment_link_id', 'payment link', payment_link_id);
    if (invoice_id === undefined) continue;
    const invoice = invoicesById.get(invoice_id);
    if (!invoice) return missing('payments', index, 'invoice_id', 'invoice', invoice_id);
    const path = ['payments', `${index}`, 'amount'];
    const places = placesOf(invoice.currency, profile);
    if (decimalPlaces(amount) > places) return { path, reason: `must have at most ${places} decimal places` };
    if (status === 'paid') invoice.paid = plus(invoice.paid, amount);
    if (invoice.paid > invoice.amount) {
      const reason = `the paid payments of invoice ${invoice_id} must not exceed its amount, ${invoice.amount}`;
      return { path, reason };
    }
  }
  for (const [index, { amount, captures = [] }] of deposits.entries()) {
    const captured = captures.reduce((total, capture) => plus(total, capture.amount), 0);
    if (captured > amount) {
      const reason = `the captures must not exceed the amount of the deposit, ${amount}`;
      return { path: ['deposits', `${index}`, 'captures'], reason };
    }
  }
  return undefined;
}

/** Finds the first record whose value of a field repeats that of an earlier record. */
function findRepeated(
  list: string,
  field: string,
  noun: string,
  values: readonly (number | string)[],
): Inconsistency | undefined {
  const indexes = new Map<number | string, number>();
  for (const [index, value] of values.entries()) {
    const first = indexes.get(value);
    if (first !== undefined) {
      const shown = typeof value === 'string' ? quote(value) : value;
      return { path: [list, `${index}`, field], reason: `${list}[${first}] already has the ${noun} ${shown}` };
    }
    indexes.set(value, index);
  }
  return undefined;
}

function missing(list: string, index: number, field: string, noun: string, id: number): Inconsistency {
  return { path: [list, `${index}`, field], reason: `the seed has no ${noun} ${id}` };
}
