import { valueAt } from '../../engine/expect.js';
import type { Interceptor, Json } from '../../mutation/interceptor.js';
import { accept, drop, onAnswer, onAny, onRecord, onRows, refuse, stuck } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { type Change, customer, having, isOwn, ofOthers } from '../invoice-detail/mutants.js';

const list = '/invoices';
const detail = /^\/invoices\/\d+$/;

const rows = (change: Change): Interceptor => onRows(list, change);
const read = (change: Change): Interceptor => onRecord('GET', detail, change);

const more = (record: Json, field: string): void => void having({ [field]: Number(record[field]) + 1 })(record);
const firstLine: Change = (invoice) => having({ invoice_items: [valueAt(invoice, 'invoice_items.0')] })(invoice);

const inAscii: Change = (invoice) => {
  const { reference } = invoice;
  if (typeof reference === 'string') having({ reference: reference.replace(/[^ -~]/gu, '?') })(invoice);
};

/** Detail views are cached forever. */
function keptDetail(): Interceptor {
  const known = new Map<string, Json>();
  return onAnswer('GET', detail, (response, { path }) => {
    response.body = known.get(path) ?? response.body;
    known.set(path, response.body);
  });
}

function keptStatus(): Interceptor {
  const known = new Map<unknown, unknown>();
  return rows((row) => {
    if (!known.has(row['id'])) known.set(row['id'], row['status']);
    having({ status: known.get(row['id']) })(row);
  });
}

/** Mutants of the invoice list and detail. */
export const invoiceViewMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-LIST-39',
    'New invoices are listed by another `id`.',
    () => rows((row) => isOwn(row) && having({ id: Number(row['id']) + 100_000 })(row)),
  ],
  ['INV-LIST-40', 'Invoices are listed with another reference.', () => rows(having({ reference: 'another' }))],
  ['INV-LIST-41', 'Invoices are listed with their first line alone.', () => rows(firstLine)],
  ['INV-LIST-42', 'Invoices are listed with another amount.', () => rows((row) => more(row, 'amount'))],
  [
    'INV-LIST-43',
    'Invoices are listed as due in the year 2000.',
    () => rows(ofOthers(having({ due_date: '2000-01-01' }))),
  ],
  [
    'INV-LIST-44',
    'Invoices are listed with the phone of the customer.',
    () => rows(customer(having({ phone: '+49 30 1' }))),
  ],
  [
    'INV-LIST-45',
    'Invoices are listed without the e-mail address of the customer.',
    () => rows(customer(having({ email: null }))),
  ],

  ['INV-LIST-46', 'The `total` of invoices stays what it was at first.', () => onRecord('GET', list, stuck('total'))],
  ['INV-LIST-47', 'Invoices are listed with the status that they had at first.', keptStatus],
  ['INV-LIST-48', 'Invoices are listed with their references in ASCII.', () => rows(inAscii)],

  [
    'INV-DETAIL-01',
    'No invoice can be read with a token of both scopes.',
    () => onAnswer('GET', detail, (response, { token }) => token === 'full' && refuse(response, 404)),
  ],
  ['INV-DETAIL-02', 'The next invoice is read.', () => read((invoice) => more(invoice, 'id'))],
  [
    'INV-DETAIL-03',
    'An invoice is found that does not exist.',
    () => onAny(({ method, path }, { status }) => method === 'GET' && detail.test(path) && status === 404, accept),
  ],
  ['INV-DETAIL-29', 'Notes are a list.', () => read(having({ notes: ['one'] }))],
  ['INV-DETAIL-30', 'The phone of the customer is a number.', () => read(customer(having({ phone: 49_301 })))],
  [
    'INV-DETAIL-31',
    'The address of the customer is an object.',
    () => read(customer(having({ address: { street: 'High Street' } }))),
  ],
  ['INV-DETAIL-32', 'The city of the customer is a number.', () => read(customer(having({ city: 1 })))],
  [
    'INV-DETAIL-33',
    'The postal code of the customer is a number.',
    () => read(customer(having({ postal_code: 10_115 }))),
  ],
  ['INV-DETAIL-34', 'The country of the customer is a list.', () => read(customer(having({ country: ['DE'] })))],
  ['INV-DETAIL-35', 'The transactions of an invoice are an object.', () => read(having({ transactions: {} }))],
  [
    'INV-DETAIL-36',
    'An invoice is read without its subscription.',
    () => read((invoice) => drop(invoice, 'subscription')),
  ],
  ['INV-DETAIL-37', 'An invoice is read with another reference.', () => read(having({ reference: 'another' }))],
  ['INV-DETAIL-38', 'An invoice is read with its first line alone.', () => read(firstLine)],
  ['INV-DETAIL-39', 'An invoice is read without its notes.', () => read((invoice) => drop(invoice, 'notes'))],
  ['INV-DETAIL-40', 'An invoice is read with another amount.', () => read((invoice) => more(invoice, 'amount'))],
  [
    'INV-DETAIL-41',
    'An invoice is read with another customer.',
    () => read(customer(having({ name: 'Somebody else' }))),
  ],
  ['INV-DETAIL-42', 'Every invoice belongs to a subscription.', () => read(having({ subscription: { id: 1 } }))],
  [
    'INV-DETAIL-43',
    'An invoice that is paid is called sent.',
    () => read((invoice) => invoice['status'] === 'paid' && having({ status: 'sent' })(invoice)),
  ],
  ['INV-DETAIL-44', 'An invoice never has a transaction.', () => read(having({ transactions: [] }))],
  ['INV-DETAIL-46', 'An invoice is read with its reference in ASCII.', () => read(inAscii)],
  ['INV-DETAIL-47', 'The detail of an invoice stays what it was when it was first read.', keptDetail],
  [
    'INV-DETAIL-48',
    'Of the id of an invoice the digits at its beginning count.',
    () => onAny(({ path }) => /^\/invoices\/\d+[a-z]+$/.test(path), accept),
  ],
]);
