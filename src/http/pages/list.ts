import { pageSize, type Search } from '../../pages/list.js';
import type { Listed } from '../../simulation/invoices.js';
import type { Page, Table } from '../../simulation/table.js';

/** What the query of a list asks for. What makes no sense asks for nothing. */
export function searchIn(query: URLSearchParams, statuses: readonly string[]): Search {
  const status = query.get('status') ?? '';
  const page = Number(query.get('page') ?? 1);
  return {
    text: (query.get('q') ?? '').trim().slice(0, 255),
    status: statuses.includes(status) ? status : '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Whether one of the fields holds the text, in whatever case. */
export type Holds = (...fields: readonly (string | null | undefined)[]) => boolean;

/**
 * The page of a table that is asked for, newest first; the last one where that is beyond the end.
 * @param matches says of a row whether it holds the text
 */
export function pageOf<Row extends { readonly id: number | string }>(
  table: Table<Row>,
  search: Search,
  statusOf: (row: Row) => string,
  matches: (row: Row, holds: Holds) => boolean,
): Listed<Row> & { readonly search: Search } {
  const { text, status, page } = search;
  const sought = text.toLowerCase();
  const holds: Holds = (...fields) => fields.some((field) => field?.toLowerCase().includes(sought));
  const isWanted = (row: Row): boolean =>
    (status === '' || statusOf(row) === status) && (text === '' || matches(row, holds));
  const at = (number: number): Listed<Row> => {
    const query: Page = { page: number, size: pageSize, newestFirst: true };
    return text === '' && status === '' ? table.page(query) : table.page(query, isWanted);
  };
  const found = at(page);
  const last = Math.max(1, Math.ceil(found.total / pageSize));
  return page <= last ? { ...found, search } : { ...at(last), search: { ...search, page: last } };
}
