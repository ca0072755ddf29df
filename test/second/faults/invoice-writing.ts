import type { Json } from '../json.js';
import { type Fault, inData, inEachNested, onSuccess, removeFields, setField } from './fault.js';

const create = 'POST /invoices';
const reminder = 'POST /invoices/{invoice}/reminder';

const dayBefore = (day: Json | undefined): string =>
  new Date(Date.parse(String(day)) - 86_400_000).toISOString().slice(0, 10);

export const writingFaults = {
  'create-200': onSuccess('invoice-create', `${create}: "Response: HTTP 201"`, (response) => {
    response.status = 200;
  }),
  'create-draft': onSuccess(
    'invoice-create',
    `${create}: "with status pending"`,
    inData(setField('status', () => 'draft')),
  ),
  'create-message-missing': onSuccess(
    'invoice-create',
    `${create}: "message Invoice created successfully"`,
    ({ body }) => removeFields('message')(body),
  ),
  'create-message-differs': onSuccess(
    'invoice-create',
    `${create}: "message Invoice created successfully"`,
    ({ body }) => setField('message', () => 'Invoice created successfully.')(body),
  ),
  'create-number-missing': onSuccess(
    'invoice-create',
    'States, Invoice: "invoice number is generated when not supplied"',
    inData(setField('invoice_number', () => null)),
  ),
  'create-customer-missing': onSuccess(
    'invoice-create',
    `${create}: "list-view fields including customer and invoice_items"`,
    inData(removeFields('customer')),
  ),
  'create-items-renamed': onSuccess(
    'invoice-create',
    `${create}: "list-view fields including customer and invoice_items" (called items)`,
    inData((invoice) => {
      invoice['items'] = invoice['invoice_items'] ?? null;
      delete invoice['invoice_items'];
    }),
  ),
  'create-date-shifted': onSuccess(
    'invoice-create',
    `${create}: "data holding the new invoice" (its date is one day earlier)`,
    inData(setField('date', ({ date }) => dayBefore(date))),
  ),
  'create-price-rounded': onSuccess(
    'invoice-create',
    `${create}: "unit_price | price per unit" (comes back without its cents)`,
    inData(
      inEachNested(
        'invoice_items',
        setField('unit_price', (line) => Math.trunc(Number(line['unit_price']))),
      ),
    ),
  ),
  'number-ignored': {
    breaks: `${create}: "invoice_number | auto-generated when omitted" (a supplied number is replaced)`,
  },
  'reference-not-stored': { breaks: `${create}: "reference | internal reference" (not stored)` },
  'notes-not-stored': {
    breaks: `${create}: "notes" and Invoice: "additional notes printed on the invoice" (not stored)`,
  },
  'invoice-not-stored': { breaks: `${create}: "data holding the new invoice" (which can never be read)` },
  'due-before-date-accepted': { breaks: `${create}: "due_date … must be on or after date"` },
  'due-on-date-refused': { breaks: `${create}: "due_date … must be on or after date" (the same day is refused)` },
  'unknown-customer-accepted': { breaks: `${create}: "customer_id | ID of an existing customer"` },
  'quantity-below-minimum': { breaks: `${create}: "quantity | minimum 0.01" (0.009 is accepted)` },
  'quantity-minimum-refused': { breaks: `${create}: "quantity | minimum 0.01" (0.01 is refused)` },
  'tax-rate-default-19': { breaks: `${create}: "tax_rate | percentage, default 0"` },
  'past-due-date-refused': { breaks: `${create}: "due_date … must be on or after date" (a past date is refused)` },
  'past-due-date-overdue': {
    breaks: `${create}: "with status pending" (overdue if the due date is past)`,
    inferred: true,
  },
  'equal-items-merged': { breaks: `${create}: "items | array | at least 1 item" (equal items are merged)` },
  'create-for-newest-customer': {
    breaks: `${create}: "customer_id | ID of an existing customer" (always the newest customer)`,
  },
  'tax-rate-truncated': { breaks: `${create}: "tax_rate | percentage | decimal" (its decimals are dropped)` },
  'impossible-date-accepted': { breaks: `${create}: "date | YYYY-MM-DD" (30 February is accepted)` },
  'impossible-due-date-accepted': { breaks: `${create}: "due_date | YYYY-MM-DD" (30 February is accepted)` },
  'date-in-other-format-accepted': {
    breaks: `${create}: "date | YYYY-MM-DD" (30.01.2026 is accepted, too)`,
    inferred: true,
  },
  'customer-optional': { breaks: `${create}: "customer_id | required"`, makesOptional: 'invoice-create customer_id' },
  'date-optional': { breaks: `${create}: "date | required"`, makesOptional: 'invoice-create date' },
  'due-date-optional': { breaks: `${create}: "due_date | required"`, makesOptional: 'invoice-create due_date' },
  'items-optional': { breaks: `${create}: "items | at least 1 item"`, makesOptional: 'invoice-create items' },
  'item-description-optional': {
    breaks: `${create}, item: "description | required"`,
    makesOptional: 'invoice-create items.description',
  },
  'item-quantity-optional': {
    breaks: `${create}, item: "quantity | required"`,
    makesOptional: 'invoice-create items.quantity',
  },
  'item-price-optional': {
    breaks: `${create}, item: "unit_price | required"`,
    makesOptional: 'invoice-create items.unit_price',
  },
  'reference-required': {
    breaks: `${create}: "reference | no (not required)"`,
    makesRequired: 'invoice-create reference',
  },
  'number-required': {
    breaks: `${create}: "invoice_number | auto-generated when omitted"`,
    makesRequired: 'invoice-create invoice_number',
  },

  'reminder-message-differs': onSuccess(
    'invoice-reminder',
    `${reminder}: "message Invoice reminder sent successfully"`,
    ({ body }) => setField('message', () => 'Reminder sent successfully')(body),
  ),
  'reminder-message-missing': onSuccess(
    'invoice-reminder',
    `${reminder}: "message Invoice reminder sent successfully"`,
    ({ body }) => removeFields('message')(body),
  ),
  'reminder-success-missing': onSuccess('invoice-reminder', `${reminder}: "success true"`, ({ body }) =>
    removeFields('success')(body),
  ),
  'reminder-of-overdue-refused': { breaks: `${reminder}: "for an unpaid invoice" (refused for an overdue invoice)` },
  'reminder-of-paid-sent': { breaks: 'Errors: "invoice is already paid | 400"' },
  'reminder-of-paid-409': {
    breaks: 'Errors: "invoice is already paid | 400" (409)',
    on: ['invoice-reminder'],
    change: (response) => {
      if (response.body['error'] === 'Invoice is already paid') response.status = 409;
    },
  },
  'reminder-of-paid-reworded': {
    breaks: 'Errors: "Invoice is already paid" (worded differently)',
    on: ['invoice-reminder'],
    change: ({ body }) => {
      if (body['error'] === 'Invoice is already paid') body['error'] = 'Invoice already paid';
    },
  },
  'reminder-of-unknown-400': {
    breaks: 'Errors: "invoice does not exist | 404" (400)',
    on: ['invoice-reminder'],
    change: (response) => {
      if (response.status === 404) response.status = 400;
    },
  },
  'reminder-of-unknown-reworded': {
    breaks: 'Errors: "Invoice not found" (worded differently)',
    on: ['invoice-reminder'],
    change: ({ body }) => {
      if (body['error'] === 'Invoice not found') body['error'] = 'Not Found';
    },
  },
} satisfies Record<string, Fault>;
