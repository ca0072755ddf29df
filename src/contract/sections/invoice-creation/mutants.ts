import { dayMs } from '../../../lib/durations.js';
import { isRecord } from '../../../lib/json.js';
import { recordsAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  fieldConverter,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  onData,
  onList,
  onRequest,
  onResponse,
  onSuccess,
  type RecordChange,
  removeField,
  replaceWithError,
  replaceWithSuccess,
  setFields,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { changeCustomer, changeLines, reverseLines } from '../invoice-changes.js';
import { invoiceFieldMutantRows } from '../invoice-field-mutants.js';
import { concurrentReference } from './setups.js';

const invoicesPath = '/invoices';

/** True for a request to create an invoice that uses the token with both scopes. */
const isCreation = (request: InterceptedRequest): boolean =>
  request.method === 'POST' && request.path === invoicesPath && request.token === 'full';

/** Refuses to create an invoice if the (valid) body of the request is selected. */
const refuseBody = (isSelected: (body: JsonObject) => boolean): Interceptor =>
  onResponse(
    (request) => isCreation(request) && isSelected(request.body),
    (response) => replaceWithError(response),
  );

/** Accepts a request to create an invoice if its (invalid) body is selected. */
const acceptBody = (isSelected: (body: JsonObject) => boolean): Interceptor =>
  onResponse((request) => isCreation(request) && isSelected(request.body), replaceWithSuccess);

const itemsOf = ({ items }: JsonObject): JsonObject[] => (Array.isArray(items) ? items : []);
/** Selects bodies with at least one item that is selected. */
const hasItem =
  (isSelected: (item: JsonObject) => boolean): ((body: JsonObject) => boolean) =>
  (body) =>
    itemsOf(body).some(isSelected);

/** Lists of up to this many records stay unchanged: the clauses about paging compare them, and must still pass. */
const maxComparedRecords = 4;

/** Changes the new invoice in the response to the request that creates it. */
const onCreation = (change: RecordChange): Interceptor => onData('POST', invoicesPath, change);

/** True if a value is in the format `YYYY-MM-DD`. */
const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** Gives both invoices of `concurrentInvoices` the number of the first one. */
function repeatNumberOfConcurrentInvoice(): Interceptor {
  const repeatNumber = firstValueRepeater('invoice_number');
  return onData('POST', invoicesPath, (invoice) => {
    if (String(invoice['reference']).endsWith(concurrentReference)) repeatNumber(invoice);
  });
}

/** Makes a refused invoice seem to exist: the last invoice on a page shows its reference. */
function showRefusedInvoiceInList(): Interceptor {
  let reference: unknown;
  return combine(
    onResponse(isCreation, (response, { body }) => {
      if (response.status >= 400) reference ??= body['reference'];
    }),
    onList(invoicesPath, (records) =>
      records.length > maxComparedRecords && reference !== undefined
        ? [...records.slice(0, -1), { ...records.at(-1), reference }]
        : records,
    ),
  );
}

/** The suite's long-overdue invoices were due before this date; all its others are due later. */
const longOverdueBefore = '2021-01-01';

const isFebruary30 = (value: unknown): boolean => /-02-30$/.test(String(value));

/** Removes each line of an invoice that equals an earlier one. */
const removeDuplicateLines: RecordChange = (invoice) => {
  const lines = recordsAt(invoice, 'invoice_items');
  const lineTexts = lines.map((line) => JSON.stringify(line));
  setFields(invoice, {
    invoice_items: lines.filter((_line, index) => lineTexts.indexOf(lineTexts[index] ?? '') === index),
  });
};

/** Mutants for the clauses about creating invoices (INV-CREATE, INV-RULE). */
export const invoiceCreationMutants: readonly Mutant[] = mutantsOf([
  ...invoiceFieldMutantRows({
    prefix: 'INV-CREATE',
    firstNumber: 11,
    companyClauseNumber: 40,
    recordPhrase: 'of a new invoice',
    createInterceptor: onCreation,
  }),
  [
    'INV-CREATE-01',
    'An invoice with two items is refused.',
    // Accepts the invoices of INV-CREATE-03 (due on their own date) and INV-CREATE-05 (custom number), which also
    // have two items.
    refuseBody(
      ({ invoice_number, ...body }) =>
        itemsOf(body).length === 2 && invoice_number === undefined && body['due_date'] !== body['date'],
    ),
  ],
  [
    'INV-CREATE-02',
    'An invoice without a reference is refused.',
    refuseBody((body) => body['reference'] === undefined),
  ],
  [
    'INV-CREATE-03',
    'An invoice whose due date equals its date is refused.',
    refuseBody((body) => body['due_date'] === body['date']),
  ],
  ['INV-CREATE-04', 'A quantity of 0.01 is refused.', refuseBody(hasItem(({ quantity }) => quantity === 0.01))],
  [
    'INV-CREATE-05',
    'An invoice with a custom number is refused.',
    refuseBody((body) => body['invoice_number'] !== undefined),
  ],
  [
    'INV-CREATE-06',
    'The creation of an invoice returns 200.',
    onSuccess('POST', invoicesPath, (response) => {
      response.status = 200;
    }),
  ],
  [
    'INV-CREATE-07',
    'The message about a new invoice is worded differently.',
    onSuccess('POST', invoicesPath, ({ body }) => setFields(body, { message: 'Invoice created' })),
  ],
  [
    'INV-CREATE-08',
    'A new invoice whose date is in the future is a draft.',
    onCreation((invoice) => {
      if (Date.parse(String(invoice['date'])) > Date.now()) setFields(invoice, { status: 'draft' });
    }),
  ],
  [
    'INV-CREATE-09',
    'The creation of an invoice returns a different date.',
    onCreation(fieldSetter({ date: '2020-01-01' })),
  ],
  [
    'INV-CREATE-10',
    'The prices of a new invoice are truncated to integers.',
    onCreation(changeLines(fieldConverter('unit_price', (value) => Math.trunc(Number(value))))),
  ],
  ['INV-CREATE-47', 'The lines of a new invoice are in reverse order.', onCreation(reverseLines)],
  [
    'INV-CREATE-48',
    'The customer of a new invoice has no `company`.',
    onCreation(changeCustomer(fieldRemover('company'))),
  ],
  ['INV-CREATE-29', 'The number of a new invoice is empty.', onCreation(fieldSetter({ invoice_number: '' }))],
  ['INV-CREATE-30', 'All invoices have the same number.', onCreation(fieldSetter({ invoice_number: 'INV-1' }))],
  [
    'INV-CREATE-31',
    'The given invoice number is ignored.',
    onRequest('POST', invoicesPath, ({ body }) => removeField(body, 'invoice_number')),
  ],
  ['INV-CREATE-32', 'Items have a default tax rate of 19%.', onCreation(changeLines(fieldSetter({ tax_rate: 19 })))],
  [
    'INV-CREATE-33',
    'The total of a line is doubled.',
    onCreation(changeLines(fieldConverter('total', (total) => Number(total) * 2))),
  ],
  [
    'INV-CREATE-44',
    'The tax of a line is added to its total twice.',
    onCreation(
      changeLines((line) => {
        const net = Number(line['quantity']) * Number(line['unit_price']);
        setFields(line, { total: net * (1 + Number(line['tax_rate']) / 50) });
      }),
    ),
  ],
  [
    'INV-CREATE-45',
    'The amount of a new invoice is the total of its first line.',
    onCreation((invoice) => setFields(invoice, { amount: recordsAt(invoice, 'invoice_items')[0]?.['total'] })),
  ],
  [
    'INV-CREATE-34',
    'An invoice whose due date is long past is refused.',
    refuseBody(({ due_date }) => String(due_date) < longOverdueBefore),
  ],
  [
    'INV-CREATE-35',
    'A new invoice whose due date is long past is overdue immediately.',
    onCreation(
      (invoice) => String(invoice['due_date']) < longOverdueBefore && setFields(invoice, { status: 'overdue' }),
    ),
  ],
  [
    'INV-CREATE-43',
    'Two invoices that are created concurrently have the same number.',
    repeatNumberOfConcurrentInvoice,
  ],
  [
    'INV-CREATE-46',
    'An invoice without a given number gets the number that was given to the previous one.',
    repeatGivenNumber,
  ],
  ['INV-CREATE-36', 'Of several identical items, only one becomes a line.', onCreation(removeDuplicateLines)],
  [
    'INV-CREATE-37',
    'An invoice that was due a few days ago is created for a different customer.',
    onCreation((invoice) => {
      const due = String(invoice['due_date']);
      const isPastDue = due > longOverdueBefore && Date.parse(due) < Date.now() - dayMs;
      if (isPastDue) changeCustomer(fieldIncrementer('id'))(invoice);
    }),
  ],
  [
    'INV-CREATE-38',
    'The tax rates of a new invoice are truncated to integers.',
    onCreation(changeLines(fieldConverter('tax_rate', (value) => Math.trunc(Number(value))))),
  ],
  [
    'INV-CREATE-39',
    'An invoice that is due in more than ten years is refused.',
    refuseBody(({ due_date }) => Date.parse(String(due_date)) > Date.now() + 10 * 365 * dayMs),
  ],
  [
    'INV-CREATE-41',
    'An invoice with a date in the future is refused.',
    refuseBody(({ date }) => Date.parse(String(date)) > Date.now() + dayMs),
  ],
  [
    'INV-CREATE-42',
    'The response to a new invoice has the phone of the customer.',
    onCreation(changeCustomer(fieldSetter({ phone: '+49 30 1' }))),
  ],

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
  ['INV-RULE-20', 'February 30 is accepted as a date.', acceptBody(({ date }) => isFebruary30(date))],
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
  ['INV-RULE-31', 'April 31 is accepted as a date.', acceptBody(({ date }) => /-04-31$/.test(String(date)))],
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
  ['INV-RULE-18', 'A refused invoice is created anyway.', showRefusedInvoiceInList],
  [
    'INV-RULE-19',
    '`errors` never names a field.',
    onResponse(
      (request, { status }) => isCreation(request) && status >= 400,
      ({ body }) => setFields(body, { errors: { base: ['Something is wrong.'] } }),
    ),
  ],
]);

/** Gives an invoice that was created without a number the number that was given to the previous invoice. */
function repeatGivenNumber(): Interceptor {
  let givenNumber: unknown;
  return onData('POST', invoicesPath, (invoice, { body }) => {
    if (givenNumber !== undefined) setFields(invoice, { invoice_number: givenNumber });
    givenNumber = body['invoice_number'];
  });
}
