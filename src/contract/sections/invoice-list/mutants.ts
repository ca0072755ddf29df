import { valueAt } from '../../engine/expect.js';
import type { Interceptor, Json } from '../../mutation/interceptor.js';
import {
  accept,
  keepFirst,
  onAnswer,
  onAny,
  onRecord,
  onRows,
  refuse,
  removeField,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { type Change, customer, isOwn, ofOtherRecords, withFields } from '../invoice-detail/mutants.js';

const list = '/invoices';
const detail = /^\/invoices\/\d+$/;

const rows = (change: Change): Interceptor => onRows(list, change);
const read = (change: Change): Interceptor => onRecord('GET', detail, change);

const more = (record: Json, field: string): void => void withFields({ [field]: Number(record[field]) + 1 })(record);
const firstLine: Change = (invoice) => withFields({ invoice_items: [valueAt(invoice, 'invoice_items.0')] })(invoice);

const inAscii: Change = (invoice) => {
  const { reference } = invoice;
  if (typeof reference === 'string') withFields({ reference: reference.replace(/[^ -~]/gu, '?') })(invoice);
};

/** Detail views are cached forever. */
function cacheDetail(): Interceptor {
  const known = new Map<string, Json>();
  return onAnswer('GET', detail, (response, { path }) => {
    response.body = known.get(path) ?? response.body;
    known.set(path, response.body);
  });
}

function cacheStatus(): Interceptor {
  const known = new Map<unknown, unknown>();
  return rows((row) => {
    if (!known.has(row['id'])) known.set(row['id'], row['status']);
    withFields({ status: known.get(row['id']) })(row);
  });
}

/** Mutants of the invoice list and detail. */
export const invoiceViewMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-LIST-39',
    'New invoices are listed with another `id`.',
    () => rows((row) => isOwn(row) && withFields({ id: Number(row['id']) + 100_000 })(row)),
  ],
  ['INV-LIST-40', 'Invoices are listed with another reference.', () => rows(withFields({ reference: 'another' }))],
  ['INV-LIST-41', 'Invoices are listed with only their first line.', () => rows(firstLine)],
  ['INV-LIST-42', 'Invoices are listed with another amount.', () => rows((row) => more(row, 'amount'))],
  [
    'INV-LIST-43',
    'Invoices are listed as due in the year 2000.',
    () => rows(ofOtherRecords(withFields({ due_date: '2000-01-01' }))),
  ],
  [
    'INV-LIST-44',
    'Invoices are listed with the phone of the customer.',
    () => rows(customer(withFields({ phone: '+49 30 1' }))),
  ],
  [
    'INV-LIST-45',
    'Invoices are listed without the e-mail address of the customer.',
    () => rows(customer(withFields({ email: null }))),
  ],

  ['INV-LIST-46', 'The `total` of invoices never changes.', () => onRecord('GET', list, keepFirst('total'))],
  ['INV-LIST-47', 'Invoices are listed with their initial status.', cacheStatus],
  ['INV-LIST-48', 'Invoices are listed with their references in ASCII.', () => rows(inAscii)],

  [
    'INV-DETAIL-01',
    'Reading an invoice with a token that has both scopes is refused.',
    () => onAnswer('GET', detail, (response, { token }) => token === 'full' && refuse(response, 404)),
  ],
  ['INV-DETAIL-02', 'A read returns the next invoice.', () => read((invoice) => more(invoice, 'id'))],
  [
    'INV-DETAIL-03',
    'A read of a nonexistent invoice succeeds.',
    () => onAny(({ method, path }, { status }) => method === 'GET' && detail.test(path) && status === 404, accept),
  ],
  ['INV-DETAIL-29', '`notes` is an array.', () => read(withFields({ notes: ['one'] }))],
  ['INV-DETAIL-30', 'The phone of the customer is a number.', () => read(customer(withFields({ phone: 49_301 })))],
  [
    'INV-DETAIL-31',
    'The address of the customer is an object.',
    () => read(customer(withFields({ address: { street: 'High Street' } }))),
  ],
  ['INV-DETAIL-32', 'The city of the customer is a number.', () => read(customer(withFields({ city: 1 })))],
  [
    'INV-DETAIL-33',
    'The postal code of the customer is a number.',
    () => read(customer(withFields({ postal_code: 10_115 }))),
  ],
  ['INV-DETAIL-34', 'The country of the customer is a list.', () => read(customer(withFields({ country: ['DE'] })))],
  ['INV-DETAIL-35', 'The transactions of an invoice are an object.', () => read(withFields({ transactions: {} }))],
  [
    'INV-DETAIL-36',
    'An invoice is read without its subscription.',
    () => read((invoice) => removeField(invoice, 'subscription')),
  ],
  ['INV-DETAIL-37', 'An invoice is read with another reference.', () => read(withFields({ reference: 'another' }))],
  ['INV-DETAIL-38', 'The detail view has only the first line.', () => read(firstLine)],
  ['INV-DETAIL-39', 'An invoice is read without its notes.', () => read((invoice) => removeField(invoice, 'notes'))],
  ['INV-DETAIL-40', 'An invoice is read with another amount.', () => read((invoice) => more(invoice, 'amount'))],
  [
    'INV-DETAIL-41',
    'An invoice is read with another customer.',
    () => read(customer(withFields({ name: 'Somebody else' }))),
  ],
  ['INV-DETAIL-42', 'Every invoice belongs to a subscription.', () => read(withFields({ subscription: { id: 1 } }))],
  [
    'INV-DETAIL-43',
    'A paid invoice has the status `sent`.',
    () => read((invoice) => invoice['status'] === 'paid' && withFields({ status: 'sent' })(invoice)),
  ],
  ['INV-DETAIL-44', 'An invoice never has a transaction.', () => read(withFields({ transactions: [] }))],
  ['INV-DETAIL-46', 'An invoice is read with its reference in ASCII.', () => read(inAscii)],
  ['INV-DETAIL-47', 'The detail view of an invoice never changes.', cacheDetail],
  [
    'INV-DETAIL-48',
    'Characters after the digits of an invoice id are ignored.',
    () => onAny(({ path }) => /^\/invoices\/\d+[a-z]+$/.test(path), accept),
  ],
]);
