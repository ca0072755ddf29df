import { recordsAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldCopier,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  onData,
  onResponse,
  onSuccess,
  type RecordChange,
  refuseFullToken,
  replaceWithSuccess,
  setUnusedId,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import {
  changeCustomer,
  changeLines,
  changePending,
  keepFirstLine,
  replaceNonAsciiInReference,
  reverseLines,
} from '../invoice-changes.js';
import { invoiceFieldMutants } from '../invoice-field-mutants.js';

const detailPath = /^\/invoices\/\d+$/;

const onRead = (change: RecordChange): Interceptor => onData('GET', detailPath, change);

/** Always returns the first detail view of each invoice. */
function cacheDetail(): Interceptor {
  const cachedBodies = new Map<string, JsonObject>();
  return onSuccess('GET', detailPath, (response, { path }) => {
    response.body = cachedBodies.get(path) ?? response.body;
    cachedBodies.set(path, response.body);
  });
}

/** Also shows each transaction in all invoices that are read later. */
function collectTransactions(): Interceptor {
  const transactions = new Map<string, JsonObject>();
  return onRead((invoice) => {
    for (const transaction of recordsAt(invoice, 'transactions'))
      transactions.set(JSON.stringify(transaction), transaction);
    Object.assign(invoice, { transactions: [...transactions.values()] });
  });
}

/** Mutants for the clauses about the detail view of an invoice (INV-DETAIL). */
export const invoiceDetailMutants: readonly MutantRow[] = [
  ...invoiceFieldMutants({
    prefix: 'INV-DETAIL',
    firstNumber: 11,
    companyClauseNumber: 50,
    recordPhrase: 'of an invoice in the detail view',
    createInterceptor: onRead,
  }),
  [
    'INV-DETAIL-57',
    'The detail view swaps the city and the country of a customer.',
    onRead(
      changeCustomer((customer) => Object.assign(customer, { city: customer['country'], country: customer['city'] })),
    ),
  ],
  ['INV-DETAIL-54', 'The detail view shows pending invoices as `partial`.', onRead(changePending('partial'))],
  ['INV-DETAIL-55', 'The detail view shows pending invoices as `overdue`.', onRead(changePending('overdue'))],
  ['INV-DETAIL-56', 'The detail view shows pending invoices as `viewed`.', onRead(changePending('viewed'))],
  [
    'INV-DETAIL-52',
    'The detail view shows the price of a line as its total.',
    onRead(changeLines(fieldCopier('unit_price', 'total'))),
  ],
  [
    'INV-DETAIL-01',
    'Reading an invoice with a token that has both scopes is refused.',
    refuseFullToken('GET', detailPath, 404),
  ],
  ['INV-DETAIL-02', 'A read returns an invoice whose `id` is one too high.', onRead(fieldIncrementer('id'))],
  [
    'INV-DETAIL-53',
    'With a token that only allows reading, a read returns a different invoice.',
    onData('GET', detailPath, (invoice, { token }) => {
      if (token === 'read') setUnusedId(invoice);
    }),
    // AUTH-ADMITS-03 sends the read with this token.
    { runsAfter: 'AUTH-ADMITS-03' },
  ],
  [
    'INV-DETAIL-03',
    'A read of a nonexistent invoice succeeds.',
    onResponse(
      ({ method, path }, { status }) => method === 'GET' && detailPath.test(path) && status === 404,
      replaceWithSuccess,
    ),
  ],
  ['INV-DETAIL-29', '`notes` is an array.', onRead(fieldSetter({ notes: ['one'] }))],
  ['INV-DETAIL-30', 'The phone of the customer is a number.', onRead(changeCustomer(fieldSetter({ phone: 49_301 })))],
  [
    'INV-DETAIL-31',
    'The address of the customer is an object.',
    onRead(changeCustomer(fieldSetter({ address: { street: 'High Street' } }))),
  ],
  ['INV-DETAIL-32', 'The city of the customer is a number.', onRead(changeCustomer(fieldSetter({ city: 1 })))],
  [
    'INV-DETAIL-33',
    'The postal code of the customer is a number.',
    onRead(changeCustomer(fieldSetter({ postal_code: 10_115 }))),
  ],
  [
    'INV-DETAIL-34',
    'The country of the customer is an array.',
    onRead(changeCustomer(fieldSetter({ country: ['DE'] }))),
  ],
  ['INV-DETAIL-35', '`transactions` of an invoice is an object.', onRead(fieldSetter({ transactions: {} }))],
  ['INV-DETAIL-36', 'A read returns an invoice without its subscription.', onRead(fieldRemover('subscription'))],
  [
    'INV-DETAIL-37',
    'A read returns an invoice with a different reference.',
    onRead(fieldSetter({ reference: 'another' })),
  ],
  ['INV-DETAIL-38', 'The detail view shows only the first line of an invoice.', onRead(keepFirstLine)],
  ['INV-DETAIL-58', 'The detail view shows the lines in reverse order.', onRead(reverseLines)],
  ['INV-DETAIL-39', 'A read returns an invoice without its notes.', onRead(fieldRemover('notes'))],
  ['INV-DETAIL-40', 'A read returns an invoice with a different amount.', onRead(fieldIncrementer('amount'))],
  [
    'INV-DETAIL-41',
    'A read returns an invoice with a different customer name.',
    onRead(changeCustomer(fieldSetter({ name: 'Somebody else' }))),
  ],
  ['INV-DETAIL-42', 'Every invoice belongs to a subscription.', onRead(fieldSetter({ subscription: { id: 1 } }))],
  [
    'INV-DETAIL-43',
    'A paid invoice has the status `sent`.',
    onRead((invoice) => invoice['status'] === 'paid' && Object.assign(invoice, { status: 'sent' })),
  ],
  ['INV-DETAIL-44', 'The `transactions` of an invoice are always empty.', onRead(fieldSetter({ transactions: [] }))],
  ['INV-DETAIL-51', 'A read also returns the transactions of invoices that were read earlier.', collectTransactions],
  [
    'INV-DETAIL-46',
    'In the detail view, non-ASCII characters of the reference become question marks.',
    onRead(replaceNonAsciiInReference),
  ],
  [
    'INV-DETAIL-49',
    'A read returns the notes of an invoice without their line breaks.',
    onRead((invoice) => {
      const { notes } = invoice;
      if (typeof notes === 'string') Object.assign(invoice, { notes: notes.replaceAll('\n', ' ') });
    }),
  ],
  ['INV-DETAIL-47', 'The detail view of an invoice never changes.', cacheDetail],
  [
    'INV-DETAIL-48',
    'Characters after the digits of an invoice id are ignored.',
    onResponse(({ path }) => /^\/invoices\/\d+[a-z]+$/.test(path), replaceWithSuccess),
  ],
];
