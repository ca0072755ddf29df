import type { Interceptor, JsonObject } from '../../mutation/interceptor.js';
import { onOverdue, onRecord, onRows, removeField, withChangedField } from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf, numberedId } from '../../mutation/mutant.js';

/** Changes a record in place. */
export type RecordChange = (record: JsonObject) => void;

/** Returns a change that sets fields. */
export const withFields =
  (fields: JsonObject): RecordChange =>
  (record) =>
    void Object.assign(record, fields);

/** Returns a change of the customer of an invoice. */
export const changeCustomer =
  (change: RecordChange): RecordChange =>
  (record) =>
    void Object.assign(record, withChangedField(record, 'customer', change));

/** Returns a change of every line of an invoice. */
export const changeLines =
  (change: RecordChange): RecordChange =>
  (record) => {
    const items = record['invoice_items'];
    if (!Array.isArray(items)) return;
    record['invoice_items'] = items.map((item) => {
      const copy = { ...item };
      change(copy);
      return copy;
    });
  };

/** True if the suite created an invoice. */
export const isCreatedBySuite = (invoice: JsonObject): boolean => String(invoice['reference']).startsWith('contract-');

/** Restricts a change to invoices that the suite did not create, since other clauses compare those that it created. */
export const unlessCreatedBySuite =
  (change: RecordChange): RecordChange =>
  (invoice) => {
    if (!isCreatedBySuite(invoice)) change(invoice);
  };

/** Kinds of responses that contain invoices. */
const views: readonly {
  readonly prefix: string;
  /** Number of the first clause about the fields. */
  readonly firstNumber: number;
  /** Phrase in titles that follows the name of a field: `of a new invoice`. */
  readonly recordPhrase: string;
  readonly createInterceptor: (change: RecordChange) => Interceptor;
}[] = [
  {
    prefix: 'INV-CREATE',
    firstNumber: 11,
    recordPhrase: 'of a new invoice',
    createInterceptor: (change) => onRecord('POST', '/invoices', change),
  },
  {
    prefix: 'INV-LIST',
    firstNumber: 21,
    recordPhrase: 'of an older invoice in the list',
    createInterceptor: (change) => onRows('/invoices', unlessCreatedBySuite(change)),
  },
  {
    prefix: 'INV-DETAIL',
    firstNumber: 11,
    recordPhrase: 'of an invoice in the detail view',
    createInterceptor: (change) => onRecord('GET', /^\/invoices\/\d+$/, change),
  },
  {
    prefix: 'INV-OVERDUE',
    firstNumber: 11,
    recordPhrase: 'of an overdue invoice',
    createInterceptor: (change) =>
      onOverdue((rows) => {
        rows.forEach(change);
        return rows;
      }),
  },
];

/** Changes that make a field of an invoice violate its clause, in the order of the clauses. */
const wrongFields: readonly (readonly [titleFor: (where: string) => string, change: RecordChange])[] = [
  [(where) => `The \`id\` ${where} is a string.`, (invoice) => withFields({ id: String(invoice['id']) })(invoice)],
  [(where) => `The \`invoice_number\` ${where} is missing.`, (invoice) => removeField(invoice, 'invoice_number')],
  [(where) => `The \`reference\` ${where} is a number.`, withFields({ reference: 5 })],
  [
    (where) => `The \`amount\` ${where} is an object.`,
    (invoice) => withFields({ amount: { value: invoice['amount'] } })(invoice),
  ],
  [(where) => `The \`currency\` ${where} is a currency symbol.`, withFields({ currency: '€' })],
  [(where) => `The \`status\` ${where} is undocumented.`, withFields({ status: 'unpaid' })],
  [(where) => `The \`date\` ${where} is in German format.`, withFields({ date: '01.03.2026' })],
  [
    (where) => `The \`due_date\` ${where} is a time.`,
    (invoice) => withFields({ due_date: `${invoice['due_date']}T00:00:00Z` })(invoice),
  ],
  [(where) => `The \`customer\` ${where} is null.`, withFields({ customer: null })],
  [(where) => `The \`customer.id\` ${where} is a string.`, changeCustomer(withFields({ id: 'K-1' }))],
  [
    (where) => `The \`customer.name\` ${where} is missing.`,
    changeCustomer((customer) => removeField(customer, 'name')),
  ],
  [(where) => `The \`customer.email\` ${where} is a number.`, changeCustomer(withFields({ email: 7 }))],
  [(where) => `The \`invoice_items\` ${where} are missing.`, (invoice) => removeField(invoice, 'invoice_items')],
  [(where) => `The \`description\` of a line ${where} is null.`, changeLines(withFields({ description: null }))],
  [
    (where) => `The \`quantity\` of a line ${where} has a unit.`,
    changeLines((line) => withFields({ quantity: `${line['quantity']} pcs` })(line)),
  ],
  [
    (where) => `The \`unit_price\` of a line ${where} is missing.`,
    changeLines((line) => removeField(line, 'unit_price')),
  ],
  [(where) => `The \`tax_rate\` of a line ${where} is missing.`, changeLines((line) => removeField(line, 'tax_rate'))],
  [(where) => `The \`total\` of a line ${where} is null.`, changeLines(withFields({ total: null }))],
];

/** Mutants of invoice fields, in every view. */
export const invoiceFieldMutants: readonly Mutant[] = views.flatMap(
  ({ prefix, firstNumber, recordPhrase, createInterceptor }) =>
    mutantsOf(
      wrongFields.map(
        ([titleFor, change], index): MutantRow => [
          numberedId(prefix, firstNumber + index),
          titleFor(recordPhrase),
          () => createInterceptor(change),
        ],
      ),
    ),
);
