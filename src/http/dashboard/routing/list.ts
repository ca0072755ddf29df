import type { Listed } from '../../../simulation/operations/invoices.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import type { Table } from '../../../simulation/state/table.js';
import { pageSize, type Search } from '../components/list.js';
import { readSearch, textMatcher } from './search.js';

/** The rows of a page, and the search. */
export interface Found<Row> extends Listed<Row> {
  readonly search: Search;
}

/** The fields of a row that are searched. */
interface Searched<Row> {
  /** The time of creation, ISO 8601. Rows without a time are listed in order of insertion. */
  readonly timeOf?: (row: Row) => string;
  readonly textsOf: (row: Row) => readonly (string | null)[];
  readonly statusOf?: (row: Row) => string;
  /** Creates a further condition that finds a row, once for each search, so that shared data is searched only once. */
  readonly alsoFoundBy?: (isFound: (texts: readonly (string | null)[]) => boolean) => (row: Row) => boolean;
}

/** The requested page of a table, newest first; the last page if the requested one is beyond the end. */
export function pageOf<Row extends { readonly id: number | string }>(
  table: Table<Row>,
  query: URLSearchParams,
  { timeOf, textsOf, statusOf, alsoFoundBy }: Searched<Row>,
): Found<Row> {
  const search = readSearch(query);
  const { text, status } = search;
  const isFound = textMatcher(text);
  const isFoundAlso = text === '' ? undefined : alsoFoundBy?.(isFound);
  const matches = (row: Row): boolean =>
    (status === '' || statusOf?.(row) === status) &&
    (text === '' || isFound(textsOf(row)) || isFoundAlso?.(row) === true);
  const found = text === '' && status === '' ? table.rows : table.rows.filter(matches);
  const sorted = timeOf ? newestFirst(found, timeOf) : found.toReversed();
  const page = Math.min(search.page, Math.max(1, Math.ceil(found.length / pageSize)));
  const first = (page - 1) * pageSize;
  return { rows: sorted.slice(first, first + pageSize), total: found.length, search: { ...search, page } };
}
