import { isRecord } from '../../../lib/is-record.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, succeeded, valueAt } from '../../engine/expect.js';
import { jsonText } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import type { Row } from '../invoice-creation/setups.js';

/** An id that no record has: far beyond what was given out, yet an integer of 32 bits. */
export const unknownId = 2_147_483_600;

/** A page of a list. */
export interface RowsPage {
  readonly page: Exchange;
  readonly rows: readonly Row[];
  /** Whether the list has no other pages. */
  readonly isAll: boolean;
  /** How many records the list says it has. */
  readonly total: number | undefined;
}

/** The records of a page of a list. @throws Blocked unless the answer is a success that has an array of records */
export function rowsPage(page: Exchange): RowsPage {
  const { method, path } = page.call;
  const rows = valueAt(succeeded(page).json, 'data.data');
  if (!Array.isArray(rows)) throw new Blocked(`${method} ${path} has returned no array in \`data.data\``, page);
  const total = decimalOf(valueAt(page.json, 'data.total'));
  return {
    page,
    rows: rows.map((row: unknown) => (isRecord(row) ? row : {})),
    total,
    isAll: total !== undefined && total <= rows.length,
  };
}

/** Where each record of a page stands in the answer. */
export function places({ page, rows }: RowsPage): Place[] {
  return rows.map((_row, index) => ({ page, at: `data.data.${index}` }));
}

/**
 * Where a record is in a list: on its first or last page, as the order of lists is open. `absent` if it is on no page;
 * `elsewhere` if there are pages that were not looked at: a list may be long, and need not heed `page`.
 * @param first the first page, if it is known already
 * @param readLast gives the last page where it is known already, too
 */
export async function findRow(
  context: ClauseContext,
  path: string,
  isIt: (row: Row) => boolean,
  first?: RowsPage,
  readLast = lastPage,
): Promise<Place | 'absent' | 'elsewhere'> {
  const query = `${path}${path.includes('?') ? '&' : '?'}per_page=100`;
  const start = first ?? rowsPage(await context.get(query));
  const found = placeOf(start, isIt);
  if (found) return found;
  if (start.isAll) return 'absent';
  const end = await readLast(context, query, start);
  if (!end) return 'elsewhere';
  return placeOf(end, isIt) ?? (areAll(start, end) ? 'absent' : 'elsewhere');
}

/** The last page of a list; undefined where there is but the first, or where the list does not give it. */
export async function lastPage(context: ClauseContext, query: string, start: RowsPage): Promise<RowsPage | undefined> {
  const size = decimalOf(valueAt(start.page.json, 'data.per_page')) || start.rows.length;
  const last = decimalOf(valueAt(start.page.json, 'data.last_page')) ?? Math.ceil((start.total ?? 0) / size);
  if (!(last > 1)) return undefined;
  const page = await context.get(`${query}&page=${last}`);
  return isSuccess(page) ? rowsPage(page) : undefined;
}

/** Whether two pages are the whole list; a list that does not heed `page` gives its first page twice. */
function areAll(start: RowsPage, end: RowsPage): boolean {
  const [first, last] = [start, end].map(({ rows }) => jsonText(rows[0]));
  return first !== last && start.rows.length + end.rows.length >= (end.total ?? Number.POSITIVE_INFINITY);
}

function placeOf(page: RowsPage, isIt: (row: Row) => boolean): Place | undefined {
  return places(page)[page.rows.findIndex(isIt)];
}
