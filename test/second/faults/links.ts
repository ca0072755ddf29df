import {
  type Fault,
  inData,
  inEachRecord,
  numberAsString,
  onSuccess,
  removeFields,
  setField,
  withoutEmoji,
} from './fault.js';

const record = 'Payment link';
const create = 'POST /payment-links';
const list = 'GET /payment-links';

export const linkFaults = {
  'link-id-string': onSuccess('link-create', `${record}: "id | integer"`, inData(numberAsString('id'))),
  'link-url-relative': onSuccess(
    'link-create',
    `${record}: "url | shareable payment URL" (a path)`,
    inData((link) => {
      link['url'] = new URL(String(link['url'])).pathname;
    }),
  ),
  'link-url-missing': onSuccess('link-create', `${create}: "data with id, url, …"`, inData(removeFields('url'))),
  'link-url-other-in-list': {
    breaks: `${record}: "url | shareable payment URL" (the list has another slug than the creation)`,
    on: ['link-list'],
    change: inEachRecord(setField('url', ({ url, id }) => `${url}-${id}x`)),
  },
  'link-description-lower-case': onSuccess(
    'link-create',
    `${record}: "description | reference text given at creation"`,
    inData(setField('description', ({ description }) => String(description).toLowerCase())),
  ),
  'link-description-truncated': {
    breaks: `${record}: "description | reference text given at creation" (the list has only the first 10 characters)`,
    on: ['link-list'],
    change: inEachRecord(setField('description', ({ description }) => String(description).slice(0, 10))),
  },
  'link-amount-truncated': { breaks: `${record}: "amount | fixed amount" (its cents are dropped)` },
  'link-amount-formatted': onSuccess(
    'link-create',
    `${record}: "amount | decimal"`,
    inData(setField('amount', ({ amount }) => `${amount} €`)),
  ),
  'link-currency-usd': { breaks: `${create}: "currency | default EUR"` },
  'link-currency-missing': onSuccess(
    'link-create',
    `${create}: "data with … currency"`,
    inData(removeFields('currency')),
  ),
  'link-created-at-missing': onSuccess(
    'link-create',
    `${create}: "data with … created_at"`,
    inData(removeFields('created_at')),
  ),
  'link-created-at-without-offset': {
    breaks: `${record}: "created_at | ISO 8601 timestamp with UTC offset"`,
    on: ['link-create', 'link-list'],
    change: inEachRecord(
      setField('created_at', (link) => String(link['created_at']).replace(/(Z|[+-]\d\d:\d\d)$/, '')),
    ),
  },
  'link-created-at-seconds': {
    breaks: `${record}: "created_at | string | ISO 8601 timestamp"`,
    on: ['link-list'],
    change: inEachRecord(setField('created_at', (link) => Math.floor(Date.parse(String(link['created_at'])) / 1000))),
  },
  'link-counts-at-creation': onSuccess(
    'link-create',
    `${record}: "payments_count, revenue, is_active | list view only"`,
    inData((link) => Object.assign(link, { payments_count: 0, revenue: 0, is_active: true })),
  ),
  'link-description-optional': {
    breaks: `${create}: "description | required"`,
    makesOptional: 'link-create description',
  },
  'link-amount-optional': { breaks: `${create}: "amount | required"`, makesOptional: 'link-create amount' },
  'link-currency-required': {
    breaks: `${create}: "currency | no (not required)"`,
    makesRequired: 'link-create currency',
  },

  'link-description-without-emoji': onSuccess(
    'link-create',
    `${record}: "description | reference text given at creation" (characters of four bytes in UTF-8 are replaced)`,
    inData(withoutEmoji('description')),
  ),
  'link-currency-ignored': { breaks: `${create}: "currency | 3-letter ISO code" (EUR, whatever is given)` },
  'slug-upper-case': { breaks: `${create}, rule 1: "derived from description by lower-casing it"` },
  'slug-random': onSuccess(
    'link-create',
    `${create}, rule 1: "The URL slug is derived from description" (an opaque one)`,
    inData(setField('url', ({ url, id }) => new URL(`pl_${Number(id) * 7919}`, String(url)).href)),
  ),
  'slug-suffix-none': { breaks: `${create}, rule 2: "a numeric suffix is appended" (two links share a URL)` },
  'slug-suffix-from-1': { breaks: `${create}, rule 2: "starting with -2"` },
  'slug-suffix-underscore': { breaks: `${create}, rule 2: "starting with -2" (_2)` },
  'slug-suffix-repeats': { breaks: `${create}, rule 2: "When a link with the same slug exists" (the third is -2 too)` },
  'slug-suffix-exact-case': {
    breaks: `${create}, rule 2: "When a link with the same slug exists" (not seen when the description differs in case)`,
  },

  'slug-taken-by-suffix-reused': {
    breaks: `${create}, rule 2: "When a link with the same slug exists" (unless the existing link got the slug by its suffix)`,
  },
  'link-list-total-stale': {
    breaks:
      'Pagination envelope: "total | total number of records" (in the link list, the total of the first response)',
  },
  'link-count-ignores-case': {
    breaks: `${record}: "payments_count" (counts all links whose descriptions differ only in case)`,
    inferred: true,
  },
  'link-list-description-without-emoji': {
    breaks: `${record}: "description | reference text given at creation" (the list replaces characters of four bytes in UTF-8)`,
    on: ['link-list'],
    change: inEachRecord(withoutEmoji('description')),
  },
  'link-list-currency-euro': {
    breaks: `${record}: "currency | ISO currency code" (always EUR in the list)`,
    on: ['link-list'],
    change: inEachRecord(setField('currency', () => 'EUR')),
  },
  'link-not-listed': { breaks: `${list}: "pagination envelope of payment links" (the newest is missing)` },
  'link-count-missing': {
    breaks: `${record}: "payments_count | integer | list view"`,
    on: ['link-list'],
    change: inEachRecord(removeFields('payments_count')),
  },
  'link-count-stuck': { breaks: `${record}: "payments_count" (always 0)`, inferred: true },
  'link-revenue-missing': {
    breaks: `${record}: "revenue | decimal | list view"`,
    on: ['link-list'],
    change: inEachRecord(removeFields('revenue')),
  },
  'link-revenue-stuck': { breaks: `${record}: "revenue" (always 0)`, inferred: true },
  'link-active-missing': {
    breaks: `${record}: "is_active | list view"`,
    on: ['link-list'],
    change: inEachRecord(removeFields('is_active')),
  },
  'link-active-integer': {
    breaks: `${record}: "is_active | boolean"`,
    on: ['link-list'],
    change: inEachRecord(setField('is_active', (link) => (link['is_active'] ? 1 : 0))),
  },
  'link-list-default-20': { breaks: `${list} and Limits: "per_page | default 25"` },
  'link-list-maximum-101': { breaks: `${list} and Limits: "per_page | maximum 100" (101 is in effect)` },
  'link-list-maximum-50': { breaks: `${list} and Limits: "per_page | maximum 100" (the maximum is 50)` },
  'link-list-size-ignored': { breaks: `${list}: "per_page | integer" (always 25 records)` },
} satisfies Record<string, Fault>;
