import { pageSize, type Search } from '../../pages/list.js';
import type { Listed } from '../../simulation/invoices.js';
import type { Table } from '../../simulation/table.js';
import { readSearch, seeker } from './search.js';

/** The rows of a page, and what was looked for. */
export interface Found<Row> extends Listed<Row> {
  readonly search: Search;
}

/** What a row is found by. */
interface Searched<Row> {
  readonly textsOf: (row: Row) => readonly (string | null)[];
  readonly statusOf?: (row: Row) => string;
  /** What else finds a row; asked once a search, so that what many rows share is looked through once. */
  readonly alsoBy?: (isFound: (texts: readonly (string | null)[]) => boolean) => (row: Row) => boolean;
}

/** The page of a table that a query asks for, newest first; the last one where that is beyond the end. */
export function pageOf<Row extends { readonly id: number | string }>(
  table: Table<Row>,
  query: URLSearchParams,
  { textsOf, statusOf, alsoBy }: Searched<Row>,
): Found<Row> {
  const search = readSearch(query);
  const { text, status, page } = search;
  const isFound = seeker(text);
  const isFoundAlso = text === '' ? undefined : alsoBy?.(isFound);
  const isWanted = (row: Row): boolean =>
    (status === '' || statusOf?.(row) === status) &&
    (text === '' || isFound(textsOf(row)) || isFoundAlso?.(row) === true);
  const at = (number: number): Listed<Row> =>
    table.page(
      { page: number, size: pageSize, newestFirst: true },
      text === '' && status === '' ? undefined : isWanted,
    );
  const found = at(page);
  const last = Math.max(1, Math.ceil(found.total / pageSize));
  return page <= last ? { ...found, search } : { ...at(last), search: { ...search, page: last } };
}
