import { isRecord } from '../../../lib/json.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { elementsAt, type RecordLocation } from '../fields.js';

/** A page of a list. */
export interface ListPage {
  /** Exchange whose response is the page. */
  readonly page: Exchange;
  /** The records; an element that is not an object is replaced with an empty object. */
  readonly records: readonly JsonObject[];
  /** True if this page has all records of the list. */
  readonly isWholeList: boolean;
  /** Total number of records, according to the list. */
  readonly total: number | undefined;
}

/** Reads the records of a page. @throws Blocked unless the response is a success with an array of records */
export function toListPage(page: Exchange): ListPage {
  const { method, path } = page.call;
  const records = valueAt(requireSuccess(page).json, 'data.data');
  if (!Array.isArray(records)) throw new Blocked(`${method} ${path} returned no array in \`data.data\``, page);
  const total = decimalOf(valueAt(page.json, 'data.total'));
  return {
    page,
    records: records.map((record: unknown) => (isRecord(record) ? record : {})),
    total,
    isWholeList: total !== undefined && total <= records.length,
  };
}

/** Returns the locations of the records on a page. */
export function recordLocations({ page }: ListPage): RecordLocation[] {
  return elementsAt(page, 'data.data');
}

/**
 * Location of a record in a list. `absent`: the list does not contain the record. `unknown`: the record may be on a
 * page that was not read. Only the first and the last page are read; only the first if the list does not support `page`.
 */
export type SearchResult = RecordLocation | 'absent' | 'unknown';

export function isFound(result: SearchResult): result is RecordLocation {
  return result !== 'absent' && result !== 'unknown';
}

/** @param name names the record in the message: `the new link` @throws Blocked if it was not found */
export function requireFound(result: SearchResult, name: string): RecordLocation {
  if (!isFound(result)) throw new Blocked(`${name} is not on the pages of the list that were searched`);
  return result;
}

/**
 * @param name names the record in the message: `the new link`
 * @param page a page of the list, as evidence
 * @throws Violation if the list does not contain the record; Blocked if it may be on a page that was not read
 */
export function expectFound(result: SearchResult, name: string, page: Exchange | undefined): void {
  if (result === 'absent') throw new Violation(`${name} in the list`, 'a list without it', page);
  if (result === 'unknown') throw new Blocked('the list is too long to search');
}

/** Repeats a search until the list contains the record, since lists may be updated late. */
export function searchUntilListed(context: ClauseContext, search: () => Promise<SearchResult>): Promise<SearchResult> {
  return eventually(context, search, (result) => result !== 'absent');
}

/**
 * Like `findInList`, for a list whose first page is known. Repeats the search until the list contains the record.
 */
export async function findUntilListed(
  context: ClauseContext,
  path: string,
  isMatch: (record: JsonObject) => boolean,
  knownFirstPage: ListPage,
  readLast = readLastPage,
): Promise<SearchResult> {
  const found = await findInList(context, path, isMatch, knownFirstPage, readLast);
  return found === 'absent' ? searchUntilListed(context, () => findInList(context, path, isMatch)) : found;
}

/**
 * Searches the first and the last page of a list for a record. A new record should be on one of them, but the
 * specification does not say which.
 * @param knownFirstPage the first page with `per_page=100`, if it was already read
 * @param readLast reads the last page, or returns one that was already read
 */
export async function findInList(
  context: ClauseContext,
  path: string,
  isMatch: (record: JsonObject) => boolean,
  knownFirstPage?: ListPage,
  readLast = readLastPage,
): Promise<SearchResult> {
  const firstPagePath = `${path}${path.includes('?') ? '&' : '?'}per_page=100`;
  const firstPage = knownFirstPage ?? toListPage(await context.get(firstPagePath));
  const found = locateRecord(firstPage, isMatch);
  if (found) return found;
  if (firstPage.isWholeList) return 'absent';
  const lastPage = await readLast(context, firstPagePath, firstPage);
  if (!lastPage) return 'unknown';
  return locateRecord(lastPage, isMatch) ?? (coversWholeList(firstPage, lastPage) ? 'absent' : 'unknown');
}

/**
 * Reads the last page of a list; undefined if there is only one page, or the list refuses the parameter `page`.
 * @param firstPagePath path and query of the first page
 */
export async function readLastPage(
  context: ClauseContext,
  firstPagePath: string,
  firstPage: ListPage,
): Promise<ListPage | undefined> {
  const size = decimalOf(valueAt(firstPage.page.json, 'data.per_page')) || firstPage.records.length;
  const lastPageNumber =
    decimalOf(valueAt(firstPage.page.json, 'data.last_page')) ?? Math.ceil((firstPage.total ?? 0) / size);
  // Not finite if the page shows no records and no `per_page`.
  if (!Number.isFinite(lastPageNumber) || lastPageNumber <= 1) return undefined;
  const page = await context.get(`${firstPagePath}&page=${lastPageNumber}`);
  return isSuccess(page) ? toListPage(page) : undefined;
}

/**
 * True if the first and the last page together have all records of a list. A list that ignores `page` returns its first
 * page as the last one, too: its records must not be counted twice.
 */
export function coversWholeList(firstPage: ListPage, lastPage: ListPage): boolean {
  const [firstRecord, firstRecordOfLastPage] = [firstPage, lastPage].map(({ records }) => formatExactJson(records[0]));
  return (
    firstRecord !== firstRecordOfLastPage &&
    firstPage.records.length + lastPage.records.length >= (lastPage.total ?? Number.POSITIVE_INFINITY)
  );
}

function locateRecord(page: ListPage, isMatch: (record: JsonObject) => boolean): RecordLocation | undefined {
  return recordLocations(page)[page.records.findIndex(isMatch)];
}
