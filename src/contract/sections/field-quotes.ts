/**
 * Quotes for the clauses of the contract suite: rows of the specification's tables, word for word, and a few of its
 * sentences. Each object maps the fields, headers or events of a table to their rows.
 */

/**
 * Returns the row of a field. A field of a nested object, such as `customer.email`, may be described in the row of the
 * object.
 * @throws Error if neither has a row
 */
export function quoteOf(quotes: Readonly<Record<string, string>>, field: string): string {
  const row = quotes[field] ?? quotes[field.split('.')[0] ?? ''];
  if (row === undefined) throw new Error(`the specification has no row for ${field}`);
  return row;
}

/** Sentence about the format of requests and responses. */
export const jsonSentence =
  'Requests and responses are JSON; clients send `Accept: application/json`, and `Content-Type: application/json` on bodies.';

/** Sentence about the capability to list overdue invoices. */
export const overdueCapabilityQuote =
  '- list, read and create invoices, read invoice statistics, list overdue invoices, and send a payment reminder e-mail for an unpaid invoice;';

/** Sentence about the statuses of a deposit. */
export const depositStatusSentence =
  'Deposit statuses: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`.';

/** Common response envelope. */
export const envelopeQuotes = {
  success: '| success | boolean | `true` on success, `false` on error |',
  data: '| data | object or array | payload of the call |',
  message: '| message | string | optional, present on some success responses |',
};

/** Pagination envelope. */
export const pageQuotes = {
  current_page: '| current_page | integer | page number returned |',
  data: '| data | array | the records of this page |',
  per_page: '| per_page | integer | page size in effect |',
  total: '| total | integer | total number of records |',
  last_page: '| last_page | integer | present in the invoice list |',
};

/** Invoice, list view. */
export const invoiceQuotes = {
  id: '| id | integer | invoice identifier |',
  invoice_number: '| invoice_number | string | custom or auto-generated |',
  reference: "| reference | string | client's internal reference |",
  amount: '| amount | decimal | invoice amount |',
  currency: '| currency | string | 3-letter ISO currency code |',
  status: '| status | string | see States and transitions |',
  date: '| date | string | `YYYY-MM-DD` |',
  due_date: '| due_date | string | `YYYY-MM-DD`, on or after `date` |',
  customer: '| customer | object | `id` integer, `name` string, `email` string, `company` string |',
  invoice_items: '| invoice_items | array | line items, see below |',
};

/** Statuses of an invoice that clauses quote. */
export const invoiceStatusQuotes = {
  draft: '| draft | created but not finalized |',
  viewed: '| viewed | customer has viewed it |',
  paid: '| paid | fully paid |',
  partial: '| partial | partially paid |',
  overdue: '| overdue | payment past due date |',
  cancelled: '| cancelled | cancelled |',
};

/** Invoice, additional fields of the detail view. */
export const detailQuotes = {
  notes: '| notes | string | additional notes printed on the invoice |',
  customer:
    '| customer.phone, customer.address, customer.city, customer.postal_code, customer.country | string | extra customer fields in detail view only |',
  transactions: '| transactions | array | transactions of the invoice |',
  subscription: '| subscription | object or null | `null` when the invoice has no subscription |',
};

/** Line item of an invoice. */
export const lineQuotes = {
  description: '| description | string | |',
  quantity: '| quantity | decimal | |',
  unit_price: '| unit_price | decimal | price per unit |',
  tax_rate: '| tax_rate | decimal | tax percentage |',
  total: '| total | decimal | line total |',
};

/** Invoice, additional fields of the overdue list. */
export const overdueQuotes = {
  days_overdue: '| days_overdue | integer | days past the due date |',
  payment_link:
    '| payment_link | string or null | direct URL to pay; `null` when a payment has already been initiated |',
  customer: '| customer | object | `id`, `name`, `email`, `phone` |',
};

/** Invoice statistics. */
export const statisticsQuotes = {
  total_invoices: '| total_invoices | integer | total number of invoices |',
  pending_invoices: '| pending_invoices | integer | invoices awaiting payment |',
  paid_invoices: '| paid_invoices | integer | fully paid invoices |',
  overdue_invoices: '| overdue_invoices | integer | invoices past due date |',
  total_outstanding: '| total_outstanding | decimal | sum of all unpaid invoices |',
  total_overdue: '| total_overdue | decimal | sum of overdue invoices |',
  currency: '| currency | string | ISO currency code |',
};

/** Payment link. */
export const linkQuotes = {
  id: '| id | integer | |',
  url: '| url | string | shareable payment URL under {payment_page_url} |',
  description: '| description | string | reference text given at creation |',
  amount: '| amount | decimal | fixed amount |',
  currency: '| currency | string | ISO currency code |',
  created_at: '| created_at | string | ISO 8601 timestamp with UTC offset |',
  payments_count: '| payments_count | integer | list view only |',
  revenue: '| revenue | decimal | list view only |',
  is_active: '| is_active | boolean | list view only |',
};

/** Payment. */
export const paymentQuotes = {
  id: '| id | integer | |',
  description: '| description | string | reference text, normally the description of the payment link |',
  amount: '| amount | decimal | |',
  currency: '| currency | string | ISO currency code |',
  status: '| status | string | `paid`, `open`, `pending`, `failed` |',
  payment_method: '| payment_method | string | method used |',
  payment_link_id: '| payment_link_id | integer | link that produced the payment |',
  payment_link_url: '| payment_link_url | string | URL of that link |',
  reference: '| reference | string | payment reference string |',
  paid_at: '| paid_at | string | ISO 8601 timestamp with UTC offset |',
  created_at: '| created_at | string | ISO 8601 timestamp with UTC offset |',
  customer: '| customer | object | `id` integer, `name` string, `email` string |',
};

/** Security deposit, fields accepted at creation. */
export const depositQuotes = {
  booking_reference: "| booking_reference | string | client's booking identifier; also a list filter |",
  amount: '| amount | decimal | amount to authorize |',
  currency: '| currency | string | ISO currency code |',
  customer: '| customer | object | `name` string, `email` string |',
  check_in_date: '| check_in_date | string | date, `YYYY-MM-DD` |',
  check_out_date: '| check_out_date | string | date, `YYYY-MM-DD` |',
  metadata: '| metadata | object | free key/value pairs chosen by the client |',
};

/** Error envelope. */
export const errorQuotes = {
  success: '| success | boolean | `false` |',
  error: '| error | string | description of the error |',
  errors: '| errors | object | optional; maps a field name to an array of validation message strings |',
};

/** Body of POST /invoices. */
export const newInvoiceQuotes = {
  customer_id: '| customer_id | integer | yes | ID of an existing customer |',
  invoice_number: '| invoice_number | string | no | auto-generated when omitted |',
  reference: '| reference | string | no | internal reference |',
  date: '| date | string | yes | `YYYY-MM-DD` |',
  due_date: '| due_date | string | yes | `YYYY-MM-DD`, must be on or after `date` |',
  notes: '| notes | string | no | |',
  items: '| items | array | yes | at least 1 item |',
};

/** Item in the body of POST /invoices. */
export const newItemQuotes = {
  description: '| description | string | yes | |',
  quantity: '| quantity | decimal | yes | minimum 0.01 |',
  unit_price: '| unit_price | decimal | yes | price per unit |',
  tax_rate: '| tax_rate | decimal | no | percentage, default 0 |',
};

/** Body of POST /payment-links. */
export const newLinkQuotes = {
  description:
    '| description | string | yes | internal reference; shown on the payment page and included in all webhook payloads and payment records |',
  amount: '| amount | number | yes | fixed amount in euros, decimal |',
  currency: '| currency | string | no | 3-letter ISO code, default `EUR` |',
};

/** Body of POST /deposits/{id}/capture. */
export const captureQuotes = {
  amount:
    '| amount | decimal | no | when omitted, the full remaining amount is captured; when given, that part is captured |',
  description: '| description | string | no | reason for the capture |',
};

/** Query parameters of GET /payments. */
export const paymentFilterQuotes = {
  description: '| description | string | case-insensitive partial match |',
  status: '| status | string | one of `paid`, `open`, `pending`, `failed` |',
  from: '| from | date | start date, `YYYY-MM-DD` |',
  to: '| to | date | end date, `YYYY-MM-DD` |',
  per_page: '| per_page | integer | default 25, maximum 100 |',
};

/** Names of webhook events. */
export const eventQuotes = {
  'payment.succeeded': '| payment.succeeded | payments; its payload includes `description` and `payment_link_id` |',
  'deposit.created': '| deposit.created | deposits |',
  'deposit.authorized': '| deposit.authorized | deposits |',
  'deposit.partially_captured': '| deposit.partially_captured | deposits |',
  'deposit.captured': '| deposit.captured | deposits |',
  'deposit.released': '| deposit.released | deposits |',
  'deposit.expired': '| deposit.expired | deposits |',
  'deposit.failed': '| deposit.failed | deposits |',
};

/** Headers of a webhook. */
export const webhookHeaderQuotes = {
  'X-Service-Signature':
    '| X-Service-Signature | `sha256=` followed by the HMAC-SHA256 digest of the raw request body, keyed with the configured webhook secret |',
  'X-Service-Event': '| X-Service-Event | the event name |',
};

/** Rate-limit headers. */
export const rateHeaderQuotes = {
  'X-RateLimit-Limit': '| X-RateLimit-Limit | requests allowed in the window |',
  'X-RateLimit-Remaining': '| X-RateLimit-Remaining | requests left in the window |',
  'X-RateLimit-Reset': '| X-RateLimit-Reset | time at which the window resets |',
};
