import { invoiceCurrency } from '../domain/invoice-lifecycle.js';
import { invoiceAmount } from '../domain/money.js';
import type { Seed } from '../domain/seed.js';
import type { Profile } from '../openapi/gaps.js';

/** A value of a seed that contradicts another one, or is impossible. */
interface Inconsistency {
  /** Keys and indexes of the invalid value. */
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * Finds an id that occurs twice in a list, a reference to a record that the seed does not contain, or an invoice with a
 * negative total.
 */
export function findInconsistency(seed: Seed, profile: Profile): Inconsistency | undefined {
  const { customers, invoices, payment_links, payments, deposits } = seed;
  for (const [list, rows] of Object.entries({ customers, invoices, payment_links, payments, deposits })) {
    const indexes = new Map<number, number>();
    for (const [index, { id }] of rows.entries()) {
      const first = indexes.get(id);
      if (first !== undefined)
        return { path: [list, `${index}`, 'id'], reason: `${list}[${first}] already has the id ${id}` };
      indexes.set(id, index);
    }
  }
  const customersById = new Map(customers.map((customer) => [customer.id, customer]));
  const linkIds = idsOf(payment_links);
  const invoiceIds = idsOf(invoices);
  for (const [index, { customer_id, items }] of invoices.entries()) {
    const customer = customersById.get(customer_id);
    if (!customer) return missing('invoices', index, 'customer_id', 'customer', customer_id);
    if (invoiceAmount(items, profile, invoiceCurrency(customer, seed.currency, profile)) < 0)
      return { path: ['invoices', `${index}`, 'items'], reason: 'the total must be 0 or more' };
  }
  for (const [index, { customer_id, payment_link_id, invoice_id }] of payments.entries()) {
    if (!customersById.has(customer_id)) return missing('payments', index, 'customer_id', 'customer', customer_id);
    if (payment_link_id !== undefined && !linkIds.has(payment_link_id))
      return missing('payments', index, 'payment_link_id', 'payment link', payment_link_id);
    if (invoice_id !== undefined && !invoiceIds.has(invoice_id))
      return missing('payments', index, 'invoice_id', 'invoice', invoice_id);
  }
  return undefined;
}

function idsOf(rows: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}

function missing(list: string, index: number, field: string, noun: string, id: number): Inconsistency {
  return { path: [list, `${index}`, field], reason: `the seed has no ${noun} ${id}` };
}
