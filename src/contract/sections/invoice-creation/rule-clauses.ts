import type { Clause, Level } from '../../engine/clause.js';
import { expectRefusal, isRecord, isRefusal, valueAt } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Violation } from '../../engine/verdict.js';
import { errorRows, newInvoiceRows, newItemRows, rowOf } from '../field-rows.js';
import { findRow } from '../paging/setups.js';
import { unknownId } from '../paging/unknown-record.js';
import { createInvoice, dayIn, itemsFor, type Row } from './setups.js';

const common = { level: 'documented', operation: 'createInvoice', spec: 'POST /invoices' } as const;

/** What is put in the place of a lawful body; undefined leaves a field out. */
type Change = (context: ClauseContext) => Row;

const item =
  (own: Row): Change =>
  (context) => ({ items: [{ ...itemsFor(context).untaxed, ...own }] });

/** Bodies that must not be admitted, and the field that is wrong in each. */
const rules: readonly (readonly [number: string, title: string, field: string, change: Change, level?: Level])[] = [
  ['01', 'An invoice without `customer_id` is refused.', 'customer_id', () => ({ customer_id: undefined })],
  ['02', 'An invoice without `date` is refused.', 'date', () => ({ date: undefined })],
  ['03', 'An invoice without `due_date` is refused.', 'due_date', () => ({ due_date: undefined })],
  ['04', 'An invoice without `items` is refused.', 'items', () => ({ items: undefined })],
  ['05', 'An item without `description` is refused.', 'description', item({ description: undefined })],
  ['06', 'An item without `quantity` is refused.', 'quantity', item({ quantity: undefined })],
  ['07', 'An item without `unit_price` is refused.', 'unit_price', item({ unit_price: undefined })],
  ['08', 'An invoice with no item is refused.', 'items', () => ({ items: [] })],
  [
    '09',
    'An invoice that is due the day before its date is refused.',
    'due_date',
    () => ({ date: dayIn(1), due_date: dayIn(0) }),
  ],
  ['10', 'An item with a quantity of 0.009 is refused.', 'quantity', item({ quantity: 0.009 })],
  ['11', 'An item with a quantity of 0 is refused.', 'quantity', item({ quantity: 0 })],
  [
    '12',
    'An invoice for a customer that does not exist is refused.',
    'customer_id',
    () => ({ customer_id: unknownId }),
  ],
  ['13', 'A `customer_id` that is no integer is refused.', 'customer_id', () => ({ customer_id: 'nobody' })],
  ['14', 'A `date` that is none is refused.', 'date', () => ({ date: 'someday' })],
  ['15', 'A `due_date` that is none is refused.', 'due_date', () => ({ due_date: 'someday' })],
  ['16', 'An item whose quantity is no decimal is refused.', 'quantity', item({ quantity: 'many' })],
  ['17', 'An item whose price is no decimal is refused.', 'unit_price', item({ unit_price: 'cheap' })],
  ['20', 'A `date` that no calendar has, 30 February, is refused.', 'date', () => ({ date: february30(-2) })],
  [
    '21',
    'A `due_date` that no calendar has, 30 February, is refused.',
    'due_date',
    () => ({ due_date: february30(2) }),
  ],
  // "`YYYY-MM-DD`": that other forms are refused is suggested, but not said.
  [
    '22',
    'A `date` that is not written as `YYYY-MM-DD` is refused.',
    'date',
    () => ({ date: dayIn(0).split('-').reverse().join('.') }),
    'inferred',
  ],
];

/** Rows of the specification by the fields of the rules: an invoice and its items have no field of one name. */
const bodyRows = { ...newInvoiceRows, ...newItemRows };

/** A day that there is in no year, so many years from now. */
function february30(years: number): string {
  return `${Number(dayIn(0).slice(0, 4)) + years}-02-30`;
}

const attempts = rules.map(([number, title, field, change, level = common.level]) => ({
  level,
  number,
  title,
  field,
  attempt: setup(`the attempt at this: ${title}`, (context) =>
    createInvoice(context, { reference: context.text(`to be refused ${number}`), ...change(context) }),
  ),
}));

/** What is refused when an invoice is created. */
export const invoiceRuleClauses: readonly Clause[] = [
  ...attempts.map(
    ({ number, level, title, field, attempt }): Clause => ({
      ...common,
      level,
      id: `INV-RULE-${number}`,
      quote: rowOf(bodyRows, field),
      title,
      check: async (context) => expectRefusal((await context.use(attempt)).exchange),
    }),
  ),
  {
    ...common,
    id: 'INV-RULE-18',
    spec: 'States and transitions',
    quote: '| (none) | POST /invoices | valid request | pending | invoice number is generated when not supplied |',
    title: 'An invoice that is refused is not created.',
    check: async (context) => {
      const refused: unknown[] = [];
      for (const { attempt } of attempts) {
        const { exchange, body } = await context.use(attempt);
        if (isRefusal(exchange)) refused.push(body['reference']);
      }
      const found = await findRow(context, '/invoices', ({ reference }) => refused.includes(reference));
      if (typeof found === 'object') {
        const reference = valueAt(found.page.json, `${found.at}.reference`);
        throw new Violation('no invoice in the list that was refused', reference, found.page);
      }
    },
  },
  {
    ...common,
    level: 'inferred',
    id: 'INV-RULE-19',
    spec: 'Errors',
    quote: errorRows.errors,
    title: '`errors`, where it is given, names the field that is refused.',
    check: async (context) => {
      for (const { field, attempt } of attempts) {
        const { exchange } = await context.use(attempt);
        const errors = valueAt(exchange.json, 'errors');
        if (!isRefusal(exchange) || !isRecord(errors)) continue;
        // How a nested field is written is open; that it is named is not.
        if (!Object.keys(errors).some((key) => key.includes(field))) {
          throw new Violation(`\`errors\` to name \`${field}\``, errors, exchange);
        }
      }
    },
  },
];
