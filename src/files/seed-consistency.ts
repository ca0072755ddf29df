import { invoiceCurrency } from '../domain/invoice-lifecycle.js';
import { decimalPlacesOf, invoiceAmount, maximumAmount, plus } from '../domain/money.js';
import type { DepositStatus, InvoiceStatus } from '../domain/records.js';
import { type RelativeTime, relativeTimeMs, type Seed } from '../domain/seed.js';
import { decimalPlaces } from '../lib/decimals.js';
import { dayMs } from '../lib/durations.js';
import { hasInfiniteNumber, hasUnstorableText } from '../lib/json.js';
import { disjunction, quote } from '../lib/messages.js';
import { placeOf } from '../lib/schema-errors.js';
import type { Profile } from '../openapi/profile.js';

/** A value of a seed that contradicts another one, or is impossible. The message is the reason. */
export class Inconsistency extends Error {
  /** Keys and indexes of the invalid value. */
  readonly path: readonly string[];

  constructor(path: readonly string[], reason: string) {
    super(reason);
    this.path = path;
  }
}

/**
 * Checks that no id or unique number occurs twice, that the seed contains every record to which another one refers, and
 * that the API could have created its records under the profile: no deposit has captures above its amount, for example.
 * @throws Inconsistency
 */
export function requireConsistency(seed: Seed, profile: Profile): void {
  const { tokens = {}, customers, invoices, payment_links, payments, deposits } = seed;
  requireDifferentTokens(tokens);
  for (const [list, records] of Object.entries({ customers, invoices, payment_links, payments, deposits })) {
    const ids = records.map(({ id }) => id);
    requireDifferent(list, 'id', 'id', ids);
  }
  if (profile['invoice.number-duplicate'] === 'refused') {
    const numbers = invoices.map(({ invoice_number }) => invoice_number);
    requireDifferent('invoices', 'invoice_number', 'number', numbers);
  }
  const records: RecordsById = {
    customers: new Map(customers.map((customer) => [customer.id, customer])),
    invoices: new Map(),
    links: new Map(payment_links.map((link) => [link.id, link])),
  };
  for (const [index, invoice] of invoices.entries()) checkInvoice(index, invoice, records, seed, profile);
  if (payment_links.length > 0 && seed.currency !== 'EUR' && profile['link.currency-others'] === 'refused') {
    const reason = `the profile refuses payment links in ${seed.currency} (gap link.currency-others)`;
    throw new Inconsistency(['payment_links', '0'], reason);
  }
  for (const [index, { created }] of payment_links.entries()) checkTimes(['payment_links', `${index}`], { created });
  for (const [index, payment] of payments.entries()) checkPayment(index, payment, records, seed, profile);
  // Checked only now that all payments have been added up.
  for (const [index, invoice] of invoices.entries()) checkInvoiceStatus(index, invoice, records);
  for (const [index, deposit] of deposits.entries()) checkDeposit(index, deposit, profile);
}

/** Checks an invoice, except for its payments, and adds it to the records. */
function checkInvoice(
  index: number,
  { id, customer_id, items, status, date, due_date }: Seed['invoices'][number],
  { customers, invoices }: RecordsById,
  seed: Seed,
  profile: Profile,
): void {
  const path = ['invoices', `${index}`];
  const customer = customers.get(customer_id);
  if (!customer) throw missing(path, 'customer_id', 'customer', customer_id);
  const currency = invoiceCurrency(customer, seed.currency, profile);
  const amount = invoiceAmount(items, profile, currency);
  const maximum = maximumAmount(profile);
  if (amount < 0) throw new Inconsistency([...path, 'items'], 'the total must be 0 or more');
  if (amount > maximum) throw new Inconsistency([...path, 'items'], `the total must be ${maximum} or less`);
  requireOrder(path, { date, due_date });
  const days = daysUntilOverdue(seed, profile);
  if (status === 'overdue' && (relativeTimeMs(due_date) ?? 0) > -days * dayMs) {
    const shownDays = days === 1 ? 'a day' : 'two days';
    const reason = `must be at least ${shownDays} in the past, such as -${days}d, because the status is ${quote(status)}`;
    throw new Inconsistency([...path, 'due_date'], reason);
  }
  invoices.set(id, { customer_id, currency, amount, paid: 0 });
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
function checkPayment(
  index: number,
  { customer_id, payment_link_id, invoice_id, amount, status, created, paid }: Seed['payments'][number],
  { customers, invoices, links }: RecordsById,
  seed: Seed,
  profile: Profile,
): void {
  const path = ['payments', `${index}`];
  if (isGiven(payment_link_id) === isGiven(invoice_id))
    throw new Inconsistency(path, 'must have exactly one of the keys `payment_link_id` and `invoice_id`');
  const link = isGiven(payment_link_id) ? links.get(payment_link_id) : undefined;
  const invoice = isGiven(invoice_id) ? invoices.get(invoice_id) : undefined;
  if (!customers.has(customer_id)) throw missing(path, 'customer_id', 'customer', customer_id);
  if (isGiven(payment_link_id) && !link) throw missing(path, 'payment_link_id', 'payment link', payment_link_id);
  if (isGiven(invoice_id) && !invoice) throw missing(path, 'invoice_id', 'invoice', invoice_id);
  checkKeys(path, status, { paid: status === 'paid' }, { paid: isGiven(paid) });
  checkTimes(path, { created, paid });
  const places = decimalPlacesOf(invoice?.currency ?? seed.currency, profile);
  if (decimalPlaces(amount) > places)
    throw new Inconsistency([...path, 'amount'], `must have at most ${places} decimal places`);
  if (link && amount !== link.amount)
    throw new Inconsistency([...path, 'amount'], `must be ${link.amount}, the amount of payment link ${link.id}`);
  if (link && (relativeTimeMs(created) ?? 0) < (relativeTimeMs(link.created) ?? 0)) {
    const reason = `must not be before the creation of payment link ${link.id}, ${quote(link.created)}`;
    throw new Inconsistency([...path, 'created'], reason);
  }
  if (!invoice) return;
  if (customer_id !== invoice.customer_id) {
    const reason = `must be ${invoice.customer_id}, the customer of invoice ${invoice_id}`;
    throw new Inconsistency([...path, 'customer_id'], reason);
  }
  if (status !== 'paid' && amount > invoice.amount) {
    const reason = `must be ${invoice.amount} or less, the amount of invoice ${invoice_id}`;
    throw new Inconsistency([...path, 'amount'], reason);
  }
  if (status === 'paid') invoice.paid = plus(invoice.paid, amount);
  if (invoice.paid > invoice.amount) {
    const reason = `the paid payments of invoice ${invoice_id} must not exceed its amount, ${invoice.amount}`;
    throw new Inconsistency([...path, 'amount'], reason);
  }
}

/** The statuses that an invoice can have if nothing, a part or all of its amount has been paid. */
const statusesByPaidPart: Readonly<Record<'none' | 'part' | 'all', readonly InvoiceStatus[]>> = {
  none: ['draft', 'pending', 'sent', 'viewed', 'overdue', 'cancelled'],
  part: ['partial', 'overdue', 'cancelled'],
  all: ['paid'],
};

/** Compares the status of an invoice with its paid payments. */
function checkInvoiceStatus(index: number, { id, status }: Seed['invoices'][number], { invoices }: RecordsById): void {
  const { amount = 0, paid = 0 } = invoices.get(id) ?? {};
  // An invoice with the amount 0 is fully paid without any payment, so `none` and `all` both apply.
  const allowed = [
    ...(paid === 0 ? statusesByPaidPart.none : []),
    ...(paid > 0 && paid < amount ? statusesByPaidPart.part : []),
    ...(paid === amount ? statusesByPaidPart.all : []),
  ];
  if (allowed.includes(status)) return;
  const reason = `${quote(status)} does not match the paid payments of this invoice, ${paid} of ${amount}; change them, or use ${disjunction(allowed.map(quote))}`;
  throw new Inconsistency(['invoices', `${index}`, 'status'], reason);
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

function checkDeposit(index: number, deposit: Seed['deposits'][number], profile: Profile): void {
  const { amount, status, check_in_date, check_out_date, metadata, created, authorized, released } = deposit;
  const captures = deposit.captures ?? [];
  const path = ['deposits', `${index}`];
  checkKeys(path, status, depositKeys[status], {
    authorized: isGiven(authorized),
    captures: captures.length > 0,
    released: isGiven(released),
  });
  if (captures.length > 0 && !isGiven(authorized))
    throw new Inconsistency(path, `captures require the key ${quote('authorized')}`);
  const captured = captures.reduce((total, capture) => plus(total, capture.amount), 0);
  if (captured > amount) {
    const reason = `the captures must not exceed the amount of the deposit, ${amount}`;
    throw new Inconsistency([...path, 'captures'], reason);
  }
  if (captured === amount && status !== 'captured') {
    const reason = `must be ${quote('captured')}, because the captures are the whole amount of the deposit, ${amount}`;
    throw new Inconsistency([...path, 'status'], reason);
  }
  if (captured === amount && isGiven(released)) {
    const reason = 'must be omitted, because the captures are the whole amount of the deposit';
    throw new Inconsistency([...path, 'released'], reason);
  }
  const allowed = statusesWhenPartlyCaptured(deposit, profile);
  if (captured > 0 && captured < amount && !allowed.includes(status)) {
    const reason = `${quote(status)} does not match the captures, ${captured} of ${amount}; change them, or use ${disjunction(allowed.map(quote))}`;
    throw new Inconsistency([...path, 'status'], reason);
  }
  // The schema does not check numbers and strings in objects and arrays, which the profile may allow (gap metadata.values).
  if (hasInfiniteNumber(metadata))
    throw new Inconsistency([...path, 'metadata'], 'must not contain a number that is too large');
  if (profile['text.characters'] === 'refused' && hasUnstorableText(metadata))
    throw new Inconsistency([...path, 'metadata'], 'must not contain NUL or unpaired surrogates');
  if (profile['deposit.dates'] === 'refused') requireOrder(path, { check_in_date, check_out_date });
  const captureTimes = captures.map(({ at }, number) => [`captures.${number}.at`, at] as const);
  checkTimes(path, {
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
 * Checks that a record has the keys that its status requires, and none that it does not allow.
 * @param requirements by key: true if it is required, false if it is not allowed
 * @param hasKey by key: whether the record has it
 */
function checkKeys(
  path: readonly string[],
  status: string,
  requirements: Readonly<Record<string, boolean>>,
  hasKey: Readonly<Record<string, boolean>>,
): void {
  for (const [key, isRequired] of Object.entries(requirements)) {
    if (isRequired === hasKey[key]) continue;
    if (isRequired) throw new Inconsistency(path, `the status ${quote(status)} requires the key ${quote(key)}`);
    throw new Inconsistency([...path, key], `the status ${quote(status)} does not allow this key`);
  }
}

/** Returns true for a field that the seed gives a value; null means the same as an omitted field. */
function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

/** Times of a record, by path in the record, such as `captures.0.at`. */
type Times = Readonly<Record<string, RelativeTime | null | undefined>>;

/** Checks that all times of a record are in order and in the past. */
function checkTimes(path: readonly string[], times: Times): void {
  requireOrder(path, times);
  const future = Object.entries(times).find(([, time]) => (relativeTimeMs(time ?? '') ?? 0) > 0);
  if (!future) return;
  const [name] = future;
  const reason = 'must not be in the future; use 0, the time of the seeding, or an earlier time such as -1d';
  throw new Inconsistency([...path, ...name.split('.')], reason);
}

/** Checks that no time of a record is earlier than the time listed before it. */
function requireOrder(path: readonly string[], times: Times): void {
  let previous: { readonly keys: readonly string[]; readonly ms: number } | undefined;
  for (const [name, time] of Object.entries(times)) {
    const keys = name.split('.');
    const ms = relativeTimeMs(time ?? '');
    // Undefined if the record does not have this time.
    if (ms === undefined) continue;
    if (previous && ms < previous.ms)
      throw new Inconsistency([...path, ...keys], `must not be before ${quote(placeOf(previous.keys))}`);
    previous = { keys, ms };
  }
}

/** Checks that no token is equal to an earlier one, since it could not have different scopes. */
function requireDifferentTokens(tokens: Readonly<Record<string, string>>): void {
  const names = new Map<string, string>();
  for (const [name, token] of Object.entries(tokens)) {
    const first = names.get(token);
    if (first !== undefined) {
      const reason = `must not be the same token as ${quote(first)}, which has other scopes`;
      throw new Inconsistency(['tokens', name], reason);
    }
    names.set(token, name);
  }
}

/** Checks that no record has the same value in a field as an earlier record. */
function requireDifferent(list: string, field: string, noun: string, values: readonly (number | string)[]): void {
  const indexes = new Map<number | string, number>();
  for (const [index, value] of values.entries()) {
    const first = indexes.get(value);
    if (first !== undefined) {
      const shown = typeof value === 'string' ? quote(value) : value;
      throw new Inconsistency([list, `${index}`, field], `${list}[${first}] already has the ${noun} ${shown}`);
    }
    indexes.set(value, index);
  }
}

function missing(path: readonly string[], field: string, noun: string, id: number): Inconsistency {
  return new Inconsistency([...path, field], `the seed has no ${noun} ${id}`);
}
