import { type Fault, inData, inEach, narrowed, numberAsString, onSuccess, put, without } from './fault.js';

const record = 'Payment link';
const create = 'POST /payment-links';
const list = 'GET /payment-links';

export const linkFaults = {
  'link-id-text': onSuccess('link-create', `${record}: "id | integer"`, inData(numberAsString('id'))),
  'link-url-relative': onSuccess(
    'link-create',
    `${record}: "url | shareable payment URL" (a path)`,
    inData((link) => {
      link['url'] = new URL(String(link['url'])).pathname;
    }),
  ),
  'link-url-missing': onSuccess('link-create', `${create}: "data with id, url, …"`, inData(without('url'))),
  'link-url-other-in-list': {
    breaks: `${record}: "url | shareable payment URL" (the list has another slug than the creation)`,
    on: ['link-list'],
    change: inEach(put('url', ({ url, id }) => `${url}-${id}x`)),
  },
  'link-description-lower-case': onSuccess(
    'link-create',
    `${record}: "description | reference text given at creation"`,
    inData(put('description', ({ description }) => String(description).toLowerCase())),
  ),
  'link-description-cut': {
    breaks: `${record}: "description | reference text given at creation" (the list has its first 10 characters)`,
    on: ['link-list'],
    change: inEach(put('description', ({ description }) => String(description).slice(0, 10))),
  },
  'link-amount-whole': { breaks: `${record}: "amount | fixed amount" (its cents are dropped)` },
  'link-amount-formatted': onSuccess(
    'link-create',
    `${record}: "amount | decimal"`,
    inData(put('amount', ({ amount }) => `${amount} €`)),
  ),
  'link-currency-usd': { breaks: `${create}: "currency | default EUR"` },
  'link-currency-missing': onSuccess('link-create', `${create}: "data with … currency"`, inData(without('currency'))),
  'link-created-at-missing': onSuccess(
    'link-create',
    `${create}: "data with … created_at"`,
    inData(without('created_at')),
  ),
  'link-created-at-without-offset': {
    breaks: `${record}: "created_at | ISO 8601 timestamp with UTC offset"`,
    on: ['link-create', 'link-list'],
    change: inEach(put('created_at', (link) => String(link['created_at']).replace(/(Z|[+-]\d\d:\d\d)$/, ''))),
  },
  'link-created-at-seconds': {
    breaks: `${record}: "created_at | string | ISO 8601 timestamp"`,
    on: ['link-list'],
    change: inEach(put('created_at', (link) => Math.floor(Date.parse(String(link['created_at'])) / 1000))),
  },
  'link-counts-at-creation': onSuccess(
    'link-create',
    `${record}: "payments_count, revenue, is_active | list view only"`,
    inData((link) => Object.assign(link, { payments_count: 0, revenue: 0, is_active: true })),
  ),
  'link-description-optional': { breaks: `${create}: "description | required"`, waives: 'link-create description' },
  'link-amount-optional': { breaks: `${create}: "amount | required"`, waives: 'link-create amount' },
  'link-currency-demanded': { breaks: `${create}: "currency | no (not required)"`, demands: 'link-create currency' },

  'link-text-narrow': onSuccess(
    'link-create',
    `${record}: "description | reference text given at creation" (in characters of two bytes at most)`,
    inData(narrowed('description')),
  ),
  'link-currency-ignored': { breaks: `${create}: "currency | 3-letter ISO code" (EUR, whatever is given)` },
  'slug-upper-case': { breaks: `${create}, rule 1: "derived from description by lower-casing it"` },
  'slug-random': onSuccess(
    'link-create',
    `${create}, rule 1: "The URL slug is derived from description" (an opaque one)`,
    inData(put('url', ({ url, id }) => new URL(`pl_${Number(id) * 7919}`, String(url)).href)),
  ),
  'slug-suffix-none': { breaks: `${create}, rule 2: "a numeric suffix is appended" (two links share a URL)` },
  'slug-suffix-from-1': { breaks: `${create}, rule 2: "starting with -2"` },
  'slug-suffix-underscore': { breaks: `${create}, rule 2: "starting with -2" (_2)` },
  'slug-suffix-repeats': { breaks: `${create}, rule 2: "When a link with the same slug exists" (the third is -2 too)` },
  'slug-suffix-exact-case': {
    breaks: `${create}, rule 2: "When a link with the same slug exists" (not seen when the description differs in case)`,
  },

  'slug-suffix-forgotten': {
    breaks: `${create}, rule 2: "When a link with the same slug exists" (one that was given with its number is not seen)`,
  },
  'link-list-total-stale': {
    breaks: 'Pagination envelope: "total | total number of records" (that of the first answer, in the link list)',
  },
  'link-count-of-namesakes': {
    breaks: `${record}: "payments_count" (of all links whose descriptions differ in case at most)`,
    inferred: true,
  },
  'link-list-text-narrow': {
    breaks: `${record}: "description | reference text given at creation" (the list has characters of two bytes at most)`,
    on: ['link-list'],
    change: inEach(narrowed('description')),
  },
  'link-list-currency-euro': {
    breaks: `${record}: "currency | ISO currency code" (always EUR in the list)`,
    on: ['link-list'],
    change: inEach(put('currency', () => 'EUR')),
  },
  'link-not-listed': { breaks: `${list}: "pagination envelope of payment links" (the newest is left out)` },
  'link-count-missing': {
    breaks: `${record}: "payments_count | integer | list view"`,
    on: ['link-list'],
    change: inEach(without('payments_count')),
  },
  'link-count-stuck': { breaks: `${record}: "payments_count" (always 0)`, inferred: true },
  'link-revenue-missing': {
    breaks: `${record}: "revenue | decimal | list view"`,
    on: ['link-list'],
    change: inEach(without('revenue')),
  },
  'link-revenue-stuck': { breaks: `${record}: "revenue" (always 0)`, inferred: true },
  'link-active-missing': {
    breaks: `${record}: "is_active | list view"`,
    on: ['link-list'],
    change: inEach(without('is_active')),
  },
  'link-active-integer': {
    breaks: `${record}: "is_active | boolean"`,
    on: ['link-list'],
    change: inEach(put('is_active', (link) => (link['is_active'] ? 1 : 0))),
  },
  'link-list-default-20': { breaks: `${list} and Limits: "per_page | default 25"` },
  'link-list-maximum-101': { breaks: `${list} and Limits: "per_page | maximum 100" (101 is in effect)` },
  'link-list-maximum-50': { breaks: `${list} and Limits: "per_page | maximum 100" (50 is the most)` },
  'link-list-size-ignored': { breaks: `${list}: "per_page | integer" (always 25 records)` },
} satisfies Record<string, Fault>;
