import type { Interceptor, Json } from '../../mutation/interceptor.js';
import { changed, onOverdue, onRecord, onRows, removeField } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf, numbered, type Row } from '../../mutation/mutant.js';

export type Change = (record: Json) => void;

export const withFields =
  (fields: Json): Change =>
  (record) =>
    void Object.assign(record, fields);

export const customer =
  (change: Change): Change =>
  (record) =>
    void Object.assign(record, changed(record, 'customer', change));

export const lines =
  (change: Change): Change =>
  (record) => {
    const items = record['invoice_items'];
    if (!Array.isArray(items)) return;
    record['invoice_items'] = items.map((item) => {
      const copy = { ...item };
      change(copy);
      return copy;
    });
  };

/** Whether the suite created an invoice. */
export const isOwn = (invoice: Json): boolean => String(invoice['reference']).startsWith('contract-');

/** Changes only invoices that existed before: other clauses compare the suite's own. */
export const ofOtherRecords =
  (change: Change): Change =>
  (invoice) => {
    if (!isOwn(invoice)) change(invoice);
  };

/** Responses with invoices, and how to change the invoices in them. */
const views: readonly {
  readonly prefix: string;
  readonly from: number;
  readonly where: string;
  readonly on: (change: Change) => Interceptor;
}[] = [
  { prefix: 'INV-CREATE', from: 11, where: 'of a new invoice', on: (change) => onRecord('POST', '/invoices', change) },
  {
    prefix: 'INV-LIST',
    from: 21,
    where: 'of an older invoice in the list',
    on: (change) => onRows('/invoices', ofOtherRecords(change)),
  },
  {
    prefix: 'INV-DETAIL',
    from: 11,
    where: 'of an invoice in the detail view',
    on: (change) => onRecord('GET', /^\/invoices\/\d+$/, change),
  },
  {
    prefix: 'INV-OVERDUE',
    from: 11,
    where: 'of an overdue invoice',
    on: (change) =>
      onOverdue((rows) => {
        rows.forEach(change);
        return rows;
      }),
  },
];

/** Mutants of invoice fields, in the order of their clauses. */
const wrongFields: readonly (readonly [what: (where: string) => string, change: Change])[] = [
  [(where) => `The \`id\` ${where} is a text.`, (invoice) => withFields({ id: String(invoice['id']) })(invoice)],
  [(where) => `The \`invoice_number\` ${where} is missing.`, (invoice) => removeField(invoice, 'invoice_number')],
  [(where) => `The \`reference\` ${where} is a number.`, withFields({ reference: 5 })],
  [
    (where) => `The \`amount\` ${where} is an object.`,
    (invoice) => withFields({ amount: { value: invoice['amount'] } })(invoice),
  ],
  [(where) => `The \`currency\` ${where} is a sign.`, withFields({ currency: '€' })],
  [(where) => `The \`status\` ${where} is none of those listed.`, withFields({ status: 'unpaid' })],
  [(where) => `The \`date\` ${where} is in German format.`, withFields({ date: '01.03.2026' })],
  [
    (where) => `The \`due_date\` ${where} is a time.`,
    (invoice) => withFields({ due_date: `${invoice['due_date']}T00:00:00Z` })(invoice),
  ],
  [(where) => `The \`customer\` ${where} is null.`, withFields({ customer: null })],
  [(where) => `The \`customer.id\` ${where} is a text.`, customer(withFields({ id: 'K-1' }))],
  [(where) => `The \`customer.name\` ${where} is missing.`, customer((one) => removeField(one, 'name'))],
  [(where) => `The \`customer.email\` ${where} is a number.`, customer(withFields({ email: 7 }))],
  [(where) => `The \`invoice_items\` ${where} are missing.`, (invoice) => removeField(invoice, 'invoice_items')],
  [(where) => `The \`description\` of a line ${where} is null.`, lines(withFields({ description: null }))],
  [
    (where) => `The \`quantity\` of a line ${where} has a unit.`,
    lines((line) => withFields({ quantity: `${line['quantity']} pcs` })(line)),
  ],
  [(where) => `The \`unit_price\` of a line ${where} is missing.`, lines((line) => removeField(line, 'unit_price'))],
  [(where) => `The \`tax_rate\` of a line ${where} is missing.`, lines((line) => removeField(line, 'tax_rate'))],
  [(where) => `The \`total\` of a line ${where} is null.`, lines(withFields({ total: null }))],
];

/** Mutants of invoice fields, in every view. */
export const invoiceFieldMutants: readonly Mutant[] = views.flatMap(({ prefix, from, where, on }) =>
  mutantsOf(
    wrongFields.map(([what, change], index): Row => [numbered(prefix, from + index), what(where), () => on(change)]),
  ),
);
