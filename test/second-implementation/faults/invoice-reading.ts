import { isObject, type JsonObject } from '../json.js';
import {
  convertFieldToString,
  type Fault,
  faultOnSuccess,
  inData,
  inEachNested,
  inEachRecord,
  inNested,
  removeFields,
  setField,
  toAscii,
  wrapDataInArray,
} from './fault.js';

// Sections of the specification whose sentences these faults break.
const recordSection = 'Invoice';
const itemSection = 'Line item as returned';
const overdueSection = 'Overdue-invoice records';
const statsSection = 'Invoice statistics';

const faultInList = (breaks: string, change: (invoice: JsonObject) => void): Fault => ({
  breaks: `${breaks} (in the list)`,
  operations: ['invoice-list'],
  change: inEachRecord(change),
});

const faultInDetail = (breaks: string, change: (invoice: JsonObject) => void): Fault => ({
  breaks: `${breaks} (in the detail)`,
  operations: ['invoice-detail'],
  change: inData(change),
});

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const invoiceReadingFaults = {
  'invoice-id-string': faultInList(`${recordSection}: "id | integer"`, convertFieldToString('id')),
  'invoice-number-missing': faultInList(`${recordSection}: "invoice_number | string"`, removeFields('invoice_number')),
  'invoice-number-integer': faultInList(
    `${recordSection}: "invoice_number | string"`,
    setField('invoice_number', ({ id }) => Number(id)),
  ),
  'invoice-amount-object': faultInList(
    `${recordSection}: "amount | decimal"`,
    setField('amount', ({ amount = 0 }) => ({ value: amount })),
  ),
  'invoice-currency-sign': faultInList(
    `${recordSection}: "currency | 3-letter ISO currency code"`,
    setField('currency', () => '€'),
  ),
  'invoice-status-unknown': faultInList(
    'States, Invoice: the eight statuses',
    setField('status', ({ status = '' }) => (status === 'pending' ? 'unpaid' : status)),
  ),
  'invoice-date-with-time': faultInList(
    `${recordSection}: "date | YYYY-MM-DD"`,
    setField('date', ({ date }) => `${date}T00:00:00Z`),
  ),
  'invoice-due-date-german': faultInDetail(
    `${recordSection}: "due_date | YYYY-MM-DD"`,
    setField('due_date', (invoice) => String(invoice['due_date']).split('-').toReversed().join('.')),
  ),
  'invoice-customer-id-only': faultInList(
    `${recordSection}: "customer | object"`,
    setField('customer', () => 1),
  ),
  'invoice-customer-email-missing': faultInList(
    `${recordSection}: "customer | email string"`,
    inNested('customer', removeFields('email')),
  ),
  'invoice-customer-phone-listed': faultInList(
    `${recordSection}: "customer.phone … in detail view only"`,
    inNested(
      'customer',
      setField('phone', () => '+49 30 1'),
    ),
  ),
  'invoice-items-missing': faultInList(`${recordSection}: "invoice_items | array"`, removeFields('invoice_items')),
  'item-total-missing': faultInList(`${itemSection}: "total"`, inEachNested('invoice_items', removeFields('total'))),
  'item-tax-rate-missing': faultInDetail(
    `${itemSection}: "tax_rate"`,
    inEachNested('invoice_items', removeFields('tax_rate')),
  ),
  'item-quantity-with-unit': faultInDetail(
    `${itemSection}: "quantity | decimal"`,
    inEachNested(
      'invoice_items',
      setField('quantity', ({ quantity }) => `${quantity} pcs`),
    ),
  ),
  'item-description-null': faultInDetail(
    `${itemSection}: "description | string"`,
    inEachNested(
      'invoice_items',
      setField('description', () => null),
    ),
  ),
  'detail-notes-missing': faultInDetail(
    `${recordSection}: "The invoice detail response adds: notes"`,
    removeFields('notes'),
  ),
  'detail-notes-missing-once-paid': faultInDetail(
    `${recordSection}: "The invoice detail response adds: notes" (null once it is paid)`,
    (invoice) => {
      if (invoice['status'] === 'paid') invoice['notes'] = null;
    },
  ),
  'detail-transactions-twice': {
    ...faultInDetail(`${recordSection}: "transactions of the invoice" (each of them twice)`, (invoice) => {
      const { transactions } = invoice;
      if (Array.isArray(transactions)) invoice['transactions'] = [...transactions, ...transactions];
    }),
    inferred: true,
  },
  'reference-of-digits-integer': {
    breaks: `${recordSection}: "reference | string" (an integer if it consists of digits)`,
    operations: ['invoice-create', 'invoice-list', 'invoice-detail', 'invoice-overdue'],
    change: inEachRecord((invoice) => {
      const { reference } = invoice;
      if (typeof reference === 'string' && /^\d+$/.test(reference)) invoice['reference'] = Number(reference);
    }),
  },
  'detail-transactions-missing': faultInDetail(
    `${recordSection}: "adds: transactions | array"`,
    removeFields('transactions'),
  ),
  'detail-transactions-object': faultInDetail(
    `${recordSection}: "transactions | array"`,
    setField('transactions', () => ({})),
  ),
  'detail-subscription-missing': faultInDetail(
    `${recordSection}: "null when the invoice has no subscription"`,
    removeFields('subscription'),
  ),
  'detail-subscription-false': faultInDetail(
    `${recordSection}: "subscription | object or null"`,
    setField('subscription', ({ subscription }) => subscription ?? false),
  ),
  'detail-phone-missing': faultInDetail(
    `${recordSection}: "adds: customer.phone … customer.country"`,
    inNested('customer', removeFields('phone', 'country')),
  ),
  'detail-items-truncated': faultInDetail(
    `${recordSection}: "invoice_items | line items" (only the first)`,
    setField('invoice_items', (invoice) => [invoice['invoice_items'] ?? []].flat().slice(0, 1)),
  ),

  'detail-reference-non-ascii-replaced': faultInDetail(
    `${recordSection}: "reference | client's internal reference" (non-ASCII characters are replaced)`,
    setField('reference', ({ reference = null }) => (typeof reference === 'string' ? toAscii(reference) : reference)),
  ),
  'detail-customer-cached': {
    breaks: 'Invoice detail: "customer" (the customer of the first invoice that was read, in every detail)',
  },
  'detail-stale': {
    breaks: 'States, Invoice: "paid | fully paid" (the detail is cached at the first request)',
  },
  'detail-id-trailing-text-ignored': {
    breaks: 'GET /invoices/{invoice}: "integer invoice ID" (anything after the digits is ignored)',
    inferred: true,
  },
  'invoice-list-total-stale': {
    breaks:
      'Pagination envelope: "total | total number of records" (in the invoice list, the total of the first response)',
  },
  'list-status-stale': {
    breaks: 'States, Invoice: "paid | fully paid" (the list keeps showing the status that it showed first)',
  },
  'list-reference-non-ascii-replaced': faultInList(
    `${recordSection}: "reference | client's internal reference" (non-ASCII characters are replaced)`,
    setField('reference', ({ reference = null }) => (typeof reference === 'string' ? toAscii(reference) : reference)),
  ),
  'invoice-list-default-20': { breaks: 'GET /invoices and Limits: "per_page | 25"' },
  'invoice-list-maximum-101': { breaks: 'GET /invoices and Limits: "per_page | maximum 100" (101 is in effect)' },
  'invoice-list-maximum-50': { breaks: 'GET /invoices and Limits: "per_page | maximum 100" (the maximum is 50)' },
  'invoice-list-size-ignored': { breaks: 'GET /invoices: "per_page | integer" (always 25 records)' },

  'stats-parsed-as-id': { breaks: 'Endpoints: "Literal segments stats and overdue … are not invoice identifiers"' },
  'stats-count-string': {
    breaks: `${statsSection}: "total_invoices | integer"`,
    operations: ['invoice-stats'],
    change: inData(convertFieldToString('total_invoices')),
  },
  'stats-total-overdue-missing': {
    breaks: `${statsSection}: "total_overdue | decimal"`,
    operations: ['invoice-stats'],
    change: inData(removeFields('total_overdue')),
  },
  'stats-currency-missing': {
    breaks: `${statsSection}: "currency | ISO currency code"`,
    operations: ['invoice-stats'],
    change: inData(removeFields('currency')),
  },
  'stats-total-counts-only-unpaid': {
    breaks: `${statsSection}: "total_invoices | total number of invoices" (only the unpaid)`,
  },
  'stats-paid-always-0': { breaks: `${statsSection}: "paid_invoices | fully paid invoices" (always 0)` },
  'stats-overdue-always-0': { breaks: `${statsSection}: "overdue_invoices | invoices past due date" (always 0)` },
  'stats-outstanding-includes-paid': {
    breaks: `${statsSection}: "total_outstanding | sum of all unpaid invoices" (includes paid ones)`,
  },
  'stats-overdue-sums-unpaid': {
    breaks: `${statsSection}: "total_overdue | sum of overdue invoices" (sum of all unpaid)`,
  },

  'stats-pending-includes-paid': {
    breaks: `${statsSection}: "pending_invoices | invoices awaiting payment" (includes paid ones)`,
  },
  'stats-total-overdue-includes-paid': {
    breaks: `${statsSection}: "total_overdue | sum of overdue invoices" (includes paid ones)`,
  },
  'stats-overdue-includes-paid': {
    breaks: `${statsSection}: "overdue_invoices | invoices past due date" (includes paid ones)`,
  },
  'stats-overdue-stale': {
    breaks: `${statsSection}: "overdue_invoices | invoices past due date" (the value of the first response)`,
  },
  'stats-total-overdue-stale': {
    breaks: `${statsSection}: "total_overdue | sum of overdue invoices" (the value of the first response)`,
  },
  'stats-outstanding-excludes-overdue': {
    breaks: `${statsSection}: "total_outstanding | sum of all unpaid invoices" (without the overdue ones)`,
  },

  'overdue-parsed-as-id': { breaks: 'Endpoints: "Literal segments stats and overdue … are not invoice identifiers"' },
  'overdue-count-missing': {
    breaks: 'GET /invoices/overdue: "count (integer)"',
    operations: ['invoice-overdue'],
    change: ({ body }) => removeFields('count')(body),
  },
  'overdue-count-too-high': {
    breaks: 'GET /invoices/overdue: "count (integer)" beside "data (array …)"',
    inferred: true,
    operations: ['invoice-overdue'],
    change: ({ body }) => setField('count', ({ count }) => Number(count) + 1)(body),
  },
  'overdue-outstanding-missing': {
    breaks: 'GET /invoices/overdue: "total_outstanding (decimal)"',
    operations: ['invoice-overdue'],
    change: ({ body }) => removeFields('total_outstanding')(body),
  },
  'overdue-currency-missing': {
    breaks: 'GET /invoices/overdue: "currency (string)"',
    operations: ['invoice-overdue'],
    change: ({ body }) => removeFields('currency')(body),
  },
  'overdue-paginated': {
    breaks:
      'GET /invoices/overdue: "data (array of overdue-invoice records)" (a pagination envelope instead of an array)',
    operations: ['invoice-overdue'],
    change: ({ body }) =>
      setField('data', ({ data = [] }) => ({ current_page: 1, data, per_page: 25, total: 1, last_page: 1 }))(body),
  },
  'overdue-days-missing': {
    breaks: `${overdueSection}: "days_overdue | integer"`,
    operations: ['invoice-overdue'],
    change: inEachRecord(removeFields('days_overdue')),
  },
  'overdue-days-fraction': {
    breaks: `${overdueSection}: "days_overdue | integer"`,
    operations: ['invoice-overdue'],
    change: inEachRecord(setField('days_overdue', (invoice) => Number(invoice['days_overdue']) + 0.5)),
  },
  'overdue-days-since-date': {
    breaks: `${overdueSection}: "days past the due date" (days since the date of the invoice)`,
  },
  'overdue-link-missing': {
    breaks: `${overdueSection}: "payment_link | string or null | null when a payment has already been initiated" (absent)`,
    operations: ['invoice-overdue'],
    change: inEachRecord((invoice) => {
      if (invoice['payment_link'] === null) delete invoice['payment_link'];
    }),
  },
  'overdue-link-relative': {
    breaks: `${overdueSection}: "payment_link | direct URL to pay" (only a path)`,
    operations: ['invoice-overdue'],
    change: inEachRecord((invoice) => {
      const { payment_link: link } = invoice;
      if (typeof link === 'string') invoice['payment_link'] = new URL(link).pathname;
    }),
  },
  'overdue-phone-missing': {
    breaks: `${overdueSection}: "customer | id, name, email, phone"`,
    operations: ['invoice-overdue'],
    change: inEachRecord(inNested('customer', removeFields('phone'))),
  },
  'overdue-items-missing': {
    breaks: `${overdueSection}: "contain the list fields plus" (no invoice_items)`,
    operations: ['invoice-overdue'],
    change: inEachRecord(removeFields('invoice_items')),
  },
  'overdue-reference-truncated': {
    breaks: `${overdueSection}: "contain the list fields" (only the first two characters of reference)`,
    operations: ['invoice-overdue'],
    change: inEachRecord(setField('reference', ({ reference = null }) => reference && String(reference).slice(0, 2))),
  },
  'overdue-item-quantities-rounded': {
    breaks: `${overdueSection}: "contain the list fields" (quantities are rounded)`,
    operations: ['invoice-overdue'],
    change: inEachRecord(
      inEachNested(
        'invoice_items',
        setField('quantity', ({ quantity }) => Math.round(Number(quantity))),
      ),
    ),
  },
  'overdue-number-without-prefix': {
    breaks: `${overdueSection}: "contain the list fields" (invoice_number without its prefix)`,
    operations: ['invoice-overdue'],
    change: inEachRecord(
      setField('invoice_number', ({ invoice_number: number }) => String(number).replace(/^\D+/, '')),
    ),
  },
  'overdue-amount-with-thousands-separator': {
    breaks: `${overdueSection}: "contain the list fields", "amount | decimal" (1,090.35 from 1,000 on)`,
    operations: ['invoice-overdue'],
    change: inEachRecord((invoice) => {
      const amount = Number(invoice['amount']);
      if (amount >= 1_000) invoice['amount'] = amount.toLocaleString('en-US', { minimumFractionDigits: 2 });
    }),
  },
  'detail-item-free-missing': faultInDetail(
    `${recordSection}: "invoice_items | array | line items" (those with a price of 0 are missing)`,
    setField('invoice_items', ({ invoice_items: items = [] }) =>
      Array.isArray(items) ? items.filter((item) => isObject(item) && Number(item['unit_price']) !== 0) : items,
    ),
  ),
  'notes-line-breaks-removed': faultInDetail(
    `${recordSection}: "notes | additional notes printed on the invoice" (line breaks become spaces)`,
    setField('notes', ({ notes = null }) => (typeof notes === 'string' ? notes.replaceAll('\n', ' ') : notes)),
  ),
  'invoice-list-largest-page-short': {
    breaks: 'GET /invoices and Limits: "per_page | maximum 100" (the last record is missing on a page of 100)',
  },
  'years-overdue-not-listed': {
    breaks: 'What the service does: "list overdue invoices" (without those overdue for more than three years)',
  },
  'overdue-list-stale': {
    breaks: 'What the service does: "list overdue invoices" (always the records of the first response)',
  },
  'overdue-rows-arrays': {
    breaks: 'GET /invoices/overdue: "data (array of overdue-invoice records)" (each record is an array of its values)',
    operations: ['invoice-overdue'],
    change: ({ body }) => {
      const rows = body['data'];
      if (Array.isArray(rows)) body['data'] = rows.map((row) => (isObject(row) ? Object.values(row) : row));
    },
  },
  'detail-data-array': faultOnSuccess(
    'invoice-detail',
    'GET /invoices/{invoice}: "data is the invoice in detail view" (an array with the invoice)',
    wrapDataInArray,
  ),
  'overdue-days-too-high': {
    breaks: `${overdueSection}: "days_overdue | days past the due date" (30 days too many)`,
    operations: ['invoice-overdue'],
    change: inEachRecord(setField('days_overdue', (invoice) => Number(invoice['days_overdue']) + 30)),
  },
  'overdue-count-stale': {
    breaks: 'GET /invoices/overdue: "count (integer)" beside "data (array …)" (the value of the first response)',
    inferred: true,
  },
  'overdue-lists-future': {
    breaks: 'What the service does: "list overdue invoices" (includes those that are not yet due)',
  },
  'overdue-lists-paid': { breaks: 'What the service does: "list overdue invoices" (includes paid ones)' },
} satisfies Record<string, Fault>;
