import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import { requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import { clockSkewMs } from '../clock.js';
import { createdRecord, requireRecord } from '../created-records.js';
import { dataLocation, fieldOf, type RecordLocation } from '../fields.js';
import {
  dateInDays,
  futureCreation,
  invoicePath,
  newerCustomerId,
  secondPastDueInvoice,
  unusualCreation,
} from '../invoice-creation/setups.js';
import { invoicesPage, isListedAsOverdue, overdueResponse } from '../invoice-list/setups.js';
import { createRecordFinder, measureListGrowth } from '../paging/list-growth.js';
import { readCreatedRecord } from '../read-created-record.js';
import { measureCreation, overdueListAfterPayment, paymentBeforeDueDate } from '../statistics/setups.js';

/** The item that the invoice of `recentPastDueCreation` contains twice. */
export const repeatedItem = (context: ClauseContext): JsonObject => ({
  description: context.withRunPrefix('night'),
  quantity: 1,
  unit_price: 9.9,
});

/** An item whose numbers all have two decimal places, with a description in several scripts and with HTML. */
export const fractionalItem = (context: ClauseContext): JsonObject => ({
  description: context.withRunPrefix("Größe 漢字 🏨 & <b>'"),
  quantity: 2.25,
  unit_price: 9.95,
  tax_rate: 8.25,
});

/**
 * Fields of the recent past-due invoice, which several clauses use: it was due three days ago by the target's clock, so
 * its due date is past in every time zone. It has two equal items, and texts with non-ASCII characters, HTML, a
 * backslash and a line break.
 */
const recentPastDueFields = (context: ClauseContext, skewMs?: number): JsonObject => ({
  reference: context.withRunPrefix("L'É Жук 漢字 🏨"),
  notes: context.withRunPrefix('Grüße <b>&amp;</b> 50 % C:\\new\nЖук 🏨'),
  date: dateInDays(-70, skewMs),
  due_date: dateInDays(-3, skewMs),
  items: [repeatedItem(context), repeatedItem(context), fractionalItem(context)],
});

/** Creates the recent past-due invoice, and reads the statistics before and after. */
export async function measureRecentPastDueCreation(context: ClauseContext) {
  const skewMs = await context.use(clockSkewMs);
  return measureCreation(context, () => recentPastDueFields(context, skewMs));
}

/**
 * Creates the recent past-due invoice. If the driver can create customers, a newer customer is created first, so that the
 * invoice's customer is not the newest.
 */
export const recentPastDueCreation = setup('a new invoice that was due a few days ago', async (context) => {
  // These run before the invoice is created: `invoiceListGrowth` compares the earlier list of invoices with a later
  // one, and other clauses measure how a payment alone changes the overdue list.
  await context.runIfPossible(invoicesPage);
  await context.runIfPossible(overdueResponse);
  await context.runIfPossible(overdueListAfterPayment);
  // Not `runIfPossible`, which would also ignore an error of the driver.
  await ifPossible(context.use(newerCustomerId));
  return measureRecentPastDueCreation(context);
});

/** The recent past-due invoice, as the response to its creation shows it. */
export const recentPastDueInvoice = createdRecord(recentPastDueCreation);

/** Location of an invoice whose customer is not the newest. @throws Skip if no newer customer can be created */
export const olderCustomerInvoice = setup(
  'an invoice for an older customer',
  async (context): Promise<RecordLocation> => {
    context.requireDriverMethod('createCustomer');
    const { exchange } = await context.use(recentPastDueInvoice);
    return dataLocation(exchange);
  },
);

/** Location of the recent past-due invoice in the detail view. */
export const recentPastDueDetail = setup(
  'the detail view of an invoice that was due a few days ago',
  async (context): Promise<RecordLocation> => {
    const { record } = await context.use(recentPastDueInvoice);
    return dataLocation(await readCreatedRecord(context, invoicePath(record)));
  },
);

/**
 * Response with the detail view of the invoice of `futureCreation`, whose reference `'0'` and price 0 a target might take
 * for missing values. @throws Blocked if it was not created
 */
export const futureDetail = setup('the detail view of an invoice with a date in the future', async (context) => {
  const record = requireRecord((await context.use(futureCreation)).exchange);
  return requireSuccess(await readCreatedRecord(context, invoicePath(record)));
});

/** Response with the detail view of the invoice of `unusualCreation`. @throws Blocked if it was not created */
export const unusualDetail = setup('the detail view of an invoice with unusual values', async (context) => {
  const record = requireRecord((await context.use(unusualCreation)).exchange);
  return requireSuccess(await readCreatedRecord(context, invoicePath(record)));
});

/** The first page of invoices, before and after more were created and one was paid. */
export const invoiceListGrowth = setup('the invoices after more were created', async (context) => {
  const before = await context.use(invoicesPage);
  await context.use(recentPastDueCreation);
  await context.runIfPossible(paymentBeforeDueDate);
  return measureListGrowth(context, before);
});

const findInvoiceAfterGrowth = createRecordFinder(invoiceListGrowth);

/** Location of the recent past-due invoice in the list. */
export const recentPastDueLocation = setup(
  'the list entry of an invoice that was due a few days ago',
  async (context): Promise<RecordLocation> => {
    const { record } = await context.use(recentPastDueInvoice);
    return findInvoiceAfterGrowth(context, ({ id }) => isSameId(id, record['id']));
  },
);

/** Location of the paid invoice in the list. Waits until the list shows it as `paid`, or the timeout has passed. */
export const paidInvoiceLocation = setup('a paid invoice in the list', async (context): Promise<RecordLocation> => {
  const { invoicePaidEarly, page: detailPage } = await context.use(paymentBeforeDueDate);
  if (valueAt(detailPage.json, 'data.status') !== 'paid')
    throw new Blocked('the driver paid the invoice, but its status is not `paid`', detailPage);
  return findInvoiceAfterGrowth(
    context,
    ({ id }) => isSameId(id, invoicePaidEarly['id']),
    (location) => fieldOf(location, 'status') === 'paid',
  );
});

/**
 * The overdue list after the suite created an invoice that was due a few days ago (`recentInvoice`) and one that was
 * due years ago (`longOverdueInvoice`). @throws Skip if neither is listed
 */
export const overdueListWithNewInvoices = setup('the overdue invoices after more were created', async (context) => {
  const recentInvoice = await context.use(recentPastDueInvoice);
  const longOverdueInvoice = await context.use(secondPastDueInvoice);
  const page = requireSuccess(
    await eventually(
      context,
      () => context.get('/invoices/overdue'),
      // Waits as long as only one of them is listed. If neither is, it does not wait: the specification does not say
      // when an invoice becomes overdue.
      (overdue) =>
        isListedAsOverdue(overdue, recentInvoice.record) === isListedAsOverdue(overdue, longOverdueInvoice.record),
    ),
  );
  const isRecentInvoiceListed = isListedAsOverdue(page, recentInvoice.record);
  const isLongOverdueInvoiceListed = isListedAsOverdue(page, longOverdueInvoice.record);
  if (!isRecentInvoiceListed && !isLongOverdueInvoiceListed) {
    throw new Skip({
      missing: 'an overdue invoice',
      reason:
        'none that the suite created is listed, and the specification does not say when an invoice becomes overdue',
    });
  }
  return { page, recentInvoice, longOverdueInvoice, isRecentInvoiceListed, isLongOverdueInvoiceListed };
});
