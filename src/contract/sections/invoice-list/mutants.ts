import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldCopier,
  fieldIncrementer,
  fieldSetter,
  firstValueRepeater,
  onData,
  onList,
  onRecords,
  type RecordChange,
  replaceLastWithCopy,
  setUnusedId,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { isPresent } from '../../predicates/matchers.js';
import {
  changeCustomer,
  changeLines,
  changePending,
  isCreatedBySuite,
  keepFirstLine,
  replaceNonAsciiInReference,
  reverseLines,
  unlessCreatedBySuite,
} from '../invoice-changes.js';
import { invoiceFieldMutants } from '../invoice-field-mutants.js';
import { listMutants } from '../paging/mutants.js';

const listPath = '/invoices';

const onListed = (change: RecordChange): Interceptor => onRecords(listPath, change);

/** Lists each invoice with the status with which it was first listed. */
function cacheStatus(): Interceptor {
  const firstStatuses = new Map<unknown, unknown>();
  return onListed((record) => {
    if (!firstStatuses.has(record['id'])) firstStatuses.set(record['id'], record['status']);
    Object.assign(record, { status: firstStatuses.get(record['id']) });
  });
}

/** Mutants for the clauses about the list of invoices (INV-LIST). */
export const invoiceListMutants: readonly MutantRow[] = [
  ...listMutants({
    prefix: 'INV-LIST',
    path: listPath,
    plural: 'invoices',
    hasPageSizeLimits: true,
    hasPageParameter: true,
  }),
  ...invoiceFieldMutants({
    prefix: 'INV-LIST',
    firstNumber: 21,
    companyClauseNumber: 50,
    recordPhrase: 'of an older invoice in the list',
    createInterceptor: (change) => onListed(unlessCreatedBySuite(change)),
  }),
  [
    'INV-LIST-39',
    'New invoices are listed with a different `id`.',
    onListed((record) => isCreatedBySuite(record) && setUnusedId(record)),
  ],
  ['INV-LIST-40', 'Invoices are listed with a different reference.', onListed(fieldSetter({ reference: 'another' }))],
  ['INV-LIST-41', 'Invoices are listed with only their first line.', onListed(keepFirstLine)],
  ['INV-LIST-58', 'Invoices are listed with their lines in reverse order.', onListed(reverseLines)],
  ['INV-LIST-42', 'Invoices are listed with a different amount.', onListed(fieldIncrementer('amount'))],
  [
    'INV-LIST-43',
    'Invoices that the suite did not create are listed as due in the year 2000.',
    onListed(unlessCreatedBySuite(fieldSetter({ due_date: '2000-01-01' }))),
  ],
  [
    'INV-LIST-44',
    'Invoices are listed with the phone of the customer.',
    onListed(changeCustomer(fieldSetter({ phone: '+49 30 1' }))),
  ],
  [
    'INV-LIST-45',
    'Invoices are listed without the email address of the customer.',
    onListed(changeCustomer(fieldSetter({ email: null }))),
  ],
  [
    'INV-LIST-46',
    'The `total` of the invoice list never changes.',
    () => onData('GET', listPath, firstValueRepeater('total')),
  ],
  ['INV-LIST-47', 'Invoices are always listed with the status with which they were first listed.', cacheStatus],
  [
    'INV-LIST-48',
    'In listed references, non-ASCII characters become question marks.',
    onListed(replaceNonAsciiInReference),
  ],
  [
    'INV-LIST-51',
    'The list shows the price of a line as its total.',
    onListed(changeLines(fieldCopier('unit_price', 'total'))),
  ],
  [
    'INV-LIST-53',
    'Invoices without a reference are not listed.',
    onList(listPath, (records) => records.filter(({ reference }) => isPresent(reference))),
  ],
  [
    'INV-LIST-54',
    'A new invoice is listed a second time, with another `id`.',
    replaceLastWithCopy(listPath, isCreatedBySuite),
  ],
  ['INV-LIST-55', 'Pending invoices are listed as `partial`.', onListed(changePending('partial'))],
  ['INV-LIST-56', 'Pending invoices are listed as `overdue`.', onListed(changePending('overdue'))],
  ['INV-LIST-57', 'Pending invoices are listed as `viewed`.', onListed(changePending('viewed'))],
];
