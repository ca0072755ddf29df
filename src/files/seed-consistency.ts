import { invoiceCurrency } from '../domain/invoice-lifecycle.js';
import { invoiceAmount, maximumAmount, placesOf, plus } from '../domain/money.js';
import type { DepositStatus } from '../domain/records.js';
import { type RelativeTime, relativeTimeMs, type Seed } from '../domain/seed.js';
import { decimalPlaces } from '../lib/decimals.js';
import { memberOf } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import { placeOf } from '../lib/schema-errors.js';
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
  for (const [index, { id, customer_id, items, date, due_date }] of invoices.entries()) {
    const customer = customersById.get(customer_id);
    if (!customer) return missing('invoices', index, 'customer_id', 'customer', customer_id);
    const currency = invoiceCurrency(customer, seed.currency, profile);
    const amount = invoiceAmount(items, profile, currency);
    const path = ['invoices', `${index}`, 'items'];
    if (amount < 0) return { path, reason: 'the total must be 0 or more' };
    if (amount > maximum) return { path, reason: `the total must be ${maximum} or less` };
    const unordered = findUnordered('invoices', index, { date, due_date });
    if (unordered) return unordered;
    invoicesById.set(id, { currency, amount, paid: 0 });
  }
  if (payment_links.length > 0 && seed.currency !== 'EUR' && profile['link.currency-others'] === 'refused') {
    const reason = `the profile refuses payment links in ${seed.currency} (gap link.currency-others)`;
    return { path: ['payment_links', '0'], reason };
  }
  const linkIds = new Set(payment_links.map(({ id }) => id));
  for (const [index, payment] of payments.entries()) {
    const { customer_id, payment_link_id, invoice_id, amount, status, created, paid } = payment;
    if (!customersById.has(customer_id)) return missing('payments', index, 'customer_id', 'customer', customer_id);
    if (payment_link_id !== undefined && !linkIds.has(payment_link_id))
      return missing('payments', index, 'payment_link_id', 'payment link', payment_link_id);
    const unordered = findUnordered('payments', index, { created, paid });
    if (unordered) return unordered;
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
  for (const [index, deposit] of deposits.entries()) {
    const inconsistency = findDepositInconsistency(index, deposit, profile);
    if (inconsistency) return inconsistency;
  }
  return undefined;
}

/**
 * The keys that each status of a deposit requires (true) or does not allow (false). Others depend on how the deposit
 * got its status, and on the profile.
 */
const depositKeys: Readonly<
  Record<DepositStatus, { readonly authorized?: boolean; readonly captures?: boolean; readonly released?: boolean }>
> = {
  pending: { authorized: false, captures: false, released: false },
  authorized: { authorized: true, captures: false, released: false },
  partially_captured: { authorized: true, captures: true, released: false },
  captured: { authorized: true, captures: true },
  released: { authorized: true, released: true },
  expired: { released: false },
  failed: { authorized: false, captures: false, released: false },
};

function findDepositInconsistency(
  index: number,
  deposit: Seed['deposits'][number],
  profile: Profile,
): Inconsistency | undefined {
  const { amount, status, check_in_date, check_out_date, created, authorized, captures = [], released } = deposit;
  const path = ['deposits', `${index}`];
  const hasKey = {
    authorized: authorized !== undefined,
    captures: captures.length > 0,
    released: released !== undefined,
  };
  for (const [key, isRequired] of Object.entries(depositKeys[status])) {
    if (isRequired === memberOf(hasKey, key)) continue;
    if (isRequired) return { path, reason: `the status ${quote(status)} requires the key ${quote(key)}` };
    return { path: [...path, key], reason: `the status ${quote(status)} does not allow this key` };
  }
  const captured = captures.reduce((total, capture) => plus(total, capture.amount), 0);
  if (captured > amount) {
    const reason = `the captures must not exceed the amount of the deposit, ${amount}`;
    return { path: [...path, 'captures'], reason };
  }
  const unorderedStay =
    profile['deposit.dates'] === 'refused' && findUnordered('deposits', index, { check_in_date, check_out_date });
  if (unorderedStay) return unorderedStay;
  const captureTimes = captures.map(({ at }, number) => [`captures.${number}.at`, at] as const);
  return findUnordered('deposits', index, { created, authorized, ...Object.fromEntries(captureTimes), released });
}

/**
 * Finds the first time of a record that is before the one in front of it.
 * @param times by path in the record, such as `captures.0.at`
 */
function findUnordered(
  list: string,
  index: number,
  times: Readonly<Record<string, RelativeTime | null | undefined>>,
): Inconsistency | undefined {
  let previous: { readonly path: readonly string[]; readonly ms: number } | undefined;
  for (const [name, time] of Object.entries(times)) {
    const path = name.split('.');
    const ms = relativeTimeMs(time ?? '');
    // Undefined if the record does not have this time.
    if (ms === undefined) continue;
    if (previous && ms < previous.ms)
      return { path: [list, `${index}`, ...path], reason: `must not be before ${quote(placeOf(previous.path))}` };
    previous = { path, ms };
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
