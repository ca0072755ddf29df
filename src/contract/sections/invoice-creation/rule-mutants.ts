import { isRecord } from '../../../lib/json.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import { combine, isRefused, onData, onList, onResponse, replaceWithSuccess } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { hasItem, isCreation, itemsOf } from './creation-requests.js';

/** Accepts a request to create an invoice if its (invalid) body is selected. */
const acceptBody = (isSelected: (body: JsonObject) => boolean): Interceptor =>
  onResponse((request) => isCreation(request) && isSelected(request.body), replaceWithSuccess);

/** Lists of up to this many records stay unchanged: the clauses about paging compare them, and must still pass. */
const maxComparedRecords = 4;

/** True if a value is in the format `YYYY-MM-DD`. */
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** Makes a refused invoice seem to exist: the last invoice on a page shows its reference. */
function showRefusedInvoiceInList(): Interceptor {
  let reference: unknown;
  return combine(
    onResponse(isCreation, (response, { body }) => {
      if (isRefused(response)) reference ??= body['reference'];
    }),
    onList('/invoices', (records) =>
      records.length > maxComparedRecords && reference !== undefined
        ? [...records.slice(0, -1), { ...records.at(-1), reference }]
        : records,
    ),
  );
}

const isFebruary30 = (value: unknown): boolean => /-02-30$/.test(String(value));

/** Mutants for the clauses about invalid requests to create an invoice (INV-RULE). */
export const invoiceRuleMutants: readonly MutantRow[] = [
  [
    'INV-RULE-01',
    'An invoice without a customer is accepted.',
    acceptBody(({ customer_id }) => customer_id === undefined),
  ],
  ['INV-RULE-02', 'An invoice without a date is accepted.', acceptBody(({ date }) => date === undefined)],
  ['INV-RULE-03', 'An invoice without a due date is accepted.', acceptBody(({ due_date }) => due_date === undefined)],
  ['INV-RULE-04', 'An invoice without `items` is accepted.', acceptBody(({ items }) => items === undefined)],
  [
    'INV-RULE-05',
    'An item without a description is accepted.',
    acceptBody(hasItem(({ description }) => description === undefined)),
  ],
  [
    'INV-RULE-06',
    'An item without a quantity is accepted.',
    acceptBody(hasItem(({ quantity }) => quantity === undefined)),
  ],
  [
    'INV-RULE-07',
    'An item without a price is accepted.',
    acceptBody(hasItem(({ unit_price }) => unit_price === undefined)),
  ],
  [
    'INV-RULE-08',
    'An empty list of items is accepted.',
    acceptBody(({ items }) => Array.isArray(items) && items.length === 0),
  ],
  [
    'INV-RULE-09',
    'A due date before the date of the invoice is accepted.',
    acceptBody(({ date, due_date }) => isDate(date) && isDate(due_date) && due_date < date),
  ],
  [
    'INV-RULE-46',
    'Only the years of the two dates are compared.',
    acceptBody(
      ({ date, due_date }) =>
        isDate(date) && isDate(due_date) && due_date < date && due_date.slice(0, 4) === date.slice(0, 4),
    ),
  ],
  ['INV-RULE-10', 'A quantity of 0.009 is accepted.', acceptBody(hasItem(({ quantity }) => quantity === 0.009))],
  [
    'INV-RULE-11',
    'Only the quantity of the first item is checked.',
    acceptBody((body) => itemsOf(body).some(({ quantity }, index) => index > 0 && Number(quantity) < 0.01)),
  ],
  [
    'INV-RULE-12',
    'An invoice for a customer that does not exist is accepted.',
    acceptBody(({ customer_id }) => Number(customer_id) > 1_000_000),
  ],
  [
    'INV-RULE-13',
    'The fraction of the id of a customer is ignored.',
    acceptBody(({ customer_id }) => typeof customer_id === 'number' && !Number.isInteger(customer_id)),
  ],
  ['INV-RULE-14', 'A word is accepted as a date.', acceptBody(({ date }) => date === 'someday')],
  ['INV-RULE-15', 'A word is accepted as a due date.', acceptBody(({ due_date }) => due_date === 'someday')],
  ['INV-RULE-16', 'A word is accepted as a quantity.', acceptBody(hasItem(({ quantity }) => quantity === 'many'))],
  ['INV-RULE-17', 'A word is accepted as a price.', acceptBody(hasItem(({ unit_price }) => unit_price === 'cheap'))],
  ['INV-RULE-20', 'A date of 30 February is accepted.', acceptBody(({ date }) => isFebruary30(date))],
  ['INV-RULE-21', 'A due date of 30 February is accepted.', acceptBody(({ due_date }) => isFebruary30(due_date))],
  [
    'INV-RULE-22',
    'A date in German format is accepted.',
    acceptBody(({ date }) => /^\d\d\.\d\d\.\d{4}$/.test(String(date))),
  ],
  [
    'INV-RULE-23',
    'A word is accepted as a tax rate.',
    acceptBody(hasItem(({ tax_rate }) => typeof tax_rate === 'string')),
  ],
  ['INV-RULE-24', 'A single item is accepted as `items`.', acceptBody(({ items }) => isRecord(items))],
  ['INV-RULE-25', 'A negative quantity is accepted.', acceptBody(hasItem(({ quantity }) => Number(quantity) < 0))],
  ['INV-RULE-26', 'An object is accepted as `notes`.', acceptBody(({ notes }) => isRecord(notes))],
  ['INV-RULE-27', 'Null is accepted as a date.', acceptBody(({ date }) => date === null)],
  ['INV-RULE-28', 'Null is accepted as a due date.', acceptBody(({ due_date }) => due_date === null)],
  ['INV-RULE-29', 'Null is accepted as a price.', acceptBody(hasItem(({ unit_price }) => unit_price === null))],
  [
    'INV-RULE-30',
    'Null is accepted as the description of an item.',
    acceptBody(hasItem(({ description }) => description === null)),
  ],
  ['INV-RULE-35', 'Null is accepted as a customer.', acceptBody(({ customer_id }) => customer_id === null)],
  ['INV-RULE-36', 'Null is accepted as a quantity.', acceptBody(hasItem(({ quantity }) => quantity === null))],
  ['INV-RULE-31', 'A date of 31 April is accepted.', acceptBody(({ date }) => /-04-31$/.test(String(date)))],
  [
    'INV-RULE-32',
    'February has 29 days in every year.',
    acceptBody(({ due_date }) => /-02-29$/.test(String(due_date))),
  ],
  [
    'INV-RULE-33',
    'An empty string is accepted as a price.',
    acceptBody(hasItem(({ unit_price }) => unit_price === '')),
  ],
  [
    'INV-RULE-34',
    'A due date in German format is accepted.',
    acceptBody(({ due_date }) => /^\d\d\.\d\d\.\d{4}$/.test(String(due_date))),
  ],
  ['INV-RULE-37', 'Null is accepted as `items`.', acceptBody(({ items }) => items === null)],
  [
    'INV-RULE-38',
    'Texts among the items are ignored.',
    acceptBody(hasItem((item: unknown) => typeof item === 'string')),
  ],
  ['INV-RULE-39', 'An empty string is accepted as a date.', acceptBody(({ date }) => date === '')],
  ['INV-RULE-40', 'An empty string is accepted as a due date.', acceptBody(({ due_date }) => due_date === '')],
  [
    'INV-RULE-41',
    'An empty string is accepted as the description of an item.',
    acceptBody(hasItem(({ description }) => description === '')),
  ],
  ['INV-RULE-42', 'A number is accepted as a date.', acceptBody(({ date }) => typeof date === 'number')],
  ['INV-RULE-44', 'A month is accepted as a date.', acceptBody(({ date }) => /^\d{4}-\d\d$/.test(String(date)))],
  [
    'INV-RULE-45',
    'A timestamp is accepted as a due date.',
    acceptBody(({ due_date }) => String(due_date).includes('T')),
  ],
  [
    'INV-RULE-43',
    'A new invoice gets the `status` of the request.',
    onData('POST', '/invoices', (invoice, { body: { status } }) => {
      if (status !== undefined) Object.assign(invoice, { status });
    }),
  ],
  ['INV-RULE-18', 'A refused invoice is created anyway.', showRefusedInvoiceInList],
  [
    'INV-RULE-19',
    '`errors` never names a field.',
    onResponse(
      (request, response) => isCreation(request) && isRefused(response),
      ({ body }) => Object.assign(body, { errors: { base: ['Something is wrong.'] } }),
    ),
  ],
];
