import { numberedId } from '../../engine/clause.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldRemover,
  fieldSetter,
  isSuiteText,
  onData,
  onOverdueRecords,
  onRecords,
  type RecordChange,
  withChangedField,
} from '../../mutation/interceptors.js';
import { type Mutant, type MutantRow, mutantsOf } from '../../mutation/mutant.js';

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

/** Reverses the order of the lines of an invoice. */
export const reverseLines: RecordChange = fieldConverter('invoice_items', (lines) =>
  Array.isArray(lines) ? lines.toReversed() : lines,
);

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
    createInterceptor: (change) => onRecords('/invoices', unlessCreatedBySuite(change)),
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
    createInterceptor: onOverdueRecords,
  },
];

/** Changes that make a field of an invoice violate its clause, in the order of the clauses. */
const fieldDefects: readonly (readonly [field: string, defect: string, change: RecordChange])[] = [
  ['`id`', 'is a string', fieldConverter('id', String)],
  ['`invoice_number`', 'is missing', fieldRemover('invoice_number')],
  ['`reference`', 'is a number', fieldSetter({ reference: 5 })],
  ['`amount`', 'is an object', fieldConverter('amount', (amount) => ({ value: amount }))],
  ['`currency`', 'is a currency symbol', fieldSetter({ currency: '€' })],
  ['`status`', 'is undocumented', fieldSetter({ status: 'unpaid' })],
  ['`date`', 'is in German format', fieldSetter({ date: '01.03.2026' })],
  ['`due_date`', 'is a timestamp', fieldConverter('due_date', (date) => `${date}T00:00:00Z`)],
  ['`customer`', 'is null', fieldSetter({ customer: null })],
  ['`customer.id`', 'is a string', changeCustomer(fieldSetter({ id: 'K-1' }))],
  ['`customer.name`', 'is missing', fieldRemover('customer.name')],
  ['`customer.email`', 'is a number', changeCustomer(fieldSetter({ email: 7 }))],
  ['`invoice_items`', 'are missing', fieldRemover('invoice_items')],
  ['`description` of a line', 'is null', changeLines(fieldSetter({ description: null }))],
  ['`quantity` of a line', 'has a unit', changeLines(fieldConverter('quantity', (quantity) => `${quantity} pcs`))],
  ['`unit_price` of a line', 'is missing', changeLines(fieldRemover('unit_price'))],
  ['`tax_rate` of a line', 'is missing', changeLines(fieldRemover('tax_rate'))],
  ['`total` of a line', 'is null', changeLines(fieldSetter({ total: null }))],
];

/** Mutants of invoice fields, in every view, each with the id of the clause that must detect it. */
export const invoiceDetailMutants: readonly Mutant[] = views.flatMap(
  ({ prefix, firstNumber, companyClause, recordPhrase, createInterceptor }) =>
    mutantsOf([
      ...fieldDefects.map(
        ([field, defect, change], index): MutantRow => [
          numberedId(prefix, firstNumber + index),
          `The ${field} ${recordPhrase} ${defect}.`,
          createInterceptor(change),
        ],
      ),
      ...(companyClause === undefined ? [] : [companyClause]).map(
        (id): MutantRow => [
          id,
          `The \`customer.company\` ${recordPhrase} is an object.`,
          createInterceptor(changeCustomer(fieldSetter({ company: { name: 'Ltd' } }))),
        ],
      ),
    ]),
);
