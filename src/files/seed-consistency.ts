import { invoiceCurrency } from '../domain/invoice-lifecycle.js';
import { decimalPlacesOf, invoiceAmount, maximumAmount, plus } from '../domain/money.js';
import type { DepositStatus, InvoiceStatus } from '../domain/records.js';
import { type RelativeTime, relativeTimeMs, type Seed } from '../domain/seed.js';
import { decimalPlaces } from '../lib/decimals.js';
import { dayMs } from '../lib/durations.js';
import { disjunction, quote } from '../lib/messages.js';
import { placeOf } from '../lib/schema-errors.js';
import type { Profile } from '../openapi/gaps.js';

/** A value of a seed that contradicts another one, or is impossible. */
interface Inconsistency {
  /** Keys and indexes of the invalid value. */
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * Finds an id or a unique number that occurs twice, a reference to a record that the seed does not contain, or a
 * record that the API could not have created under the profile, such as a deposit with captures above its amount.
 */
export function findInconsistency(seed: Seed, profile: Profile): Inconsistency | undefined {
  const { tokens = {}, customers, invoices, payment_links, payments, deposits } = seed;
  const repeatedToken = findRepeatedToken(tokens);
  if (repeatedToken) return repeatedToken;
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
  const records: RecordsById = {
    customers: new Map(customers.map((customer) => [customer.id, customer])),
    invoices: new Map(),
    links: new Map(payment_links.map((link) => [link.id, link])),
  };
  const maximum = maximumAmount(profile);
  for (const [index, { id, customer_id, items, status, date, due_date }] of invoices.entries()) {
    const customer = records.customers.get(customer_id);
    if (!customer) return missing('invoices', index, 'customer_id', 'customer', customer_id);
    const currency = invoiceCurrency(customer, seed.currency, profile);
    const amount = invoiceAmount(items, profile, currency);
    const path = ['invoices', `${index}`, 'items'];
    if (amount < 0) return { path, reason: 'the total must be 0 or more' };
    if (amount > maximum) return { path, reason: `the total must be ${maximum} or less` };
    const unordered = findUnordered('invoices', index, { date, due_date });
    if (unordered) return unordered;
    const days = daysUntilOverdue(seed, profile);
    if (status === 'overdue' && (relativeTimeMs(due_date) ?? 0) > -days * dayMs) {
      const shownDays = days === 1 ? 'a day' : 'two days';
      const reason = `must be at least ${shownDays} in the past, such as -${days}d, because the status is ${quote(status)}`;
      return { path: ['invoices', `${index}`, 'due_date'], reason };
    }
    records.invoices.set(id, { customer_id, currency, amount, paid: 0 });
  }
  if (payment_links.length > 0 && seed.currency !== 'EUR' && profile['link.currency-others'] === 'refused') {
    const reason = `the profile refuses payment links in ${seed.currency} (gap link.currency-others)`;
    return { path: ['payment_links', '0'], reason };
  }
  for (const [index, { created }] of payment_links.entries()) {
    const impossible = findImpossibleTime('payment_links', index, { created });
    if (impossible) return impossible;
  }
  for (const [index, payment] of payments.entries()) {
    const inconsistency = findPaymentInconsistency(index, payment, records, profile);
    if (inconsistency) return inconsistency;
  }
  // Checked only now that all payments have been added up.
  for (const [index, invoice] of invoices.entries()) {
    const inconsistency = findStatusMismatch(index, invoice, records);
    if (inconsistency) return inconsistency;
  }
  for (const [index, deposit] of deposits.entries()) {
    const inconsistency = findDepositInconsistency(index, deposit, profile);
    if (inconsistency) return inconsistency;
  }
  return undefined;
}

/**
 * Returns how many days ago an invoice must be due to be overdue at any time of the day. A due date is a date in the time
 * zone of the account. It may be the current date in UTC, too, although it is yesterday's in that zone.
 */
function daysUntilOverdue({ time_zone }: Seed, profile: Profile): 1 | 2 {
  return time_zone === 'UTC' || profile['invoice.overdue-moment'] === 'account-day' ? 1 : 2;
}

interface CheckedInvoice {
  readonly customer_id: number;
  readonly currency: string;
  readonly amount: number;
  /** Sum of the paid payments that have been checked. */
  paid: number;
}

/** Records of a seed to which others refer. */
interface RecordsById {
  readonly customers: ReadonlyMap<number, Seed['customers'][number]>;
  readonly invoices: Map<number, CheckedInvoice>;
  readonly links: ReadonlyMap<number, Seed['payment_links'][number]>;
}

/** Checks a payment, and adds it to the paid amount of its invoice. */
function findPaymentInconsistency(
  index: number,
  { customer_id, payment_link_id, invoice_id, amount, status, created, paid }: Seed['payments'][number],
  { customers, invoices, links }: RecordsById,
  profile: Profile,
): Inconsistency | undefined {
  const path = ['payments', `${index}`];
  const link = isGiven(payment_link_id) ? links.get(payment_link_id) : undefined;
  const invoice = isGiven(invoice_id) ? invoices.get(invoice_id) : undefined;
  if (!customers.has(customer_id)) return missing('payments', index, 'customer_id', 'customer', customer_id);
  if (isGiven(payment_link_id) && !link)
    return missing('payments', index, 'payment_link_id', 'payment link', payment_link_id);
  if (isGiven(invoice_id) && !invoice) return missing('payments', index, 'invoice_id', 'invoice', invoice_id);
  const impossible =
    findKeyMismatch(path, status, { paid: status === 'paid' }, { paid: isGiven(paid) }) ??
    findImpossibleTime('payments', index, { created, paid });
  if (impossible) return impossible;
  if (link && amount !== link.amount)
    return { path: [...path, 'amount'], reason: `must be ${link.amount}, the amount of payment link ${link.id}` };
  if (link && (relativeTimeMs(created) ?? 0) < (relativeTimeMs(link.created) ?? 0)) {
    const reason = `must not be before the creation of payment link ${link.id}, ${quote(link.created)}`;
    return { path: [...path, 'created'], reason };
  }
  if (!invoice) return undefined;
  if (customer_id !== invoice.customer_id) {
    const reason = `must be ${invoice.customer_id}, the customer of invoice ${invoice_id}`;
    return { path: [...path, 'customer_id'], reason };
  }
  const places = decimalPlacesOf(invoice.currency, profile);
  if (decimalPlaces(amount) > places)
    return { path: [...path, 'amount'], reason: `must have at most ${places} decimal places` };
  if (status !== 'paid' && amount > invoice.amount)
    return {
      path: [...path, 'amount'],
      reason: `must be ${invoice.amount} or less, the amount of invoice ${invoice_id}`,
    };
  if (status === 'paid') invoice.paid = plus(invoice.paid, amount);
  if (invoice.paid <= invoice.amount) return undefined;
  const reason = `the paid payments of invoice ${invoice_id} must not exceed its amount, ${invoice.amount}`;
  return { path: [...path, 'amount'], reason };
}

/** The statuses that an invoice can have if nothing, a part or all of its amount has been paid. */
const statusesByPaidPart: Readonly<Record<'none' | 'part' | 'all', readonly InvoiceStatus[]>> = {
  none: ['draft', 'pending', 'sent', 'viewed', 'overdue', 'cancelled'],
  part: ['partial', 'overdue', 'cancelled'],
  all: ['paid'],
};

/** Compares the status of an invoice with its paid payments. */
function findStatusMismatch(
  index: number,
  { id, status }: Seed['invoices'][number],
  { invoices }: RecordsById,
): Inconsistency | undefined {
  const { amount = 0, paid = 0 } = invoices.get(id) ?? {};
  // An invoice with the amount 0 is fully paid without any payment, so `none` and `all` both apply.
  const allowed = [
    ...(paid === 0 ? statusesByPaidPart.none : []),
    ...(paid > 0 && paid < amount ? statusesByPaidPart.part : []),
    ...(paid === amount ? statusesByPaidPart.all : []),
  ];
  if (allowed.includes(status)) return undefined;
  const reason = `${quote(status)} does not match the paid payments of this invoice, ${paid} of ${amount}; change them, or use ${disjunction(allowed.map(quote))}`;
  return { path: ['invoices', `${index}`, 'status'], reason };
}

/**
 * The keys that each status of a deposit requires (true) or does not allow (false). Other keys depend on how the
 * deposit got its status, and on the profile.
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
  const { amount, status, check_in_date, check_out_date, created, authorized, released } = deposit;
  const captures = deposit.captures ?? [];
  const path = ['deposits', `${index}`];
  const keyMismatch = findKeyMismatch(path, status, depositKeys[status], {
    authorized: isGiven(authorized),
    captures: captures.length > 0,
    released: isGiven(released),
  });
  if (keyMismatch) return keyMismatch;
  if (captures.length > 0 && !isGiven(authorized))
    return { path, reason: `captures require the key ${quote('authorized')}` };
  const captured = captures.reduce((total, capture) => plus(total, capture.amount), 0);
  if (captured > amount) {
    const reason = `the captures must not exceed the amount of the deposit, ${amount}`;
    return { path: [...path, 'captures'], reason };
  }
  if (captured === amount && status !== 'captured') {
    const reason = `must be ${quote('captured')}, because the captures are the whole amount of the deposit, ${amount}`;
    return { path: [...path, 'status'], reason };
  }
  if (captured === amount && isGiven(released)) {
    const reason = 'must be omitted, because the captures are the whole amount of the deposit';
    return { path: [...path, 'released'], reason };
  }
  const allowed = statusesWhenPartlyCaptured(deposit, profile);
  if (captured > 0 && captured < amount && !allowed.includes(status)) {
    const reason = `${quote(status)} does not match the captures, ${captured} of ${amount}; change them, or use ${disjunction(allowed.map(quote))}`;
    return { path: [...path, 'status'], reason };
  }
  const unorderedStay =
    profile['deposit.dates'] === 'refused' && findUnordered('deposits', index, { check_in_date, check_out_date });
  if (unorderedStay) return unorderedStay;
  const captureTimes = captures.map(({ at }, number) => [`captures.${number}.at`, at] as const);
  return findImpossibleTime('deposits', index, {
    created,
    authorized,
    ...Object.fromEntries(captureTimes),
    released,
  });
}

/** Statuses that a deposit can have if a part of its amount was captured (gaps deposit.release-partial, deposit.expire-partial). */
function statusesWhenPartlyCaptured({ released }: Seed['deposits'][number], profile: Profile): DepositStatus[] {
  return isGiven(released)
    ? [profile['deposit.release-partial']]
    : ['partially_captured', profile['deposit.expire-partial']];
}

/**
 * Finds the first key that the status of a record requires or does not allow.
 * @param requirements by key: true if it is required, false if it is not allowed
 * @param hasKey by key: whether the record has it
 */
function findKeyMismatch(
  path: readonly string[],
  status: string,
  requirements: Readonly<Record<string, boolean>>,
  hasKey: Readonly<Record<string, boolean>>,
): Inconsistency | undefined {
  for (const [key, isRequired] of Object.entries(requirements)) {
    if (isRequired === hasKey[key]) continue;
    if (isRequired) return { path, reason: `the status ${quote(status)} requires the key ${quote(key)}` };
    return { path: [...path, key], reason: `the status ${quote(status)} does not allow this key` };
  }
  return undefined;
}

/** Returns true for a field that the seed gives a value; null means the same as an omitted field. */
function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

/** Times of a record, by path in the record, such as `captures.0.at`. */
type Times = Readonly<Record<string, RelativeTime | null | undefined>>;

/** Finds the first time that is in the future or out of order, in a record whose times must all be in the past. */
function findImpossibleTime(list: string, index: number, times: Times): Inconsistency | undefined {
  const unordered = findUnordered(list, index, times);
  if (unordered) return unordered;
  const future = Object.entries(times).find(([, time]) => (relativeTimeMs(time ?? '') ?? 0) > 0);
  if (!future) return undefined;
  const [name] = future;
  const reason = 'must not be in the future; use 0, the time of the seeding, or an earlier time such as -1d';
  return { path: [list, `${index}`, ...name.split('.')], reason };
}

/** Finds the first time of a record that is earlier than the time listed before it. */
function findUnordered(list: string, index: number, times: Times): Inconsistency | undefined {
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

/** Finds the first token that is equal to an earlier one, and so could not have different scopes. */
function findRepeatedToken(tokens: Readonly<Record<string, string>>): Inconsistency | undefined {
  const names = new Map<string, string>();
  for (const [name, token] of Object.entries(tokens)) {
    const first = names.get(token);
    if (first !== undefined)
      return {
        path: ['tokens', name],
        reason: `must not be the same token as ${quote(first)}, which has other scopes`,
      };
    names.set(token, name);
  }
  return undefined;
}

/** Finds the first record that has the same value in a field as an earlier record. */
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
