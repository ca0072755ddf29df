import { html, type SafeHtml } from '@remix-run/html-template';
import { pluralOf } from '../../../text/format.js';
import { type DashboardLocation, liveSection } from './dashboard-page.js';
import { sectionPath } from './sections.js';
import { statusBadge, statusText } from './status.js';
import { relativeTime } from './timestamp.js';

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  /** True for numbers, which are aligned right. */
  readonly isNumeric?: boolean;
  /**
   * True for a column of checkboxes, whose heading is only for screen readers. The first column without checkboxes
   * contains the row headers.
   */
  readonly isSelection?: boolean;
  /** The field that a click on the heading sorts by. */
  readonly sort?: string;
  readonly show: (row: Row) => SafeHtml | string | number | null;
}

/** The column with the status of a record. */
export const statusColumn: Column<{ readonly status: string }> = {
  label: 'Status',
  sort: 'status',
  show: ({ status }) => statusBadge(status),
};

/** The column with the time at which a record was created. @param now the time on the account's clock */
export function createdColumn(now: string): Column<{ readonly created_at: string }> {
  return { label: 'Created', sort: 'created_at', show: ({ created_at }) => relativeTime(created_at, now) };
}

/** A search, and the page of the results that is shown. */
export interface Search {
  readonly text: string;
  /** Empty for all statuses. */
  readonly status: string;
  /** Counts from 1. */
  readonly page: number;
}

/** A search of a list, and the order of its results. */
export interface ListSearch extends Search {
  /** The field that the list is sorted by; empty for the default order. */
  readonly sort: string;
  readonly isDescending: boolean;
}

/** One page of the rows that a search finds. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Number of rows on all pages. */
  readonly total: number;
  readonly search: ListSearch;
}

/** A page of a list, and how to show it. */
export interface List<Row> extends ListPage<Row> {
  /** The noun of a row: `invoice`. */
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** The name of the default order; `newest first` if left out. */
  readonly order?: string;
  /** The field that the default order sorts by, in descending order; `created_at` if left out. */
  readonly orderField?: string;
  /** Placeholder of the search field: the fields that are searched. */
  readonly searchPlaceholder: string;
  readonly statuses: readonly string[];
  /** `mail` for the statuses of emails, since `statusText` describes some of them differently. */
  readonly statusesOf?: 'mail';
  /** Shown for an empty list: how to create the first row. */
  readonly empty: SafeHtml;
}

/** Number of rows on a page. */
export const pageSize = 25;

/** Maximum number of rows in an exported file. */
export const maxExportedRows = 10_000;

/** A page of a list with its search form. */
export function list<Row>(location: DashboardLocation, view: List<Row>): SafeHtml {
  return html`${searchForm(location, view)}
${liveSection(location, 'list', html`${results(location, view)}`)}`;
}

function searchForm(
  { account, section }: DashboardLocation,
  {
    search,
    searchPlaceholder,
    statuses,
    statusesOf,
  }: Pick<List<never>, 'search' | 'searchPlaceholder' | 'statuses' | 'statusesOf'>,
): SafeHtml {
  const options = statuses.map(
    (status) =>
      html`<option value="${status}"${status === search.status ? ' selected' : ''}>${statusText(status, statusesOf)}</option>`,
  );
  const status = html`<label>Status <select name="status"><option value="">all</option>${options}</select></label>`;
  const orderFields = Object.entries(orderParams(search)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`<form action="${sectionPath(account, section)}" method="get" role="search" class="search">
<label>Search <input type="search" name="q" value="${search.text}" placeholder="${searchPlaceholder}"></label>
${statuses.length === 0 ? '' : status}
${orderFields}<button class="quiet">Search</button>
</form>`;
}

function results<Row>(location: DashboardLocation, view: List<Row>): SafeHtml {
  const { noun, columns, rows, order = 'newest first', total, search, empty } = view;
  const isSearched = search.text !== '' || search.status !== '';
  if (total === 0 && isSearched) {
    const unfilteredUrl = sectionPath(location.account, location.section);
    return html`<p class="empty">No ${pluralOf(noun)} match. <a href="${unfilteredUrl}">Show all</a></p>`;
  }
  if (total === 0) return html`<div class="sheet empty">${empty}</div>`;
  const sortedColumn = columns.find(({ sort }) => sort !== undefined && sort === search.sort);
  const orderText = sortedColumn
    ? `by ${sortedColumn.label}, ${search.isDescending ? 'descending' : 'ascending'}`
    : order;
  const caption = `${rangeText(search.page, total)} ${total === 1 ? noun : pluralOf(noun)}, ${orderText}`;
  const filters = { q: search.text, status: search.status, ...orderParams(search) };
  return html`<div class="sheet list">
${table(columns, rows, caption, { className: 'rows', heading: (column) => heading(location, view, column) })}
${pageLinks(location, filters, { page: search.page, total })}
${exportLinks(location, filters, total)}
</div>`;
}

/** The number of the last page of a list, which is 1 for an empty list. @param total number of rows on all pages */
export function lastPage(total: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** The numbers of the rows on a page, and the number of all rows: `26–50 of 1,000`, or `1 of 1`. */
export function rangeText(page: number, total: number): string {
  const [first, last] = [(page - 1) * pageSize + 1, Math.min(page * pageSize, total)];
  const range = [...new Set([first, last])].map((number) => number.toLocaleString('en')).join('–');
  return `${range} of ${total.toLocaleString('en')}`;
}

/** The query of a URL with all parameters that are not empty; an empty string if there are none. */
function queryOf(params: Readonly<Record<string, string>>): string {
  const nonEmpty = Object.entries(params).filter(([, value]) => value !== '');
  return nonEmpty.length === 0 ? '' : `?${new URLSearchParams(nonEmpty)}`;
}

/** The URL parameters for the order of a list. */
function orderParams({ sort, isDescending }: ListSearch): Record<string, string> {
  return sort === '' ? {} : { sort, order: isDescending ? 'desc' : 'asc' };
}

/**
 * The heading of a column. If the list can be sorted by the column, the heading is a link that does so, or that
 * reverses the order if the list is already sorted by it.
 */
function heading<Row>(
  { account, section }: DashboardLocation,
  { search, orderField = 'created_at' }: List<Row>,
  { label, sort, isNumeric = false }: Column<Row>,
): { readonly content: SafeHtml | string; readonly attributes: SafeHtml } {
  if (sort === undefined) return { content: label, attributes: html`` };
  const isSorted = search.sort === '' ? sort === orderField : sort === search.sort;
  const isDescending = search.sort === '' || search.isDescending;
  // The first click sorts numbers and times in descending order, and text in ascending order.
  const isNextDescending = isSorted ? !isDescending : isNumeric || sort.endsWith('_at') || sort === 'at';
  const params = { q: search.text, status: search.status, sort, order: isNextDescending ? 'desc' : 'asc' };
  const address = `${sectionPath(account, section)}${queryOf(params)}`;
  const arrow = isSorted ? html` <span aria-hidden="true">${isDescending ? '↓' : '↑'}</span>` : '';
  return {
    content: html`<a href="${address}" class="${isSorted ? 'sort sorted' : 'sort'}">${label}${arrow}</a>`,
    attributes: isSorted ? html` aria-sort="${isDescending ? 'descending' : 'ascending'}"` : html``,
  };
}

/** Links to files with the rows that a search finds. */
function exportLinks(
  { account, section }: DashboardLocation,
  filters: Readonly<Record<string, string>>,
  total: number,
): SafeHtml {
  const link = (format: string): SafeHtml =>
    html`<a href="${sectionPath(account, section)}.${format}${queryOf(filters)}" download hx-boost="false">${format.toUpperCase()}</a>`;
  const limit = total > maxExportedRows ? html` (the first ${maxExportedRows.toLocaleString('en')})` : '';
  return html`<p class="hint">Export ${link('csv')} ${link('json')}${limit}</p>`;
}

interface TableOptions<Row> {
  /** `rows` for a dense table in which a click anywhere in a row opens its record. */
  readonly className?: 'rows';
  readonly heading?: (column: Column<Row>) => { readonly content: SafeHtml | string; readonly attributes: SafeHtml };
}

/** A table that scrolls sideways on narrow screens. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  caption: string,
  { className, heading: headingOf = ({ label }) => ({ content: label, attributes: html`` }) }: TableOptions<Row> = {},
): SafeHtml {
  const numericClass = ({ isNumeric }: Column<Row>): SafeHtml => (isNumeric ? html` class="numeric"` : html``);
  const rowHeader = columns.findIndex(({ isSelection }) => !isSelection);
  const cells = (row: Row): SafeHtml[] =>
    columns.map((column, index) => {
      const value = column.show(row);
      return index === rowHeader ? html`<th scope="row">${value}</th>` : html`<td${numericClass(column)}>${value}</td>`;
    });
  const headings = columns.map((column) => {
    if (column.isSelection) return html`<th scope="col"><span class="visually-hidden">${column.label}</span></th>`;
    const { content, attributes } = headingOf(column);
    return html`<th scope="col"${numericClass(column)}${attributes}>${content}</th>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table${className === undefined ? '' : html` class="${className}"`}>
<caption>${caption}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
}

/**
 * Links to the previous and the next page of a list.
 * @param filters the search as URL parameters
 * @param position the current page, and the number of rows on all pages
 */
export function pageLinks(
  { account, section }: DashboardLocation,
  filters: Readonly<Record<string, string>>,
  { page, total }: { readonly page: number; readonly total: number },
): SafeHtml {
  const last = lastPage(total);
  if (last === 1) return html``;
  const pageUrl = (number: number): string =>
    `${sectionPath(account, section)}${queryOf({ ...filters, page: String(number) })}`;
  return html`<nav class="pages" aria-label="Pages">
${page > 1 ? html`<a href="${pageUrl(page - 1)}" rel="prev">← Previous</a>` : ''}
<span>Page ${page.toLocaleString('en')} of ${last.toLocaleString('en')}</span>
${page < last ? html`<a href="${pageUrl(page + 1)}" rel="next">Next →</a>` : ''}
</nav>`;
}
