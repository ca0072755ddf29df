import { dayMs } from '../../../lib/durations.js';
import { recordsAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  onData,
  onRequest,
  onResponse,
  onSuccess,
  type RecordChange,
  removeField,
  replaceWithError,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { changeCustomer, changeLines, reverseLines } from '../invoice-changes.js';
import { invoiceFieldMutants } from '../invoice-field-mutants.js';
import { hasItem, isCreation, itemsOf } from './creation-requests.js';
import { concurrentReferenceSuffix } from './setups.js';

const invoicesPath = '/invoices';

/** Refuses to create an invoice if the (valid) body of the request is selected. */
const refuseBody = (isSelected: (body: JsonObject) => boolean): Interceptor =>
  onResponse(
    (request) => isCreation(request) && isSelected(request.body),
    (response) => replaceWithError(response),
  );

/** Changes the new invoice in the response to the request that creates it. */
const onCreation = (change: RecordChange): Interceptor => onData('POST', invoicesPath, change);

/** Gives both invoices of the setup `concurrentInvoices` the number of the first one. */
function repeatNumberOfConcurrentInvoice(): Interceptor {
  const repeatNumber = firstValueRepeater('invoice_number');
  return onData('POST', invoicesPath, (invoice) => {
    if (String(invoice['reference']).endsWith(concurrentReferenceSuffix)) repeatNumber(invoice);
  });
}

/** Gives the next new invoice the number that a client has chosen for an earlier one. */
function repeatGivenNumber(): Interceptor {
  let givenNumber: unknown;
  return onData('POST', invoicesPath, (invoice, { body }) => {
    const { invoice_number: ownNumber } = body;
    if (givenNumber !== undefined && ownNumber === undefined) Object.assign(invoice, { invoice_number: givenNumber });
    givenNumber = ownNumber;
  });
}

/** The suite's long-overdue invoices were due before this date; all its others are due later. */
const longOverdueBefore = '2021-01-01';

/** Removes each line of an invoice that equals an earlier one. */
const removeDuplicateLines: RecordChange = (invoice) => {
  const lines = recordsAt(invoice, 'invoice_items');
  const lineTexts = lines.map((line) => JSON.stringify(line));
  Object.assign(invoice, {
    invoice_items: lines.filter((_line, index) => lineTexts.indexOf(lineTexts[index] ?? '') === index),
  });
};

/** Mutants for the clauses about new invoices (INV-CREATE). */
export const invoiceCreationMutants: readonly MutantRow[] = [
  ...invoiceFieldMutants({
    prefix: 'INV-CREATE',
    firstNumber: 11,
    companyClauseNumber: 40,
    recordPhrase: 'of a new invoice',
    createInterceptor: onCreation,
  }),
  [
    'INV-CREATE-01',
    'An invoice with two items is refused.',
    // Accepts the invoices of INV-CREATE-03 (due on the invoice date) and INV-CREATE-05 (custom number), which also
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
    'Creating an invoice returns 200.',
    onSuccess('POST', invoicesPath, (response) => {
      response.status = 200;
    }),
  ],
  [
    'INV-CREATE-07',
    'The message about a new invoice is worded differently.',
    onSuccess('POST', invoicesPath, ({ body }) => Object.assign(body, { message: 'Invoice created' })),
  ],
  [
    'INV-CREATE-08',
    'A new invoice whose date is in the future is a draft.',
    onCreation((invoice) => {
      if (Date.parse(String(invoice['date'])) > Date.now()) Object.assign(invoice, { status: 'draft' });
    }),
  ],
  ['INV-CREATE-09', 'Creating an invoice returns a different date.', onCreation(fieldSetter({ date: '2020-01-01' }))],
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
        Object.assign(line, { total: net * (1 + (2 * Number(line['tax_rate'])) / 100) });
      }),
    ),
  ],
  [
    'INV-CREATE-45',
    'The amount of a new invoice is the total of its first line.',
    onCreation((invoice) => Object.assign(invoice, { amount: recordsAt(invoice, 'invoice_items')[0]?.['total'] })),
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
      (invoice) => String(invoice['due_date']) < longOverdueBefore && Object.assign(invoice, { status: 'overdue' }),
    ),
  ],
  [
    'INV-CREATE-43',
    'Two invoices that are created concurrently have the same number.',
    repeatNumberOfConcurrentInvoice,
  ],
  [
    'INV-CREATE-46',
    'An invoice created without a number gets the number that the client chose for an earlier one.',
    repeatGivenNumber,
  ],
  ['INV-CREATE-36', 'Of several identical items, only one becomes a line.', onCreation(removeDuplicateLines)],
  [
    'INV-CREATE-37',
    'An invoice that was due before yesterday, but after 2020, is created for a different customer.',
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
    "The response to creating an invoice includes the customer's phone number.",
    onCreation(changeCustomer(fieldSetter({ phone: '+49 30 1' }))),
  ],
];
