import type { JsonObject } from '../json.js';
import { type Fault, inAscii, inData, inEach, numberAsString, put, within, withinEach, without } from './fault.js';

const record = 'Invoice';
const item = 'Line item as returned';
const overdue = 'Overdue-invoice records';
const stats = 'Invoice statistics';

const inList = (breaks: string, change: (invoice: JsonObject) => void): Fault => ({
  breaks: `${breaks} (in the list)`,
  on: ['invoice-list'],
  change: inEach(change),
});

const inDetail = (breaks: string, change: (invoice: JsonObject) => void): Fault => ({
  breaks: `${breaks} (in the detail)`,
  on: ['invoice-detail'],
  change: inData(change),
});

export const readingFaults = {
  'invoice-id-text': inList(`${record}: "id | integer"`, numberAsString('id')),
  'invoice-number-missing': inList(`${record}: "invoice_number | string"`, without('invoice_number')),
  'invoice-number-integer': inList(
    `${record}: "invoice_number | string"`,
    put('invoice_number', ({ id }) => Number(id)),
  ),
  'invoice-amount-object': inList(
    `${record}: "amount | decimal"`,
    put('amount', ({ amount = 0 }) => ({ value: amount })),
  ),
  'invoice-currency-sign': inList(
    `${record}: "currency | 3-letter ISO currency code"`,
    put('currency', () => '€'),
  ),
  'invoice-status-unknown': inList(
    'States, Invoice: the eight statuses',
    put('status', ({ status = '' }) => (status === 'pending' ? 'unpaid' : status)),
  ),
  'invoice-date-with-time': inList(
    `${record}: "date | YYYY-MM-DD"`,
    put('date', ({ date }) => `${date}T00:00:00Z`),
  ),
  'invoice-due-date-german': inDetail(
    `${record}: "due_date | YYYY-MM-DD"`,
    put('due_date', (invoice) => String(invoice['due_date']).split('-').toReversed().join('.')),
  ),
  'invoice-customer-id-only': inList(
    `${record}: "customer | object"`,
    put('customer', () => 1),
  ),
  'invoice-customer-email-missing': inList(
    `${record}: "customer | email string"`,
    within('customer', without('email')),
  ),
  'invoice-customer-phone-listed': inList(
    `${record}: "customer.phone … in detail view only"`,
    within(
      'customer',
      put('phone', () => '+49 30 1'),
    ),
  ),
  'invoice-items-missing': inList(`${record}: "invoice_items | array"`, without('invoice_items')),
  'item-total-missing': inList(`${item}: "total"`, withinEach('invoice_items', without('total'))),
  'item-tax-rate-missing': inDetail(`${item}: "tax_rate"`, withinEach('invoice_items', without('tax_rate'))),
  'item-quantity-words': inDetail(
    `${item}: "quantity | decimal"`,
    withinEach(
      'invoice_items',
      put('quantity', ({ quantity }) => `${quantity} pcs`),
    ),
  ),
  'item-description-lost': inDetail(
    `${item}: "description | string"`,
    withinEach(
      'invoice_items',
      put('description', () => null),
    ),
  ),
  'detail-notes-missing': inDetail(`${record}: "The invoice detail response adds: notes"`, without('notes')),
  'detail-transactions-missing': inDetail(`${record}: "adds: transactions | array"`, without('transactions')),
  'detail-transactions-object': inDetail(
    `${record}: "transactions | array"`,
    put('transactions', () => ({})),
  ),
  'detail-subscription-missing': inDetail(
    `${record}: "null when the invoice has no subscription"`,
    without('subscription'),
  ),
  'detail-subscription-false': inDetail(
    `${record}: "subscription | object or null"`,
    put('subscription', ({ subscription }) => subscription ?? false),
  ),
  'detail-phone-missing': inDetail(
    `${record}: "adds: customer.phone … customer.country"`,
    within('customer', without('phone', 'country')),
  ),
  'detail-items-cut': inDetail(
    `${record}: "invoice_items | line items" (only the first)`,
    put('invoice_items', (invoice) => [invoice['invoice_items'] ?? []].flat().slice(0, 1)),
  ),

  'detail-reference-ascii': inDetail(
    `${record}: "reference | client's internal reference" (in ASCII)`,
    put('reference', ({ reference = null }) => (typeof reference === 'string' ? inAscii(reference) : reference)),
  ),
  'detail-stale': {
    breaks: 'States, Invoice: "paid | fully paid" (the detail stays what it was when it was first read)',
  },
  'detail-id-lenient': {
    breaks: 'GET /invoices/{invoice}: "integer invoice ID" (whatever follows its digits is ignored)',
    inferred: true,
  },
  'invoice-list-total-stale': {
    breaks: 'Pagination envelope: "total | total number of records" (that of the first answer, in the invoice list)',
  },
  'list-status-stale': {
    breaks: 'States, Invoice: "paid | fully paid" (the list has the status that was first listed)',
  },
  'list-reference-ascii': inList(
    `${record}: "reference | client's internal reference" (in ASCII)`,
    put('reference', ({ reference = null }) => (typeof reference === 'string' ? inAscii(reference) : reference)),
  ),
  'invoice-list-default-20': { breaks: 'GET /invoices and Limits: "per_page | 25"' },
  'invoice-list-maximum-101': { breaks: 'GET /invoices and Limits: "per_page | maximum 100" (101 is in effect)' },
  'invoice-list-maximum-50': { breaks: 'GET /invoices and Limits: "per_page | maximum 100" (50 is the most)' },
  'invoice-list-size-ignored': { breaks: 'GET /invoices: "per_page | integer" (always 25 records)' },

  'stats-taken-for-id': { breaks: 'Endpoints: "Literal segments stats and overdue … are not invoice identifiers"' },
  'stats-count-text': {
    breaks: `${stats}: "total_invoices | integer"`,
    on: ['invoice-stats'],
    change: inData(numberAsString('total_invoices')),
  },
  'stats-total-overdue-missing': {
    breaks: `${stats}: "total_overdue | decimal"`,
    on: ['invoice-stats'],
    change: inData(without('total_overdue')),
  },
  'stats-currency-missing': {
    breaks: `${stats}: "currency | ISO currency code"`,
    on: ['invoice-stats'],
    change: inData(without('currency')),
  },
  'stats-total-open-only': { breaks: `${stats}: "total_invoices | total number of invoices" (only the unpaid)` },
  'stats-paid-stuck': { breaks: `${stats}: "paid_invoices | fully paid invoices" (always 0)` },
  'stats-overdue-stuck': { breaks: `${stats}: "overdue_invoices | invoices past due date" (always 0)` },
  'stats-outstanding-with-paid': {
    breaks: `${stats}: "total_outstanding | sum of all unpaid invoices" (paid ones too)`,
  },
  'stats-overdue-sums-unpaid': { breaks: `${stats}: "total_overdue | sum of overdue invoices" (all unpaid)` },

  'stats-pending-with-paid': { breaks: `${stats}: "pending_invoices | invoices awaiting payment" (paid ones, too)` },
  'stats-total-overdue-with-paid': { breaks: `${stats}: "total_overdue | sum of overdue invoices" (paid ones, too)` },
  'stats-overdue-with-paid': { breaks: `${stats}: "overdue_invoices | invoices past due date" (paid ones, too)` },
  'stats-overdue-stale': {
    breaks: `${stats}: "overdue_invoices | invoices past due date" (those of the first answer)`,
  },
  'stats-total-overdue-stale': {
    breaks: `${stats}: "total_overdue | sum of overdue invoices" (that of the first answer)`,
  },
  'stats-outstanding-without-overdue': {
    breaks: `${stats}: "total_outstanding | sum of all unpaid invoices" (but for those that are overdue)`,
  },

  'overdue-taken-for-id': { breaks: 'Endpoints: "Literal segments stats and overdue … are not invoice identifiers"' },
  'overdue-count-missing': {
    breaks: 'GET /invoices/overdue: "count (integer)"',
    on: ['invoice-overdue'],
    change: ({ body }) => without('count')(body),
  },
  'overdue-count-one-more': {
    breaks: 'GET /invoices/overdue: "count (integer)" beside "data (array …)"',
    inferred: true,
    on: ['invoice-overdue'],
    change: ({ body }) => put('count', ({ count }) => Number(count) + 1)(body),
  },
  'overdue-outstanding-missing': {
    breaks: 'GET /invoices/overdue: "total_outstanding (decimal)"',
    on: ['invoice-overdue'],
    change: ({ body }) => without('total_outstanding')(body),
  },
  'overdue-currency-missing': {
    breaks: 'GET /invoices/overdue: "currency (string)"',
    on: ['invoice-overdue'],
    change: ({ body }) => without('currency')(body),
  },
  'overdue-in-pages': {
    breaks: 'GET /invoices/overdue: "data (array of overdue-invoice records)" (a pagination envelope)',
    on: ['invoice-overdue'],
    change: ({ body }) =>
      put('data', ({ data = [] }) => ({ current_page: 1, data, per_page: 25, total: 1, last_page: 1 }))(body),
  },
  'overdue-days-missing': {
    breaks: `${overdue}: "days_overdue | integer"`,
    on: ['invoice-overdue'],
    change: inEach(without('days_overdue')),
  },
  'overdue-days-fraction': {
    breaks: `${overdue}: "days_overdue | integer"`,
    on: ['invoice-overdue'],
    change: inEach(put('days_overdue', (invoice) => Number(invoice['days_overdue']) + 0.5)),
  },
  'overdue-days-since-date': { breaks: `${overdue}: "days past the due date" (past the date of the invoice)` },
  'overdue-link-missing': {
    breaks: `${overdue}: "payment_link | string or null | null when a payment has already been initiated" (absent)`,
    on: ['invoice-overdue'],
    change: inEach((invoice) => {
      if (invoice['payment_link'] === null) delete invoice['payment_link'];
    }),
  },
  'overdue-link-no-url': {
    breaks: `${overdue}: "payment_link | direct URL to pay" (a path)`,
    on: ['invoice-overdue'],
    change: inEach((invoice) => {
      const { payment_link: link } = invoice;
      if (typeof link === 'string') invoice['payment_link'] = new URL(link).pathname;
    }),
  },
  'overdue-phone-missing': {
    breaks: `${overdue}: "customer | id, name, email, phone"`,
    on: ['invoice-overdue'],
    change: inEach(within('customer', without('phone'))),
  },
  'overdue-items-missing': {
    breaks: `${overdue}: "contain the list fields plus" (no invoice_items)`,
    on: ['invoice-overdue'],
    change: inEach(without('invoice_items')),
  },
  'overdue-of-years-left-out': {
    breaks: 'What the service does: "list overdue invoices" (none for more than three years)',
  },
  'overdue-list-stale': { breaks: 'What the service does: "list overdue invoices" (those of the first answer)' },
  'overdue-days-more': {
    breaks: `${overdue}: "days_overdue | days past the due date" (a month more)`,
    on: ['invoice-overdue'],
    change: inEach(put('days_overdue', (invoice) => Number(invoice['days_overdue']) + 30)),
  },
  'overdue-count-stale': {
    breaks: 'GET /invoices/overdue: "count (integer)" beside "data (array …)" (that of the first answer)',
    inferred: true,
  },
  'overdue-lists-future': { breaks: 'What the service does: "list overdue invoices" (those not yet due, too)' },
  'overdue-lists-paid': { breaks: 'What the service does: "list overdue invoices" (paid ones, too)' },
} satisfies Record<string, Fault>;
