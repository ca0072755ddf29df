import { eventually } from '../../engine/eventually.js';
import { recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import {
  createdInvoice,
  fullCreation,
  lateCreation,
  laterCreation,
  readInvoice,
  recordOf,
  someInvoice,
} from '../invoice-creation/setups.js';
import { findRow, places, type RowsPage, rowsPage } from '../paging/setups.js';

/** First page of the invoices; includes the suite's own if it may write. */
export const invoicesAnswer = setup('the invoices', async (context) => {
  await context.use(someInvoice);
  return context.get('/invoices?per_page=100');
});
export const invoicesPage = setup('the invoices', async (context) => rowsPage(await context.use(invoicesAnswer)));

/** Every invoice on that page. */
export const listedInvoices = setup(
  'the invoices of a page',
  async (context): Promise<readonly Place[]> => places(await context.use(invoicesPage)),
);

/** Position of the new invoice in the list. */
export const foundInvoice = setup('a new invoice in the list', async (context) => {
  const { record } = await context.use(createdInvoice);
  const look = (first?: RowsPage) => findRow(context, '/invoices', (row) => row['id'] === record['id'], first);
  const found = await look(await context.use(invoicesPage));
  return found === 'absent' ? eventually(context, look, (place) => place !== 'absent') : found;
});

/** The new invoice in the list. @throws Blocked if it is missing */
export const listedInvoice = setup('a new invoice in the list', async (context): Promise<Place> => {
  const found = await context.use(foundInvoice);
  if (typeof found !== 'object') throw new Blocked('the new invoice is not on the pages that were looked at');
  return found;
});

/** Response to its creation. */
export const answeredInvoice = setup('the answer to the creation of an invoice', async (context): Promise<Place> => {
  const { exchange } = await context.use(fullCreation);
  recordOf(exchange);
  return { page: exchange, at: 'data' };
});

/** Detail of an invoice. */
export const detailedInvoice = setup('an invoice in the detail view', async (context): Promise<Place> => {
  const page = await context.use(readInvoice);
  recordOf(page);
  return { page, at: 'data' };
});

/** The overdue list. If the suite may write, it may contain two of its invoices that were due long ago. */
export const overduePage = setup('the overdue invoices', async (context) => {
  for (const creation of [lateCreation, laterCreation]) await ifPossible(context.use(creation));
  return context.get('/invoices/overdue');
});

export const overdueInvoices = setup('the overdue invoices', async (context): Promise<readonly Place[]> => {
  const page = succeeded(await context.use(overduePage));
  const found = recordsAt(page.json, 'data').map((_row, index) => ({ page, at: `data.${index}` }));
  if (found.length === 0) throw new Skip('an overdue invoice', 'none is listed; when one becomes overdue is open');
  return found;
});

/** Lines of invoices, with their paths. */
export function linesOf(invoices: Setup<Place | readonly Place[]>): Setup<readonly Place[]> {
  return setup(`the lines of ${invoices.name}`, async (context): Promise<readonly Place[]> => {
    const lines = [await context.use(invoices)].flat().flatMap(({ page, at }) => {
      const items = valueAt(page.json, `${at}.invoice_items`);
      return Array.isArray(items) ? items.map((_item, index) => ({ page, at: `${at}.invoice_items.${index}` })) : [];
    });
    if (lines.length === 0) throw new Blocked('the invoices have no `invoice_items`');
    return lines;
  });
}
