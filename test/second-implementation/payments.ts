import type { FaultId } from './faults/index.js';
import { isObject } from './json.js';
import { pageOf } from './listing.js';
import { dateOf } from './render.js';
import { problemText, validationError } from './service-error.js';
import { paymentView } from './views.js';
import { type Handler, nextId, type Payment, paymentStatuses, type World } from './world.js';

type NewPayment = Pick<Payment, 'description' | 'amount' | 'currency' | 'customer'> & Partial<Payment>;

/** Stores a payment. If it is paid, deactivates its link as the variant says, and sends the `payment.succeeded` webhook. */
export function storePayment(world: World, fields: NewPayment): Payment {
  const { choices } = world;
  const now = Date.now();
  const id = nextId(world.payments);
  const payment: Payment = {
    id,
    method: choices.methods[id % choices.methods.length] ?? 'card',
    link: undefined,
    createdAt: now,
    status: 'paid',
    paidAt: now,
    ...fields,
  };
  world.payments.set(id, payment);
  if (payment.link !== undefined && payment.status === 'paid' && choices.paidLink === 'inactive') {
    payment.link.isActive = false;
  }
  if (payment.status === 'paid') world.emit('payment.succeeded', paymentView(world, payment));
  return payment;
}

/**
 * Reads a query parameter. Returns undefined if it is absent, or if it is invalid and the variant (see `variants.ts`)
 * ignores invalid parameters. Throws if the variant refuses them.
 */
function filterParameter(
  { choices }: World,
  query: URLSearchParams,
  name: string,
  isValid: (value: string) => boolean,
): string | undefined {
  const value = query.get(name) ?? undefined;
  if (value === undefined || isValid(value)) return value;
  if (choices.invalidQuery === 'ignored') return undefined;
  throw validationError(choices, { [name]: [problemText(choices, name, 'notAllowed')] });
}

const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

const tenYearsMs = 3_653 * 86_400_000;

export const listPayments: Handler = (world, { query }) => {
  const { fault, choices } = world;
  const description = query.get('description') ?? undefined;
  const statuses = fault === 'filter-refuses-status-open' ? ['paid', 'pending', 'failed'] : paymentStatuses;
  const status = filterParameter(world, query, 'status', (value) => statuses.some((known) => known === value));
  const from = filterParameter(world, query, 'from', isDate);
  const to = filterParameter(world, query, 'to', isDate);
  const found = [...world.payments.values()].filter((payment) => {
    const date = dateOf(choices, (choices.filterDate === 'paid_at' ? payment.paidAt : undefined) ?? payment.createdAt);
    return (
      (description === undefined ||
        fault === 'filter-description-ignored' ||
        matchesDescription(world, payment, description)) &&
      (status === undefined || fault === 'filter-status-ignored' || payment.status === status) &&
      (from === undefined || isDateFilterIgnored(world, 'from', description) || date >= from) &&
      (to === undefined || isDateFilterIgnored(world, 'to', description) || date <= to) &&
      !(fault === 'filter-range-excludes-ends' && (date === from || date === to)) &&
      !(fault === 'filter-range-omits-dollars' && (from ?? to) !== undefined && payment.currency === 'USD')
    );
  });
  const isLongRange = from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) > tenYearsMs;
  if (fault === 'filter-long-range-empty' && isLongRange) found.splice(0);
  const shown = fault === 'payment-not-listed' ? found.slice(0, -1) : found;
  if (fault === 'filtered-payments-per-page-ignored' && description !== undefined) query.delete('per_page');
  const response = pageOf(world, 'payment-list', query, shown, (payment) => paymentView(world, payment));
  const { data } = response.body;
  if (
    fault === 'filtered-payments-not-an-array' &&
    description !== undefined &&
    isObject(data) &&
    Array.isArray(data['data'])
  )
    data['data'] = Object.fromEntries(data['data'].entries());
  if (fault === 'filter-total-unfiltered' && isObject(data)) data['total'] = world.payments.size;
  return response;
};

function isDateFilterIgnored({ fault }: World, name: 'from' | 'to', description: string | undefined): boolean {
  if (fault === `filter-${name}-ignored`) return true;
  return fault === `filter-${name}-ignored-with-description` && description !== undefined;
}

/**
 * Faults that treat a character of the filter text as a wildcard: the character as `matchesDescription` has escaped it,
 * and the regular expression that replaces it.
 */
const wildcards: Partial<Record<FaultId, readonly [wildcard: string, pattern: string]>> = {
  'filter-description-percent': ['%', '.*'],
  'filter-description-underscore': ['_', '.'],
  'filter-description-dot': ['\\.', '.'],
};

function matchesDescription({ fault }: World, { description }: Payment, filterText: string): boolean {
  const wildcard = fault && wildcards[fault];
  if (wildcard) {
    const escaped = filterText.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(escaped.replaceAll(...wildcard), 'i').test(description);
  }
  if (fault === 'filter-description-ascii' && /[^ -~]/.test(filterText)) return false;
  if (fault === 'filter-description-apostrophe' && filterText.includes("'")) return false;
  if (fault === 'filter-description-parenthesis' && filterText.includes('(')) return false;
  if (fault === 'filter-description-ascii-case') {
    const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return foldAscii(description).includes(foldAscii(filterText));
  }
  if (fault === 'filter-description-case') return description.includes(filterText);
  const [text, searchText] = [description.toLowerCase(), filterText.toLowerCase()];
  if (fault === 'filter-description-exact') return text === searchText;
  return fault === 'filter-description-prefix' ? text.startsWith(searchText) : text.includes(searchText);
}
