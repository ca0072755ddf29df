import { isRecord } from '../../../lib/is-record.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, succeeded, valueAt } from '../../engine/expect.js';
import { jsonText } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import type { Row } from '../invoice-creation/setups.js';

/** An id that no record has, but still a 32-bit integer. */
export const unknownId = 2_147_483_600;

/** A page of a list. */
export interface RowsPage {
  readonly page: Exchange;
  readonly rows: readonly Row[];
  /** Whether it is the only page of the list. */
  readonly isAll: boolean;
  /** Total number of records, according to the list. */
  readonly total: number | undefined;
}

/** Records of a page of a list. @throws Blocked unless the response is a success with an array of records */
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

/** Paths of the records in a page. */
export function places({ page, rows }: RowsPage): Place[] {
  return rows.map((_row, index) => ({ page, at: `data.data.${index}` }));
}

/**
 * Finds a record on the first or last page of a list, as the order of lists is open. `absent`: it is on no page.
 * `elsewhere`: there are more pages; a list may be long, and need not support `page`.
 * @param first the first page, if it is known
 * @param readLast returns the last page, if it is known
 */
export async function findRow(
  context: ClauseContext,
  path: string,
  isMatch: (row: Row) => boolean,
  first?: RowsPage,
  readLast = lastPage,
): Promise<Place | 'absent' | 'elsewhere'> {
  const query = `${path}${path.includes('?') ? '&' : '?'}per_page=100`;
  const start = first ?? rowsPage(await context.get(query));
  const found = placeIn(start, isMatch);
  if (found) return found;
  if (start.isAll) return 'absent';
  const end = await readLast(context, query, start);
  if (!end) return 'elsewhere';
  return placeIn(end, isMatch) ?? (areAll(start, end) ? 'absent' : 'elsewhere');
}

/** Last page of a list; undefined if there is only one, or the list does not return it. */
export async function lastPage(context: ClauseContext, query: string, start: RowsPage): Promise<RowsPage | undefined> {
  const size = decimalOf(valueAt(start.page.json, 'data.per_page')) || start.rows.length;
  const last = decimalOf(valueAt(start.page.json, 'data.last_page')) ?? Math.ceil((start.total ?? 0) / size);
  if (!(last > 1)) return undefined;
  const page = await context.get(`${query}&page=${last}`);
  return isSuccess(page) ? rowsPage(page) : undefined;
}

/** Whether two pages are the whole list; a list that ignores `page` returns its first page twice. */
function areAll(start: RowsPage, end: RowsPage): boolean {
  const [first, last] = [start, end].map(({ rows }) => jsonText(rows[0]));
  return first !== last && start.rows.length + end.rows.length >= (end.total ?? Number.POSITIVE_INFINITY);
}

function placeIn(page: RowsPage, isMatch: (row: Row) => boolean): Place | undefined {
  return places(page)[page.rows.findIndex(isMatch)];
}
