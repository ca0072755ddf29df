import { dayMs } from '../../../lib/durations.js';
import { recordsAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  combine,
  fieldConverter,
  fieldCopier,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  onData,
  onOverdue,
  onOverdueRecords,
  onSuccess,
  type RecordChange,
  refuseFullToken,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { changeCustomer, changeLines, unlessCreatedBySuite } from '../invoice-changes.js';
import { invoiceFieldMutants } from '../invoice-field-mutants.js';

const overduePath = '/invoices/overdue';

/** Changes the body of the overdue list. */
const onOverdueBody = (change: (body: JsonObject) => void): Interceptor =>
  onSuccess('GET', overduePath, ({ body }) => change(body));
/** Makes a field of the overdue list keep its first value. */
const freezeOverdueField = (field: string) => (): Interceptor => onOverdueBody(firstValueRepeater(field));
/** Returns a function that changes the customer's phone. */
const changePhone = (phone: unknown): RecordChange => changeCustomer(fieldSetter({ phone }));

/** The sum of quantity times price of an invoice's lines. */
const amountWithoutTax = (record: JsonObject): number =>
  recordsAt(record, 'invoice_items').reduce(
    (sum, line) => sum + Number(line['quantity']) * Number(line['unit_price']),
    0,
  );

/** Keeps overdue invoices in the list forever. */
function keepRecordsForever(): Interceptor {
  const recordsById = new Map<unknown, JsonObject>();
  return onOverdue((records) => {
    for (const record of records) recordsById.set(record['id'], record);
    return [...recordsById.values()];
  });
}

/**
 * Adds new invoices to the overdue list if `isSelected` accepts the number of days until they are due. They get the
 * fields that only this list has, such as `days_overdue`, from its first record.
 */
const listFutureInvoices = (isSelected: (days: number) => boolean) => (): Interceptor => {
  const future: JsonObject[] = [];
  return combine(
    onData('POST', '/invoices', (invoice) => {
      if (isSelected((Date.parse(String(invoice['due_date'])) - Date.now()) / dayMs)) future.push(invoice);
    }),
    onOverdue((records) => [...future.map((invoice) => ({ ...records[0], ...invoice })), ...records]),
  );
};

/** Mutants for the clauses about the overdue list (INV-OVERDUE). */
export const overdueMutants: readonly MutantRow[] = [
  ...invoiceFieldMutants({
    prefix: 'INV-OVERDUE',
    firstNumber: 11,
    recordPhrase: 'of an overdue invoice',
    createInterceptor: onOverdueRecords,
  }),
  [
    'INV-OVERDUE-01',
    'With a token that has both scopes, `overdue` is taken for the id of an invoice.',
    refuseFullToken('GET', overduePath, 404),
  ],
  [
    'INV-OVERDUE-02',
    '`data` of the overdue list is an object instead of an array once the list has become shorter.',
    () => {
      let maxRecordCount = 0;
      return onSuccess('GET', overduePath, ({ body }) => {
        const records = recordsAt(body, 'data');
        if (records.length < maxRecordCount) Object.assign(body, { data: { ...records } });
        maxRecordCount = Math.max(maxRecordCount, records.length);
      });
    },
  ],
  ['INV-OVERDUE-03', 'The `count` of the overdue list is a string.', onOverdueBody(fieldConverter('count', String))],
  ['INV-OVERDUE-04', 'The overdue list has no `total_outstanding`.', onOverdueBody(fieldRemover('total_outstanding'))],
  ['INV-OVERDUE-05', 'The overdue list has no currency.', onOverdueBody(fieldRemover('currency'))],
  ['INV-OVERDUE-06', 'The `count` of the overdue list is too high by one.', onOverdueBody(fieldIncrementer('count'))],
  [
    'INV-OVERDUE-07',
    'Invoices that are not due for years are listed as overdue.',
    listFutureInvoices((days) => days > 365),
  ],
  [
    'INV-OVERDUE-08',
    'A paid invoice is listed as overdue.',
    onOverdue((records) => records.map((record, index) => (index === 0 ? { ...record, status: 'paid' } : record))),
  ],
  ['INV-OVERDUE-09', 'Invoices stay in the overdue list forever.', keepRecordsForever],
  [
    'INV-OVERDUE-29',
    '`days_overdue` is not an integer.',
    onOverdueRecords(fieldConverter('days_overdue', (days) => Number(days) + 0.5)),
  ],
  [
    'INV-OVERDUE-30',
    'The payment link of an overdue invoice is a path.',
    // Only of invoices that the suite has not created: the clause must look at those, too.
    onOverdueRecords(unlessCreatedBySuite(fieldSetter({ payment_link: '/pay/inv_1' }))),
  ],
  [
    'INV-OVERDUE-31',
    'The phone of a customer in the overdue list is a number.',
    onOverdueRecords(unlessCreatedBySuite(changePhone(1))),
  ],
  [
    'INV-OVERDUE-32',
    'The `days_overdue` of every overdue invoice is 1.',
    onOverdueRecords(fieldSetter({ days_overdue: 1 })),
  ],
  ['INV-OVERDUE-33', 'Overdue invoices have no payment link.', onOverdueRecords(fieldSetter({ payment_link: null }))],
  [
    'INV-OVERDUE-35',
    'The overdue list and the detail view show different phone numbers of the customer.',
    onOverdueRecords(changePhone('+49 30 1')),
  ],
  [
    'INV-OVERDUE-37',
    'Invoices overdue for more than three years are left out.',
    onOverdue((records) => records.filter((record) => Number(record['days_overdue']) < 3 * 366)),
  ],
  [
    'INV-OVERDUE-38',
    '`days_overdue` is two days too high.',
    onOverdueRecords(fieldConverter('days_overdue', (days) => Number(days) + 2)),
  ],
  ['INV-OVERDUE-39', 'The `count` of the overdue list never changes.', freezeOverdueField('count')],
  [
    'INV-OVERDUE-40',
    'Invoices overdue for up to a week are left out.',
    onOverdue((records) => records.filter((record) => Number(record['days_overdue']) > 7)),
  ],
  [
    'INV-OVERDUE-41',
    'The overdue list shows the due date of an invoice as its date.',
    onOverdueRecords(fieldCopier('due_date', 'date')),
  ],
  [
    'INV-OVERDUE-42',
    'Overdue invoices are listed without lines.',
    onOverdueRecords(fieldSetter({ invoice_items: [] })),
  ],
  [
    'INV-OVERDUE-43',
    'Overdue invoices are listed with their amount without tax.',
    onOverdueRecords((record) => Object.assign(record, { amount: amountWithoutTax(record) })),
  ],
  [
    'INV-OVERDUE-44',
    'Invoices that are due tomorrow are listed as overdue.',
    listFutureInvoices((days) => days > 0 && days < 2),
  ],
  [
    'INV-OVERDUE-45',
    'Customers in the overdue list have a `city`.',
    onOverdueRecords(changeCustomer(fieldSetter({ city: 'Berlin' }))),
  ],
  [
    'INV-OVERDUE-46',
    'The overdue list shows the price of a line as its total.',
    onOverdueRecords(changeLines(fieldCopier('unit_price', 'total'))),
  ],
  [
    'INV-OVERDUE-47',
    'Invoices with several lines are listed as overdue twice.',
    onOverdue((records) =>
      records.flatMap((record) => (recordsAt(record, 'invoice_items').length > 1 ? [record, record] : [record])),
    ),
  ],
  ['INV-OVERDUE-48', 'The overdue list is always in dollars.', onOverdueBody(fieldSetter({ currency: 'USD' }))],
  [
    'INV-OVERDUE-49',
    'The `total_outstanding` of the overdue list is negative.',
    onOverdueBody(fieldConverter('total_outstanding', (sum) => -Number(sum))),
  ],
  ['INV-OVERDUE-50', 'Overdue invoices are listed as `partial`.', onOverdueRecords(fieldSetter({ status: 'partial' }))],
  ['INV-OVERDUE-51', 'Overdue invoices are listed as `draft`.', onOverdueRecords(fieldSetter({ status: 'draft' }))],
  ['INV-OVERDUE-52', 'Overdue invoices are listed as `pending`.', onOverdueRecords(fieldSetter({ status: 'pending' }))],
  [
    'INV-OVERDUE-36',
    'The `total_outstanding` of the overdue list never changes.',
    freezeOverdueField('total_outstanding'),
  ],
];
