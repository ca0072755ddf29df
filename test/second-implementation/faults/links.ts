import {
  convertDollars,
  convertFieldToString,
  type Fault,
  faultOnSuccess,
  inData,
  inEachRecord,
  removeFields,
  replaceEmoji,
  setField,
  wrapDataInArray,
} from './fault.js';

// Sections of the specification whose rules these faults violate.
const recordSection = 'Payment link';
const createSection = 'POST /payment-links';
const listSection = 'GET /payment-links';

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const linkFaults = {
  'link-id-string': faultOnSuccess(
    'link-create',
    `${recordSection}: "id | integer"`,
    inData(convertFieldToString('id')),
  ),
  'link-create-data-array': faultOnSuccess(
    'link-create',
    `${createSection}: "data with id, url, …" (an array with the link)`,
    wrapDataInArray,
  ),
  'link-url-relative': faultOnSuccess(
    'link-create',
    `${recordSection}: "url | shareable payment URL" (only a path)`,
    inData((link) => {
      link['url'] = new URL(String(link['url'])).pathname;
    }),
  ),
  'link-url-missing': faultOnSuccess(
    'link-create',
    `${createSection}: "data with id, url, …"`,
    inData(removeFields('url')),
  ),
  'link-url-other-in-list': {
    breaks: `${recordSection}: "url | shareable payment URL" (in the list, the slug differs from the one at creation)`,
    operations: ['link-list'],
    change: inEachRecord(setField('url', ({ url, id }) => `${url}-${id}x`)),
  },
  'link-description-lower-case': faultOnSuccess(
    'link-create',
    `${recordSection}: "description | reference text given at creation"`,
    inData(setField('description', ({ description }) => String(description).toLowerCase())),
  ),
  'link-description-truncated': {
    breaks: `${recordSection}: "description | reference text given at creation" (the list has only the first 10 characters)`,
    operations: ['link-list'],
    change: inEachRecord(setField('description', ({ description }) => String(description).slice(0, 10))),
  },
  'link-created-although-refused': {
    breaks: `${createSection}: "amount | decimal | yes" (a link without an amount is refused, but listed)`,
    inferred: true,
  },
  'link-yen-in-hundredths': { breaks: `${recordSection}: "amount | fixed amount" (a hundredth of it if it is in yen)` },
  'link-amount-truncated': { breaks: `${recordSection}: "amount | fixed amount" (its cents are dropped)` },
  'link-amount-formatted': faultOnSuccess(
    'link-create',
    `${recordSection}: "amount | decimal"`,
    inData(setField('amount', ({ amount }) => `${amount} €`)),
  ),
  'link-currency-usd': { breaks: `${createSection}: "currency | default EUR"` },
  'link-currency-missing': faultOnSuccess(
    'link-create',
    `${createSection}: "data with … currency"`,
    inData(removeFields('currency')),
  ),
  'link-created-at-missing': faultOnSuccess(
    'link-create',
    `${createSection}: "data with … created_at"`,
    inData(removeFields('created_at')),
  ),
  'link-created-at-without-offset': {
    breaks: `${recordSection}: "created_at | ISO 8601 timestamp with UTC offset"`,
    operations: ['link-create', 'link-list'],
    change: inEachRecord(
      setField('created_at', (link) => String(link['created_at']).replace(/(Z|[+-]\d\d:\d\d)$/, '')),
    ),
  },
  'link-created-at-seconds': {
    breaks: `${recordSection}: "created_at | string | ISO 8601 timestamp"`,
    operations: ['link-list'],
    change: inEachRecord(setField('created_at', (link) => Math.floor(Date.parse(String(link['created_at'])) / 1000))),
  },
  'link-counts-at-creation': faultOnSuccess(
    'link-create',
    `${recordSection}: "payments_count, revenue, is_active | list view only"`,
    inData((link) => Object.assign(link, { payments_count: 0, revenue: 0, is_active: true })),
  ),
  'link-description-optional': {
    breaks: `${createSection}: "description | required"`,
    makesOptional: 'link-create description',
  },
  'link-amount-optional': { breaks: `${createSection}: "amount | required"`, makesOptional: 'link-create amount' },
  'link-currency-required': {
    breaks: `${createSection}: "currency | string | required: no" (the service requires it)`,
    makesRequired: 'link-create currency',
  },

  'link-description-without-emoji': faultOnSuccess(
    'link-create',
    `${recordSection}: "description | reference text given at creation" (four-byte UTF-8 characters are replaced)`,
    inData(replaceEmoji('description')),
  ),
  'link-currency-ignored': { breaks: `${createSection}: "currency | 3-letter ISO code" (always EUR)` },
  'slug-upper-case': { breaks: `${createSection}, rule 1: "derived from description by lower-casing it"` },
  'slug-lower-cases-only-ascii': {
    breaks: `${createSection}, rule 1: "by lower-casing it" (a letter with an accent loses only the accent)`,
  },
  'slug-random': faultOnSuccess(
    'link-create',
    `${createSection}, rule 1: "The URL slug is derived from description" (an opaque slug)`,
    inData(setField('url', ({ url, id }) => new URL(`pl_${Number(id) * 7919}`, String(url)).href)),
  ),
  'slug-suffix-none': { breaks: `${createSection}, rule 2: "a numeric suffix is appended" (two links share a URL)` },
  'slug-suffix-from-1': { breaks: `${createSection}, rule 2: "starting with -2"` },
  'slug-suffix-underscore': { breaks: `${createSection}, rule 2: "starting with -2" (starts with _2)` },
  'slug-suffix-repeats': {
    breaks: `${createSection}, rule 2: "When a link with the same slug exists" (the third link gets -2, too)`,
  },
  'slug-suffix-case-sensitive': {
    breaks: `${createSection}, rule 2: "When a link with the same slug exists" (overlooks one whose description differs in case)`,
  },
  'slug-equal-to-suffixed-slug': {
    breaks: `${createSection}, rule 2: "When a link with the same slug exists" (overlooks a link whose slug ends in an appended suffix)`,
  },
  'link-list-total-stale': {
    breaks:
      'Pagination envelope: "total | total number of records" (the link list keeps showing the total of its first response)',
  },
  'link-count-merges-case-variants': {
    breaks: `${recordSection}: "payments_count" (also counts payments of links whose descriptions differ only in case)`,
    inferred: true,
  },
  'link-list-description-without-emoji': {
    breaks: `${recordSection}: "description | reference text given at creation" (the list replaces four-byte UTF-8 characters)`,
    operations: ['link-list'],
    change: inEachRecord(replaceEmoji('description')),
  },
  'link-list-currency-euro': {
    breaks: `${recordSection}: "currency | ISO currency code" (always EUR in the list)`,
    operations: ['link-list'],
    change: inEachRecord(setField('currency', () => 'EUR')),
  },
  'slug-taken-by-longer-slug': {
    breaks: `${createSection}, rule 2: "When a link with the same slug exists" (a suffix is also appended if only a longer slug begins with the new one)`,
  },
  'slug-suffix-none-if-empty': {
    breaks: `${createSection}, rule 2: "When a link with the same slug exists" (no suffix is appended to an empty slug)`,
  },
  'link-amount-of-equal-description': {
    breaks: `${recordSection}: "amount | fixed amount" (the amount of the first link with the same description)`,
  },
  'link-list-url-without-suffix': {
    breaks: `${recordSection}: "url | shareable payment URL" (the list leaves out the numeric suffix)`,
    operations: ['link-list'],
    change: inEachRecord(setField('url', ({ url }) => String(url).replace(/-\d+$/, ''))),
  },
  'link-list-amount-converted': {
    breaks: `${recordSection}: "amount | fixed amount" (the list converts dollars to euros)`,
    operations: ['link-list'],
    change: inEachRecord(convertDollars),
  },
  'link-not-listed': { breaks: `${listSection}: "pagination envelope of payment links" (the newest is missing)` },
  'link-count-missing': {
    breaks: `${recordSection}: "payments_count | integer | list view"`,
    operations: ['link-list'],
    change: inEachRecord(removeFields('payments_count')),
  },
  'link-count-always-0': { breaks: `${recordSection}: "payments_count" (always 0)`, inferred: true },
  'link-revenue-missing': {
    breaks: `${recordSection}: "revenue | decimal | list view"`,
    operations: ['link-list'],
    change: inEachRecord(removeFields('revenue')),
  },
  'link-revenue-always-0': { breaks: `${recordSection}: "revenue" (always 0)`, inferred: true },
  'link-active-missing': {
    breaks: `${recordSection}: "is_active | list view"`,
    operations: ['link-list'],
    change: inEachRecord(removeFields('is_active')),
  },
  'link-active-integer': {
    breaks: `${recordSection}: "is_active | boolean"`,
    operations: ['link-list'],
    change: inEachRecord(setField('is_active', (link) => (link['is_active'] ? 1 : 0))),
  },
  'link-list-largest-page-short': {
    breaks: 'GET /payment-links and Limits: "per_page | maximum 100" (the last record is missing on a page of 100)',
  },
  'link-list-default-20': { breaks: `${listSection} and Limits: "per_page | default 25"` },
  'link-list-maximum-101': { breaks: `${listSection} and Limits: "per_page | maximum 100" (101 is accepted)` },
  'link-list-maximum-50': { breaks: `${listSection} and Limits: "per_page | maximum 100" (the maximum is 50)` },
  'link-list-size-ignored': { breaks: `${listSection}: "per_page | integer" (always 25 records)` },
} satisfies Record<string, Fault>;
