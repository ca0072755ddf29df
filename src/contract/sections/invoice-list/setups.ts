import { eventually } from '../../engine/eventually.js';
import { recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Fact, fact } from '../../engine/session.js';
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

/** The first page of the invoices; the suite's own is there by then, where it may write. */
export const invoicesAnswer = fact('the invoices', async (scene) => {
  await scene.at(someInvoice);
  return scene.get('/invoices?per_page=100');
});
export const invoicesPage = fact('the invoices', async (scene) => rowsPage(await scene.at(invoicesAnswer)));

/** Every invoice of that page. */
export const listedInvoices = fact(
  'the invoices of a page',
  async (scene): Promise<readonly Place[]> => places(await scene.at(invoicesPage)),
);

/** Where the new invoice is in the list. */
export const foundInvoice = fact('a new invoice in the list', async (scene) => {
  const { record } = await scene.at(createdInvoice);
  const look = (first?: RowsPage) => findRow(scene, '/invoices', (row) => row['id'] === record['id'], first);
  const found = await look(await scene.at(invoicesPage));
  return found === 'absent' ? eventually(scene, look, (place) => place !== 'absent') : found;
});

/** The new invoice in the list. @throws Blocked unless it is there */
export const listedInvoice = fact('a new invoice in the list', async (scene): Promise<Place> => {
  const found = await scene.at(foundInvoice);
  if (typeof found !== 'object') throw new Blocked('the new invoice is not on the pages that were looked at');
  return found;
});

/** The answer to its creation. */
export const answeredInvoice = fact('the answer to the creation of an invoice', async (scene): Promise<Place> => {
  const { exchange } = await scene.at(fullCreation);
  recordOf(exchange);
  return { page: exchange, at: 'data' };
});

/** An invoice in detail view. */
export const detailedInvoice = fact('an invoice in detail', async (scene): Promise<Place> => {
  const page = await scene.at(readInvoice);
  recordOf(page);
  return { page, at: 'data' };
});

/** What is overdue: where the suite may write, two invoices of its own that were due long ago may be among it. */
export const overduePage = fact('the overdue invoices', async (scene) => {
  for (const creation of [lateCreation, laterCreation]) await ifPossible(scene.at(creation));
  return scene.get('/invoices/overdue');
});

export const overdueInvoices = fact('the overdue invoices', async (scene): Promise<readonly Place[]> => {
  const page = succeeded(await scene.at(overduePage));
  const found = recordsAt(page.json, 'data').map((_row, index) => ({ page, at: `data.${index}` }));
  if (found.length === 0) throw new Skip('an overdue invoice', 'none is listed; when one becomes overdue is open');
  return found;
});

/** The lines of invoices, each in its place. */
export function linesOf(invoices: Fact<Place | readonly Place[]>): Fact<readonly Place[]> {
  return fact(`the lines of ${invoices.name}`, async (scene): Promise<readonly Place[]> => {
    const lines = [await scene.at(invoices)].flat().flatMap(({ page, at }) => {
      const items = valueAt(page.json, `${at}.invoice_items`);
      return Array.isArray(items) ? items.map((_item, index) => ({ page, at: `${at}.invoice_items.${index}` })) : [];
    });
    if (lines.length === 0) throw new Blocked('the invoices have no `invoice_items`');
    return lines;
  });
}
