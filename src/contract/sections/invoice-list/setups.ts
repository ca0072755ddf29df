import { Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, recordsAt, requireSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { setup } from '../../engine/session.js';
import { isSameId } from '../../predicates/matchers.js';
import { knownClockSkewMs } from '../clock.js';
import { dataLocation, type RecordLocation, recordsIn } from '../fields.js';
import {
  createdInvoice,
  dateInDays,
  fullCreation,
  idOfInvoice,
  pastDueCreation,
  pastDueInvoice,
  postInvoice,
  sameDayCreation,
  secondPastDueCreation,
  secondPastDueInvoice,
  someInvoice,
  someInvoiceDetail,
} from '../invoice-creation/setups.js';
import { findUntilListed, recordLocations, requireFound, toListPage } from '../paging/setups.js';

/** Response with the first page of invoices. If the suite may write, it first creates at least one invoice. */
export const invoicesResponse = setup('the response to GET /invoices', async (context) => {
  await context.use(someInvoice);
  return context.get('/invoices?per_page=100');
});
export const invoicesPage = setup('the first page of invoices', async (context) =>
  toListPage(await context.use(invoicesResponse)),
);

/** Locations of all invoices on the first page. */
export const listedInvoices = setup(
  'the invoices on the first page',
  async (context): Promise<readonly RecordLocation[]> => recordLocations(await context.use(invoicesPage)),
);

/** Result of searching the list for the new invoice. */
export const newInvoiceSearch = setup('the search for a new invoice in the list', async (context) => {
  const newId = idOfInvoice((await context.use(createdInvoice)).record);
  const isMatch = ({ id }: JsonObject): boolean => String(id) === newId;
  return findUntilListed(context, '/invoices', isMatch, await context.use(invoicesPage));
});

/** Location of the new invoice in the list. @throws Blocked if it was not found */
export const newInvoiceLocation = setup('a new invoice in the list', async (context) =>
  requireFound(await context.use(newInvoiceSearch), 'the new invoice'),
);

/** Location of the invoice of `fullCreation` in the response to its creation. */
export const returnedInvoice = setup(
  'the response to the creation of an invoice',
  async (context): Promise<RecordLocation> => dataLocation((await context.use(fullCreation)).exchange),
);

/** Location of an invoice in the detail view. */
export const detailedInvoice = setup(
  'an invoice in the detail view',
  async (context): Promise<RecordLocation> => dataLocation(await context.use(someInvoiceDetail)),
);

/** Creates an invoice that is due tomorrow by the target's clock. @throws Blocked if that clock is unknown */
export const dueTomorrowCreation = setup('a new invoice that is due tomorrow', async (context) => {
  const skewMs = await context.use(knownClockSkewMs);
  return postInvoice(context, {
    reference: context.withRunPrefix('tomorrow'),
    date: dateInDays(0, skewMs),
    due_date: dateInDays(1, skewMs),
  });
});

/**
 * Response with the overdue list. If the suite may write, it first creates two invoices that were due long ago, and
 * others that are due today, tomorrow and in some years. Waits until the list shows the first two, or the timeout has
 * passed: a target may update the list late, or only at night.
 */
export const overdueResponse = setup('the overdue list', async (context) => {
  for (const creation of [pastDueCreation, secondPastDueCreation, sameDayCreation, dueTomorrowCreation, fullCreation])
    await ifPossible(context.use(creation));
  const pastDue = [pastDueInvoice, secondPastDueInvoice].map((invoice) => ifPossible(context.use(invoice)));
  const expected = (await Promise.all(pastDue)).filter((invoice) => invoice !== undefined);
  return eventually(
    context,
    () => context.get('/invoices/overdue'),
    (page) => !isSuccess(page) || expected.every(({ record }) => isListedAsOverdue(page, record)),
  );
});

/** Position of an invoice in an overdue list; -1 if the list does not contain it. */
export function indexInOverdueList({ json }: Exchange, { id }: JsonObject): number {
  // Compared as strings, since another clause is about the types of ids.
  return recordsAt(json, 'data').findIndex((record) => isSameId(record['id'], id));
}

/** True if an overdue list contains an invoice. */
export function isListedAsOverdue(page: Exchange, invoice: JsonObject): boolean {
  return indexInOverdueList(page, invoice) !== -1;
}

/** Locations of all invoices in the overdue list. @throws Skip if there are none */
export const overdueInvoices = setup('the overdue invoices', async (context): Promise<readonly RecordLocation[]> => {
  const page = requireSuccess(await context.use(overdueResponse));
  const found = recordsIn(page, 'listOverdueInvoices');
  if (found.length === 0)
    throw new Skip({
      missing: 'an overdue invoice',
      reason: 'none is listed; the specification does not say when an invoice becomes overdue',
    });
  return found;
});
