import type { Listed } from '../../../simulation/operations/invoices.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import type { Table } from '../../../simulation/state/table.js';
import { pageSize, type Search } from '../components/list.js';
import { readSearch, seeker } from './search.js';

/** The rows of a page, and what was looked for. */
export interface Found<Row> extends Listed<Row> {
  readonly search: Search;
}

/** What a row is found by. */
interface Searched<Row> {
  /** When it was created, ISO 8601; left out for rows that have no time, which are listed by when they were added. */
  readonly timeOf?: (row: Row) => string;
  readonly textsOf: (row: Row) => readonly (string | null)[];
  readonly statusOf?: (row: Row) => string;
  /** What else finds a row; asked once a search, so that what many rows share is looked through once. */
  readonly alsoBy?: (isFound: (texts: readonly (string | null)[]) => boolean) => (row: Row) => boolean;
}

/** The page of a table that a query asks for, newest first; the last one where that is beyond the end. */
export function pageOf<Row extends { readonly id: number | string }>(
  table: Table<Row>,
  query: URLSearchParams,
  { timeOf, textsOf, statusOf, alsoBy }: Searched<Row>,
): Found<Row> {
  const search = readSearch(query);
  const { text, status } = search;
  const isFound = seeker(text);
  const isFoundAlso = text === '' ? undefined : alsoBy?.(isFound);
  const isWanted = (row: Row): boolean =>
    (status === '' || statusOf?.(row) === status) &&
    (text === '' || isFound(textsOf(row)) || isFoundAlso?.(row) === true);
  const found = text === '' && status === '' ? table.rows : table.rows.filter(isWanted);
  const sorted = timeOf ? newestFirst(found, timeOf) : found.toReversed();
  const page = Math.min(search.page, Math.max(1, Math.ceil(found.length / pageSize)));
  const first = (page - 1) * pageSize;
  return { rows: sorted.slice(first, first + pageSize), total: found.length, search: { ...search, page } };
}
