import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  isSuiteText,
  onData,
  onOverdue,
  onRows,
  removeField,
  setFields,
  withChangedField,
} from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf, numberedId } from '../../mutation/mutant.js';

/** Changes a record in place. */
export type RecordChange = (record: JsonObject) => void;

/** Returns a function that sets fields of a record. */
export const changeFields =
  (fields: JsonObject): RecordChange =>
  (record) =>
    void Object.assign(record, fields);

/** Returns a function that applies a change to the customer of an invoice. */
export const changeCustomer =
  (change: RecordChange): RecordChange =>
  (record) =>
    void Object.assign(record, withChangedField(record, 'customer', change));

/** Returns a function that applies a change to every line of an invoice. */
export const changeLines =
  (change: RecordChange): RecordChange =>
  (record) => {
    const lines = record['invoice_items'];
    if (!Array.isArray(lines)) return;
    record['invoice_items'] = lines.map((line) => {
      const copy = { ...line };
      change(copy);
      return copy;
    });
  };

export const isCreatedBySuite = ({ reference }: JsonObject): boolean => isSuiteText(reference);

/**
 * Restricts a change to invoices that the suite did not create, because clauses compare the suite's own with what was
 * sent.
 */
export const unlessCreatedBySuite =
  (change: RecordChange): RecordChange =>
  (invoice) => {
    if (!isCreatedBySuite(invoice)) change(invoice);
  };

/** The kinds of responses that contain invoices. For each, every field has a clause. */
const views: readonly {
  readonly prefix: string;
  /** Number of the clause about the first field. */
  readonly firstNumber: number;
  /** Id of the clause about the customer's company. */
  readonly companyClause?: string;
  /** Phrase in titles that follows the name of a field: `of a new invoice`. */
  readonly recordPhrase: string;
  readonly createInterceptor: (change: RecordChange) => Interceptor;
}[] = [
  {
    prefix: 'INV-CREATE',
    firstNumber: 11,
    companyClause: 'INV-CREATE-40',
    recordPhrase: 'of a new invoice',
    createInterceptor: (change) => onData('POST', '/invoices', change),
  },
  {
    prefix: 'INV-LIST',
    firstNumber: 21,
    companyClause: 'INV-LIST-50',
    recordPhrase: 'of an older invoice in the list',
    createInterceptor: (change) => onRows('/invoices', unlessCreatedBySuite(change)),
  },
  {
    prefix: 'INV-DETAIL',
    firstNumber: 11,
    companyClause: 'INV-DETAIL-50',
    recordPhrase: 'of an invoice in the detail view',
    createInterceptor: (change) => onData('GET', /^\/invoices\/\d+$/, change),
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
const fieldDefects: readonly (readonly [titleFor: (recordPhrase: string) => string, change: RecordChange])[] = [
  [
    (recordPhrase) => `The \`id\` ${recordPhrase} is a string.`,
    (invoice) => setFields(invoice, { id: String(invoice['id']) }),
  ],
  [
    (recordPhrase) => `The \`invoice_number\` ${recordPhrase} is missing.`,
    (invoice) => removeField(invoice, 'invoice_number'),
  ],
  [(recordPhrase) => `The \`reference\` ${recordPhrase} is a number.`, changeFields({ reference: 5 })],
  [
    (recordPhrase) => `The \`amount\` ${recordPhrase} is an object.`,
    (invoice) => setFields(invoice, { amount: { value: invoice['amount'] } }),
  ],
  [(recordPhrase) => `The \`currency\` ${recordPhrase} is a currency symbol.`, changeFields({ currency: '€' })],
  [(recordPhrase) => `The \`status\` ${recordPhrase} is undocumented.`, changeFields({ status: 'unpaid' })],
  [(recordPhrase) => `The \`date\` ${recordPhrase} is in German format.`, changeFields({ date: '01.03.2026' })],
  [
    (recordPhrase) => `The \`due_date\` ${recordPhrase} is a timestamp.`,
    (invoice) => setFields(invoice, { due_date: `${invoice['due_date']}T00:00:00Z` }),
  ],
  [(recordPhrase) => `The \`customer\` ${recordPhrase} is null.`, changeFields({ customer: null })],
  [(recordPhrase) => `The \`customer.id\` ${recordPhrase} is a string.`, changeCustomer(changeFields({ id: 'K-1' }))],
  [
    (recordPhrase) => `The \`customer.name\` ${recordPhrase} is missing.`,
    changeCustomer((customer) => removeField(customer, 'name')),
  ],
  [(recordPhrase) => `The \`customer.email\` ${recordPhrase} is a number.`, changeCustomer(changeFields({ email: 7 }))],
  [
    (recordPhrase) => `The \`invoice_items\` ${recordPhrase} are missing.`,
    (invoice) => removeField(invoice, 'invoice_items'),
  ],
  [
    (recordPhrase) => `The \`description\` of a line ${recordPhrase} is null.`,
    changeLines(changeFields({ description: null })),
  ],
  [
    (recordPhrase) => `The \`quantity\` of a line ${recordPhrase} has a unit.`,
    changeLines((line) => setFields(line, { quantity: `${line['quantity']} pcs` })),
  ],
  [
    (recordPhrase) => `The \`unit_price\` of a line ${recordPhrase} is missing.`,
    changeLines((line) => removeField(line, 'unit_price')),
  ],
  [
    (recordPhrase) => `The \`tax_rate\` of a line ${recordPhrase} is missing.`,
    changeLines((line) => removeField(line, 'tax_rate')),
  ],
  [(recordPhrase) => `The \`total\` of a line ${recordPhrase} is null.`, changeLines(changeFields({ total: null }))],
];

/** Mutants of invoice fields, in every view, each with the id of the clause that must detect it. */
export const invoiceDetailMutants: readonly Mutant[] = views.flatMap(
  ({ prefix, firstNumber, companyClause, recordPhrase, createInterceptor }) =>
    mutantsOf([
      ...fieldDefects.map(
        ([titleFor, change], index): MutantRow => [
          numberedId(prefix, firstNumber + index),
          titleFor(recordPhrase),
          () => createInterceptor(change),
        ],
      ),
      ...(companyClause === undefined ? [] : [companyClause]).map(
        (id): MutantRow => [
          id,
          `The \`customer.company\` ${recordPhrase} is an object.`,
          () => createInterceptor(changeCustomer(changeFields({ company: { name: 'Ltd' } }))),
        ],
      ),
    ]),
);
