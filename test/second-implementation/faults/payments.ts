import type { JsonObject } from '../json.js';
import {
  convertDollars,
  convertFieldToString,
  type Fault,
  hasErrorFor,
  inData,
  inEachRecord,
  inNested,
  nullIfNoRecords,
  removeFields,
  setField,
  toAscii,
} from './fault.js';

/** Section of the specification whose sentences the faults in the list's filters and pages break. */
const listSection = 'GET /payments';

const faultInList = (breaks: string, change: (payment: JsonObject) => void): Fault => ({
  breaks: `Payment: ${breaks}`,
  operations: ['payment-list'],
  change: inEachRecord(change),
});

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const paymentFaults = {
  'payment-not-listed': { breaks: 'What the service does: "list incoming payments" (the newest is missing)' },
  'payment-id-string': faultInList('"id | integer"', convertFieldToString('id')),
  'payment-status-succeeded': faultInList(
    '"status | paid, open, pending, failed"',
    setField('status', ({ status = '' }) => (status === 'paid' ? 'succeeded' : status)),
  ),
  'payment-amount-in-cents': faultInList(
    '"amount | decimal" (in cents)',
    setField('amount', ({ amount }) =>
      typeof amount === 'string' ? (Number(amount) * 100).toFixed(2) : Math.round(Number(amount) * 100),
    ),
  ),
  'payment-amount-converted': {
    breaks: 'Payment link: "amount | fixed amount" (dollars are converted)',
    operations: ['payment-list'],
    change: inEachRecord(convertDollars),
  },
  'payment-currency-lower-case': faultInList(
    '"currency | ISO currency code" (in lower case)',
    setField('currency', ({ currency }) => String(currency).toLowerCase()),
  ),
  'payment-method-missing': faultInList('"payment_method | string"', removeFields('payment_method')),
  'payment-method-object': faultInList(
    '"payment_method | string" (an object)',
    setField('payment_method', (payment) => ({ type: payment['payment_method'] ?? null })),
  ),
  'payment-link-id-missing': faultInList('"payment_link_id | integer"', removeFields('payment_link_id')),
  'payment-link-id-string': faultInList('"payment_link_id | integer"', (payment) => {
    if (typeof payment['payment_link_id'] === 'number') convertFieldToString('payment_link_id')(payment);
  }),
  'payment-link-id-wrong': faultInList(
    '"payment_link_id | link that produced the payment" (the identifier of another link)',
    (payment) => {
      if (typeof payment['payment_link_id'] === 'number') payment['payment_link_id'] += 1;
    },
  ),
  'payment-link-url-missing': faultInList('"payment_link_url | string"', removeFields('payment_link_url')),
  'payment-link-url-differs': faultInList(
    '"payment_link_url | URL of that link" (not the one given at creation)',
    (payment) => {
      if (typeof payment['payment_link_url'] === 'string') payment['payment_link_url'] += '/pay';
    },
  ),
  'payment-reference-missing': faultInList('"reference | string"', removeFields('reference')),
  'payment-paid-at-missing': faultInList('"paid_at | string"', removeFields('paid_at')),
  'payment-paid-at-date-only': faultInList('"paid_at | ISO 8601 timestamp with UTC offset"', (payment) => {
    if (typeof payment['paid_at'] === 'string') payment['paid_at'] = payment['paid_at'].slice(0, 10);
  }),
  'payment-created-at-missing': faultInList('"created_at | string"', removeFields('created_at')),
  'payment-created-at-with-space': faultInList(
    '"created_at | ISO 8601 timestamp with UTC offset"',
    setField('created_at', (payment) => String(payment['created_at']).slice(0, 19).replace('T', ' ')),
  ),
  'payment-customer-missing': faultInList('"customer | object"', removeFields('customer')),
  'payment-customer-name-missing': faultInList('"customer | name string"', inNested('customer', removeFields('name'))),
  'payment-customer-id-string': faultInList(
    '"customer | id integer"',
    inNested('customer', convertFieldToString('id')),
  ),
  'payment-description-slug': {
    breaks: `POST /payment-links: "description … included in all … payment records" (the slug instead)`,
  },

  'payment-list-total-stale': {
    breaks:
      'Pagination envelope: "total | total number of records" (in the payment list, the total of the first response)',
  },
  'payment-currency-euro': {
    ...faultInList(
      '"currency | ISO currency code" (always EUR)',
      setField('currency', () => 'EUR'),
    ),
    inferred: true,
  },
  'payment-description-ascii': faultInList(
    '"description … included in all … payment records" (non-ASCII characters are replaced)',
    setField('description', ({ description }) => toAscii(String(description))),
  ),

  'filter-description-ascii': { breaks: `${listSection}: "description | partial match" (non-ASCII text is not found)` },
  'filter-description-ascii-case': { breaks: `${listSection}: "description | case-insensitive" (only for A to Z)` },
  'filter-description-apostrophe': {
    breaks: `${listSection}: "description | partial match" (text with an apostrophe is not found)`,
  },
  'filter-description-parenthesis': {
    breaks: `${listSection}: "description | partial match" (text with a parenthesis is not found)`,
  },
  'filter-description-percent': { breaks: `${listSection}: "description | partial match" (a % matches any text)` },
  'filter-description-underscore': {
    breaks: `${listSection}: "description | partial match" (a _ matches any character)`,
  },
  'filter-description-dot': { breaks: `${listSection}: "description | partial match" (a . matches any character)` },
  'filter-long-range-empty': {
    breaks: `${listSection}: "from | start date", "to | end date" (a range of more than ten years finds nothing)`,
  },
  'filter-total-unfiltered': {
    breaks: 'Pagination envelope: "total | total number of records" (filters are ignored)',
    inferred: true,
  },
  'filter-description-ignored': {
    breaks: `${listSection}: "description | case-insensitive partial match" (the filter has no effect)`,
  },
  'filter-description-case': { breaks: `${listSection}: "description | case-insensitive"` },
  'filter-description-exact': { breaks: `${listSection}: "description | partial match" (only the whole description)` },
  'filter-description-prefix': { breaks: `${listSection}: "description | partial match" (only from its beginning)` },
  'filter-status-ignored': { breaks: `${listSection}: "status" (no effect)` },
  'filter-refuses-status-open': {
    breaks: `${listSection}: "status | one of paid, open, pending, failed" (open is refused)`,
  },
  'filter-from-ignored': { breaks: `${listSection}: "from | start date" (no effect)` },
  'filter-to-ignored': { breaks: `${listSection}: "to | end date" (no effect)` },
  'filtered-payments-not-an-array': {
    breaks: 'Pagination envelope: "data | array" (an object if payments are filtered)',
  },
  'payments-null-if-empty': {
    breaks: 'Pagination envelope: "data | array" (null if no payment is found)',
    operations: ['payment-list'],
    change: inData(nullIfNoRecords),
  },
  'filtered-payments-per-page-ignored': { breaks: `${listSection}: "per_page | integer" (no effect with a filter)` },
  'filter-from-ignored-with-description': {
    breaks: `${listSection}: "from | start date" (no effect with description)`,
  },
  'filter-to-ignored-with-description': { breaks: `${listSection}: "to | end date" (no effect with description)` },
  'filter-range-omits-dollars': {
    breaks: `${listSection}: "from | start date" (a date range finds no payment in dollars)`,
  },
  'filter-range-excludes-ends': {
    breaks: `${listSection}: "from | start date", "to | end date" (both days are excluded)`,
    inferred: true,
  },
  'payment-filter-error-bare': {
    breaks: 'Errors: "success | false", "error | string" (absent when a filter is refused)',
    operations: ['payment-list'],
    change: (response) => {
      if (hasErrorFor(response, 'status', 'from', 'to')) removeFields('success', 'error')(response.body);
    },
  },
  'payment-link-url-without-suffix': faultInList(
    '"payment_link_url | URL of that link" (without its numeric suffix)',
    (payment) => {
      const { payment_link_url: url } = payment;
      if (typeof url === 'string') payment['payment_link_url'] = url.replace(/-\d+$/, '');
    },
  ),
  'second-payment-of-link-doubled': {
    breaks: 'Payment link: "amount | fixed amount" (the second payment of a link has twice the amount)',
  },
  'payment-list-largest-page-short': {
    breaks: `${listSection} and Limits: "per_page | maximum 100" (the last record is missing on a page of 100)`,
  },
  'payment-list-default-20': { breaks: `${listSection} and Limits: "per_page | default 25"` },
  'payment-list-maximum-101': { breaks: `${listSection} and Limits: "per_page | maximum 100" (101 is accepted)` },
  'payment-list-maximum-50': { breaks: `${listSection} and Limits: "per_page | maximum 100" (the maximum is 50)` },
  'payment-list-size-ignored': { breaks: `${listSection}: "per_page | integer" (always 25 records)` },
} satisfies Record<string, Fault>;
