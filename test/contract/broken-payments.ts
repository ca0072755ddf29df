import type { Patch } from './patched.js';
import { drop, onList, onRequest, onRows } from './patches.js';

const payments = '/payments';
const without = (field: string): Patch => onRows(payments, (row) => drop(row, field));
const as = (field: string, write: (value: unknown) => unknown): Patch =>
  onRows(payments, (row) => Object.assign(row, { [field]: write(row[field]) }));
/** A parameter that has no effect. */
const ignoring = (...names: readonly string[]): Patch =>
  onRequest('GET', payments, ({ query }) => {
    for (const name of names) query.delete(name);
  });
/** Parameters that find nothing. */
const losing = (...names: readonly string[]): Patch =>
  onList(payments, (rows, { query }) => (names.every((name) => query.has(name)) ? [] : rows));

const textOf = (query: URLSearchParams): string => query.get('description') ?? '';

/** What a target may do wrong with payments, by the clause that has to see it. */
export const brokenPayments: Readonly<Record<string, Patch>> = {
  'PAY-LIST-21': onList(payments, () => []),
  'PAY-FIELD-01': as('id', String),
  'PAY-FIELD-02': as('description', () => null),
  'PAY-FIELD-03': as('amount', (amount) => `${amount} €`),
  'PAY-FIELD-04': as('currency', (currency) => String(currency).toLowerCase()),
  'PAY-FIELD-05': as('status', (status) => (status === 'paid' ? 'succeeded' : status)),
  'PAY-FIELD-06': without('payment_method'),
  'PAY-FIELD-07': as('payment_link_id', (id) => (id === null ? id : String(id))),
  'PAY-FIELD-08': without('payment_link_url'),
  'PAY-FIELD-09': without('reference'),
  'PAY-FIELD-10': as('paid_at', () => null),
  'PAY-FIELD-11': as('created_at', (time) => String(time).slice(0, 10)),
  'PAY-FIELD-12': without('customer'),
  'PAY-FIELD-13': without('customer.id'),
  'PAY-FIELD-14': without('customer.name'),
  'PAY-FIELD-15': without('customer.email'),
  'PAY-LINK-01': as('payment_link_id', (id) => (id === null ? id : Number(id) + 1)),
  'PAY-LINK-02': as('payment_link_url', (url) => (url === null ? url : `${url}/pay`)),
  'PAY-LINK-03': as('description', () => 'A payment'),
  'PAY-LINK-04': as('description', (description) => `Payment for ${description}`),
  'PAY-LINK-05': as('amount', (amount) => Number(amount) * 100),
  'PAY-LINK-06': as('currency', () => 'USD'),
  'PAY-LINK-07': as('status', () => 'pending'),
  'PAY-FILTER-01': onList(payments, (rows, { query }) =>
    rows.filter(({ description }) => !query.has('description') || description === textOf(query)),
  ),
  'PAY-FILTER-02': onList(payments, (rows, { query }) =>
    rows.filter(({ description }) => String(description).includes(textOf(query))),
  ),
  'PAY-FILTER-03': ignoring('description'),
  'PAY-FILTER-04': ignoring('status'),
  'PAY-FILTER-05': ignoring('status'),
  'PAY-FILTER-06': ignoring('status'),
  'PAY-FILTER-07': ignoring('status'),
  'PAY-FILTER-08': losing('status'),
  'PAY-FILTER-09': ignoring('status'),
  'PAY-FILTER-10': ignoring('from'),
  'PAY-FILTER-11': losing('from'),
  'PAY-FILTER-12': ignoring('from'),
  'PAY-FILTER-13': losing('to'),
  'PAY-FILTER-14': ignoring('to'),
  'PAY-FILTER-15': losing('from', 'to'),
  'PAY-FILTER-16': ignoring('to'),
  'PAY-FILTER-17': ignoring('from'),
  'PAY-FILTER-18': losing('status', 'from', 'to'),
  'PAY-FILTER-19': ignoring('from', 'to'),
};
