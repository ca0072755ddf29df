import type { Json } from '../json.js';
import { type Fault, faultOnSuccess, inData, inEachNested, removeFields, setField, wrapDataInArray } from './fault.js';

// Sections of the specification whose sentences these faults break.
const createSection = 'POST /invoices';
const reminderSection = 'POST /invoices/{invoice}/reminder';

const dayBefore = (day: Json | undefined): string =>
  new Date(Date.parse(String(day)) - 86_400_000).toISOString().slice(0, 10);

/** Faults by id. Those that have only `breaks`, and perhaps `inferred`, are implemented elsewhere: see `Fault`. */
export const invoiceWritingFaults = {
  'create-200': faultOnSuccess('invoice-create', `${createSection}: "Response: HTTP 201"`, (response) => {
    response.status = 200;
  }),
  'create-draft': faultOnSuccess(
    'invoice-create',
    `${createSection}: "with status pending"`,
    inData(setField('status', () => 'draft')),
  ),
  'create-message-missing': faultOnSuccess(
    'invoice-create',
    `${createSection}: "message Invoice created successfully"`,
    ({ body }) => removeFields('message')(body),
  ),
  'create-message-differs': faultOnSuccess(
    'invoice-create',
    `${createSection}: "message Invoice created successfully"`,
    ({ body }) => setField('message', () => 'Invoice created successfully.')(body),
  ),
  'create-data-array': faultOnSuccess(
    'invoice-create',
    `${createSection}: "data holding the new invoice" (an array with the invoice)`,
    wrapDataInArray,
  ),
  'create-number-missing': faultOnSuccess(
    'invoice-create',
    'States, Invoice: "invoice number is generated when not supplied"',
    inData(setField('invoice_number', () => null)),
  ),
  'create-customer-missing': faultOnSuccess(
    'invoice-create',
    `${createSection}: "list-view fields including customer and invoice_items"`,
    inData(removeFields('customer')),
  ),
  'create-items-renamed': faultOnSuccess(
    'invoice-create',
    `${createSection}: "list-view fields including customer and invoice_items" (called items)`,
    inData((invoice) => {
      invoice['items'] = invoice['invoice_items'] ?? null;
      delete invoice['invoice_items'];
    }),
  ),
  'create-date-shifted': faultOnSuccess(
    'invoice-create',
    `${createSection}: "data holding the new invoice" (its date is one day earlier)`,
    inData(setField('date', ({ date }) => dayBefore(date))),
  ),
  'create-price-truncated': faultOnSuccess(
    'invoice-create',
    `${createSection}: "unit_price | price per unit" (the response leaves out its cents)`,
    inData(
      inEachNested(
        'invoice_items',
        setField('unit_price', (line) => Math.trunc(Number(line['unit_price']))),
      ),
    ),
  ),
  'number-ignored': {
    breaks: `${createSection}: "invoice_number | auto-generated when omitted" (a supplied number is replaced)`,
  },
  'reference-not-stored': { breaks: `${createSection}: "reference | internal reference" (not stored)` },
  'notes-not-stored': {
    breaks: `${createSection}: "notes" and Invoice: "additional notes printed on the invoice" (not stored)`,
  },
  'invoice-not-stored': {
    breaks: `${createSection}: "data holding the new invoice" (the new invoice can never be read)`,
  },
  'due-before-date-accepted': { breaks: `${createSection}: "due_date … must be on or after date"` },
  'due-on-date-refused': {
    breaks: `${createSection}: "due_date … must be on or after date" (the same day is refused)`,
  },
  'unknown-customer-accepted': { breaks: `${createSection}: "customer_id | ID of an existing customer"` },
  'quantity-below-minimum-accepted': { breaks: `${createSection}: "quantity | minimum 0.01" (0.009 is accepted)` },
  'quantity-checked-only-in-last-item': {
    breaks: `${createSection}: "quantity | minimum 0.01" (a lower quantity is accepted if another item follows)`,
  },
  'quantity-minimum-refused': { breaks: `${createSection}: "quantity | minimum 0.01" (0.01 is refused)` },
  'tax-rate-default-19': { breaks: `${createSection}: "tax_rate | percentage, default 0"` },
  'past-due-date-refused': {
    breaks: `${createSection}: "due_date … must be on or after date" (a past date is refused)`,
  },
  'past-due-date-starts-overdue': {
    breaks: `${createSection}: "with status pending" (overdue if the due date has passed)`,
    inferred: true,
  },
  'second-item-price-optional': {
    breaks: `${createSection}, item: "unit_price | required" (required only in the first item)`,
  },
  'tax-rate-capped-at-25': {
    breaks: `${createSection}: "tax_rate | percentage" (a higher rate is lowered to 25)`,
  },
  'tax-rate-one-decimal': {
    breaks: `${createSection}: "tax_rate | percentage | decimal" (rounded to one decimal place)`,
  },
  'tax-rate-below-1-read-as-fraction': {
    breaks: `${createSection}: "tax_rate | percentage | decimal" (0.5 is read as 50 percent)`,
  },
  'customer-id-fraction-dropped': {
    breaks: `${createSection}: "customer_id | integer" (2.5 is truncated to 2)`,
  },
  'item-description-truncated': {
    breaks: `${createSection}, item: "description" (only its first 60 characters are stored)`,
  },
  'notes-truncated': {
    breaks: 'Invoice: "additional notes printed on the invoice" (only their first 200 characters are stored)',
  },
  'reference-apostrophe-escaped': {
    breaks: `${createSection}: "reference | internal reference" (an apostrophe is escaped for HTML)`,
  },
  'custom-number-without-punctuation': {
    breaks: `${createSection}: "invoice_number | auto-generated when omitted" (punctuation in a supplied number is replaced)`,
  },
  'generated-number-constant': {
    breaks: `${createSection}: "invoice_number | auto-generated" (once an invoice has a supplied number, all generated ones are equal)`,
    inferred: true,
  },
  'line-total-truncated': {
    breaks:
      'Line item as returned: "total | line total" (the floating-point product is truncated to cents, so 0.01 × 29 is 0.28)',
    inferred: true,
    operations: ['invoice-create'],
    change: inData(
      inEachNested(
        'invoice_items',
        setField('total', (line) => Math.floor(Number(line['quantity']) * Number(line['unit_price']) * 100) / 100),
      ),
    ),
  },
  'equal-items-merged': { breaks: `${createSection}: "items | array | at least 1 item" (equal items are merged)` },
  'create-for-newest-customer': {
    breaks: `${createSection}: "customer_id | ID of an existing customer" (always the newest customer)`,
  },
  'tax-rate-truncated': {
    breaks: `${createSection}: "tax_rate | percentage | decimal" (its decimal places are dropped)`,
  },
  'impossible-date-accepted': { breaks: `${createSection}: "date | YYYY-MM-DD" (30 February is accepted)` },
  'impossible-due-date-accepted': { breaks: `${createSection}: "due_date | YYYY-MM-DD" (30 February is accepted)` },
  'date-in-other-format-accepted': {
    breaks: `${createSection}: "date | YYYY-MM-DD" (30.01.2026 is accepted, too)`,
    inferred: true,
  },
  'customer-optional': {
    breaks: `${createSection}: "customer_id | required"`,
    makesOptional: 'invoice-create customer_id',
  },
  'date-optional': { breaks: `${createSection}: "date | required"`, makesOptional: 'invoice-create date' },
  'due-date-optional': { breaks: `${createSection}: "due_date | required"`, makesOptional: 'invoice-create due_date' },
  'items-optional': { breaks: `${createSection}: "items | at least 1 item"`, makesOptional: 'invoice-create items' },
  'item-description-optional': {
    breaks: `${createSection}, item: "description | required"`,
    makesOptional: 'invoice-create items.description',
  },
  'item-quantity-optional': {
    breaks: `${createSection}, item: "quantity | required"`,
    makesOptional: 'invoice-create items.quantity',
  },
  'item-price-optional': {
    breaks: `${createSection}, item: "unit_price | required"`,
    makesOptional: 'invoice-create items.unit_price',
  },
  'reference-required': {
    breaks: `${createSection}: "reference | string | no" (the service requires it)`,
    makesRequired: 'invoice-create reference',
  },
  'number-required': {
    breaks: `${createSection}: "invoice_number | auto-generated when omitted" (the service requires it)`,
    makesRequired: 'invoice-create invoice_number',
  },

  'reminder-message-differs': faultOnSuccess(
    'invoice-reminder',
    `${reminderSection}: "message Invoice reminder sent successfully"`,
    ({ body }) => setField('message', () => 'Reminder sent successfully')(body),
  ),
  'reminder-message-missing': faultOnSuccess(
    'invoice-reminder',
    `${reminderSection}: "message Invoice reminder sent successfully"`,
    ({ body }) => removeFields('message')(body),
  ),
  'reminder-success-missing': faultOnSuccess('invoice-reminder', `${reminderSection}: "success true"`, ({ body }) =>
    removeFields('success')(body),
  ),
  'reminder-for-overdue-refused': {
    breaks: `${reminderSection}: "for an unpaid invoice" (refused for an overdue invoice)`,
  },
  'reminder-for-paid-sent': { breaks: 'Errors: "invoice is already paid | 400"' },
  'reminder-for-paid-409': {
    breaks: 'Errors: "invoice is already paid | 400" (responds with 409)',
    operations: ['invoice-reminder'],
    change: (response) => {
      if (response.body['error'] === 'Invoice is already paid') response.status = 409;
    },
  },
  'reminder-for-paid-reworded': {
    breaks: 'Errors: "Invoice is already paid" (worded differently)',
    operations: ['invoice-reminder'],
    change: ({ body }) => {
      if (body['error'] === 'Invoice is already paid') body['error'] = 'Invoice already paid';
    },
  },
  'reminder-for-unknown-400': {
    breaks: 'Errors: "invoice does not exist | 404" (responds with 400)',
    operations: ['invoice-reminder'],
    change: (response) => {
      if (response.status === 404) response.status = 400;
    },
  },
  'reminder-for-unknown-reworded': {
    breaks: 'Errors: "Invoice not found" (worded differently)',
    operations: ['invoice-reminder'],
    change: ({ body }) => {
      if (body['error'] === 'Invoice not found') body['error'] = 'Not Found';
    },
  },
} satisfies Record<string, Fault>;
