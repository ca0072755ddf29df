import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../generated/billing-document.js';
import { Blocked, Violation } from '../engine/check-errors.js';
import type { Clause } from '../engine/clause.js';
import {
  aCurrency,
  aDate,
  aDecimal,
  anArray,
  anInteger,
  anObject,
  aString,
  decimalOf,
  type Matcher,
  nonEmptyString,
  oneOf,
  orAbsent,
  recordsAt,
  valueAt,
} from '../engine/expect.js';
import type { JsonObject } from '../engine/json.js';
import type { Setup } from '../engine/session.js';
import { amountTolerance } from '../predicates/amounts.js';
import type { Heading } from '../report/headings.js';
import type { CreatedRecord, Creation } from './created-records.js';
import { invoiceQuotes, lineQuotes } from './field-quotes.js';
import { allRecords, elementsAt, type FindRecords, fieldClauses, fieldOf, type RecordLocation } from './fields.js';
import { expectFieldEquals, expectSameText, isSameText } from './same-values.js';

type Field = readonly [field: string, matcher: Matcher];

/** Statuses of invoices; they are listed under States and transitions in the specification. */
const statuses = oneOf('draft', 'pending', 'sent', 'viewed', 'paid', 'partial', 'overdue', 'cancelled');

/**
 * Fields of an invoice in every view, in the order of their clause ids. The numbers continue with `lineFields`, and
 * then with other clauses, so a field added to either list would change ids, or take one that is in use. A new field
 * needs a separate clause.
 */
const fields: readonly Field[] = [
  ['id', anInteger],
  ['invoice_number', nonEmptyString],
  ['reference', orAbsent(aString)],
  ['amount', aDecimal],
  ['currency', aCurrency],
  ['status', statuses],
  ['date', aDate],
  ['due_date', aDate],
  ['customer', anObject],
  ['customer.id', anInteger],
  ['customer.name', aString],
  // The specification does not state that every customer of an invoice has an email address.
  ['customer.email', orAbsent(aString)],
  ['invoice_items', anArray],
];

/** Fields of a line of an invoice, in the order of their clause ids. */
const lineFields: readonly Field[] = [
  ['description', aString],
  ['quantity', aDecimal],
  ['unit_price', aDecimal],
  ['tax_rate', aDecimal],
  ['total', aDecimal],
];

/** Numbers fields consecutively, and returns them keyed by the two-digit numbers that end their clause ids. */
export function fieldsByClauseNumber(firstNumber: number, list: readonly Field[]): Record<string, Field> {
  return Object.fromEntries(list.map((field, index) => [String(firstNumber + index).padStart(2, '0'), field]));
}

/** Creates a clause for each field that invoices and their lines have in every view. */
export function invoiceFieldClauses(common: {
  readonly prefix: string;
  /** Number of the first clause. */
  readonly firstNumber: number;
  /** Number of the clause about the customer's company. The overdue list has no such clause. */
  readonly companyClauseNumber?: number;
  readonly operation: OperationId;
  readonly spec: Heading;
  /** Name of the record in titles: `a new invoice`. */
  readonly recordName: string;
  readonly location: Setup<RecordLocation | readonly RecordLocation[]>;
}): Clause[] {
  const { firstNumber, companyClauseNumber, location, ...shared } = common;
  const findInvoices = allRecords(shared.operation, location);
  return [
    ...fieldClauses({
      ...shared,
      quotes: invoiceQuotes,
      records: findInvoices,
      fields: {
        ...fieldsByClauseNumber(firstNumber, fields),
        ...(companyClauseNumber !== undefined && { [companyClauseNumber]: ['customer.company', orAbsent(aString)] }),
      },
    }),
    ...fieldClauses({
      ...shared,
      quotes: lineQuotes,
      recordName: `a line of ${shared.recordName}`,
      records: linesOf(findInvoices),
      fields: fieldsByClauseNumber(firstNumber + fields.length, lineFields),
    }),
  ];
}

/** Creates a function that finds all lines of some invoices, and throws Blocked if they have none. */
function linesOf(findInvoices: FindRecords): FindRecords {
  return async (context) => {
    const invoices = await findInvoices(context);
    const lines = invoices.flatMap(({ exchange, path }) => elementsAt(exchange, `${path}.invoice_items`));
    if (lines.length === 0) throw new Blocked('the invoices have no `invoice_items`');
    return lines;
  };
}

/** @throws Violation unless the customer, reference, dates and number of an invoice are as they were sent */
export function expectFieldsAsSent(location: RecordLocation, { body }: Creation): void {
  if (body['customer_id'] !== undefined) expectFieldEquals(location, 'customer.id', body['customer_id']);
  for (const field of ['reference', 'date', 'due_date', 'invoice_number'])
    if (body[field] !== undefined) expectSameText(location, field, body[field]);
}

/** Tax rate of an item without `tax_rate`. */
const defaultTaxRate = 0;

/** @throws Violation unless the lines of an invoice are those that were sent to create it, in any order */
export function expectLinesAsSent({ exchange, path }: RecordLocation, { body }: Creation): void {
  const sent = recordsAt(body, 'items');
  const got = recordsAt(exchange.json, `${path}.invoice_items`);
  if (got.length !== sent.length) {
    throw new Violation(`\`${path}.invoice_items\` to have ${sent.length} lines`, `${got.length}`, exchange);
  }
  // Items may be equal, so each line is matched only once.
  const remaining = [...got.entries()];
  for (const item of sent) {
    const position = remaining.findIndex(([, line]) => isSameText(line['description'], item['description']));
    const [found] = position === -1 ? [] : remaining.splice(position, 1);
    if (!found) throw new Violation(`a line with the description ${item['description']}`, got, exchange);
    const line = { exchange, path: `${path}.invoice_items.${found[0]}` };
    for (const field of ['quantity', 'unit_price']) expectFieldEquals(line, field, item[field]);
    expectFieldEquals(line, 'tax_rate', item['tax_rate'] ?? defaultTaxRate);
  }
}

/** @throws Violation unless the lines of an invoice are in the order of the items that were sent to create it */
export function expectLinesInOrder({ exchange, path }: RecordLocation, { body }: Creation): void {
  const descriptionsOf = (lines: readonly JsonObject[]): string[] =>
    lines.map(({ description }) => String(description).normalize());
  const sent = descriptionsOf(recordsAt(body, 'items'));
  const got = descriptionsOf(recordsAt(exchange.json, `${path}.invoice_items`));
  // Other clauses check that the lines are those that were sent.
  if (!isDeepStrictEqual(got.toSorted(), sent.toSorted()))
    throw new Blocked('the descriptions of the lines are not those of the items', exchange);
  if (!isDeepStrictEqual(got, sent))
    throw new Violation(
      `\`${path}.invoice_items\` in the order of the items, ${sent.join(', ')}`,
      got.join(', '),
      exchange,
    );
}

/** @throws Violation unless the number, amount and currency of an invoice are those of the response to its creation */
export function expectFieldsAsReturned(location: RecordLocation, { record }: CreatedRecord): void {
  const { invoice_number: number } = record;
  // Another clause is about a number that is not a string. A string is compared as such: `007` is not the number `7`.
  if (typeof number === 'string') expectSameText(location, 'invoice_number', number);
  for (const field of ['amount', 'currency']) expectFieldEquals(location, field, record[field]);
}

/** Maximum difference between a line's totals in two views, of which one may have been rounded: a cent. */
const lineTotalTolerance = 0.01 + amountTolerance;

/** @throws Violation unless the lines of an invoice have the totals of the response to its creation, in any order */
export function expectLineTotalsAsReturned({ exchange, path }: RecordLocation, { record }: CreatedRecord): void {
  const totalsIn = (lines: readonly JsonObject[]): number[] =>
    lines.map(({ total }) => decimalOf(total) ?? Number.NaN).sort((a, b) => a - b);
  const expected = totalsIn(recordsAt(record, 'invoice_items'));
  const got = totalsIn(recordsAt(exchange.json, `${path}.invoice_items`));
  // Other clauses check the number of lines, and that each has a total.
  if (expected.length === 0 || expected.length !== got.length || [...expected, ...got].includes(Number.NaN))
    throw new Blocked('a line or its `total` is missing', exchange);
  if (expected.some((total, index) => Math.abs(total - (got[index] ?? Number.NaN)) > lineTotalTolerance))
    throw new Violation(`lines of \`${path}\` with the totals ${expected.join(', ')}, as at creation`, got, exchange);
}

/**
 * Checks that two views of an invoice show the same customer. Only texts are compared, because a value that was never
 * given may be null in one view and omitted in the other.
 * @param other the invoice in another view
 * @throws Violation if one of these fields of the customer has a text in `other` that differs in this view
 */
export function expectSameCustomer(location: RecordLocation, other: unknown, fields: readonly string[]): void {
  for (const field of fields) {
    const value = valueAt(other, `customer.${field}`);
    if (typeof value === 'string' && value !== '') expectFieldEquals(location, `customer.${field}`, value);
  }
}

/** Customer fields that only the detail view has. */
export const detailOnlyCustomerFields = ['phone', 'address', 'city', 'postal_code', 'country'] as const;

/**
 * @param fields customer fields that this view omits
 * @throws Violation if the customer of an invoice has one of them
 */
export function expectNoCustomerFields(
  location: RecordLocation,
  fields: readonly string[] = detailOnlyCustomerFields,
): void {
  for (const field of fields) {
    const got = fieldOf(location, `customer.${field}`);
    if (got !== undefined)
      throw new Violation(
        `no \`${location.path}.customer.${field}\`: it is only in the detail view`,
        got,
        location.exchange,
      );
  }
}
