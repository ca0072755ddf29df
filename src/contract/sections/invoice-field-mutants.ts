import { numberedId } from '../engine/clause.js';
import type { Interceptor } from '../mutation/interceptor.js';
import { fieldConverter, fieldRemover, fieldSetter, type RecordChange } from '../mutation/interceptors.js';
import type { MutantRow } from '../mutation/mutant.js';
import { changeCustomer, changeLines } from './invoice-changes.js';

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

/** Creates the mutants for the clauses of `invoiceFieldClauses` in a view of invoices. */
export function invoiceFieldMutants(view: {
  readonly prefix: string;
  /** Number of the first clause. */
  readonly firstNumber: number;
  /** Number of the clause about the customer's company. The overdue list has no such clause. */
  readonly companyClauseNumber?: number;
  /** Phrase in titles that follows the name of a field: `of a new invoice`. */
  readonly recordPhrase: string;
  readonly createInterceptor: (change: RecordChange) => Interceptor;
}): MutantRow[] {
  const { prefix, firstNumber, companyClauseNumber, recordPhrase, createInterceptor } = view;
  return [
    ...fieldDefects.map(
      ([field, defect, change], index): MutantRow => [
        numberedId(prefix, firstNumber + index),
        `The ${field} ${recordPhrase} ${defect}.`,
        createInterceptor(change),
      ],
    ),
    ...(companyClauseNumber === undefined ? [] : [companyClauseNumber]).map(
      (number): MutantRow => [
        numberedId(prefix, number),
        `The \`customer.company\` ${recordPhrase} is an object.`,
        createInterceptor(changeCustomer(fieldSetter({ company: { name: 'Ltd' } }))),
      ],
    ),
  ];
}
