import type { Patch } from './patched.js';
import { drop, onAnswer, onList, onRecord, onRequest, onRows } from './patches.js';

const links = '/payment-links';
const creation = (change: Parameters<typeof onRecord>[2]): Patch => onRecord('POST', links, change);
const asking = (change: Parameters<typeof onRequest>[2]): Patch => onRequest('POST', links, change);
const without = (field: string): Patch => onRows(links, (row) => drop(row, field));

/** What a target may do wrong with payment links, by the clause that has to see it. */
export const brokenLinks: Readonly<Record<string, Patch>> = {
  'LINK-CREATE-01': onAnswer('POST', links, (answered) => {
    answered.status = 500;
  }),
  'LINK-CREATE-02': creation((link) => Object.assign(link, { id: String(link['id']) })),
  'LINK-CREATE-03': creation((link) => Object.assign(link, { url: '/pay/somewhere' })),
  'LINK-CREATE-04': creation((link) => Object.assign(link, { description: null })),
  'LINK-CREATE-05': creation((link) => Object.assign(link, { amount: '19,99' })),
  'LINK-CREATE-06': creation((link) => Object.assign(link, { currency: '€' })),
  'LINK-CREATE-07': creation((link) => Object.assign(link, { created_at: '2026-03-01T09:00:00' })),
  'LINK-CREATE-08': creation((link) =>
    Object.assign(link, { description: String(link['description']).replaceAll('&', '&amp;') }),
  ),
  'LINK-CREATE-09': creation((link) => Object.assign(link, { amount: Math.round(Number(link['amount'])) })),
  'LINK-CREATE-10': asking(({ body }) => {
    body['currency'] ??= 'USD';
  }),
  'LINK-CREATE-11': creation((link) => Object.assign(link, { currency: 'USD' })),
  'LINK-CREATE-12': creation((link) => Object.assign(link, { id: 7 })),
  'LINK-CREATE-13': asking(({ body }) => {
    body['description'] ??= 'untitled';
  }),
  'LINK-CREATE-14': asking(({ body }) => {
    body['amount'] ??= 1;
  }),
  'LINK-CREATE-15': asking(({ body }) => {
    if (typeof body['amount'] === 'string') body['amount'] = 1;
  }),
  'LINK-CREATE-16': asking(({ body }) => {
    if (typeof body['description'] === 'object') body['description'] = '[object Object]';
  }),
  'LINK-CREATE-17': asking(({ body }) => {
    body['currency'] = String(body['currency'] ?? 'EUR').slice(0, 3);
  }),
  'LINK-CREATE-18': creation((link) => Object.assign(link, { url: `https://pay${link['id']}.example/slug` })),
  'LINK-CREATE-19': creation((link) => Object.assign(link, { is_active: true })),
  'LINK-SLUG-01': creation((link) => Object.assign(link, { url: String(link['url']).toUpperCase() })),
  'LINK-SLUG-02': creation((link) => Object.assign(link, { url: String(link['url']).replace(/-2$/, '-1') })),
  'LINK-SLUG-03': creation((link) => Object.assign(link, { url: String(link['url']).replace(/-3$/, '-2') })),
  'LINK-SLUG-04': creation((link) => Object.assign(link, { url: String(link['url']).replace(/-3$/, '-22') })),
  'LINK-LIST-21': onList(links, (rows) => rows.slice(1)),
  'LINK-LIST-22': without('id'),
  'LINK-LIST-23': without('url'),
  'LINK-LIST-24': without('description'),
  'LINK-LIST-25': without('amount'),
  'LINK-LIST-26': without('currency'),
  'LINK-LIST-27': without('created_at'),
  'LINK-LIST-28': without('payments_count'),
  'LINK-LIST-29': without('revenue'),
  'LINK-LIST-30': onRows(links, (row) => Object.assign(row, { is_active: row['is_active'] ? 1 : 0 })),
  'LINK-LIST-31': onRows(links, (row) => Object.assign(row, { url: `${row['url']}-9` })),
  'LINK-LIST-32': onRows(links, (row) => Object.assign(row, { description: String(row['description']).slice(0, 10) })),
  'LINK-LIST-33': onRows(links, (row) => Object.assign(row, { amount: Number(row['amount']) * 100 })),
  'LINK-LIST-34': onRows(links, (row) => Object.assign(row, { currency: 'USD' })),
  'LINK-LIST-35': onRows(links, (row) => Object.assign(row, { created_at: '2020-01-01T00:00:00Z' })),
  'LINK-LIST-36': onRows(links, (row) => Object.assign(row, { payments_count: 1 })),
  'LINK-LIST-37': onRows(links, (row) => Object.assign(row, { revenue: row['amount'] })),
  'LINK-LIST-38': onRows(links, (row) => Object.assign(row, { is_active: false })),
  'LINK-LIST-39': onRows(links, (row) => Object.assign(row, { payments_count: 0 })),
  'LINK-LIST-40': onRows(links, (row) => Object.assign(row, { revenue: 0 })),
};
