import { html, type SafeHtml } from '@remix-run/html-template';
import { addressOf, live, type Place } from './dashboard.js';

export interface Column<Row> {
  readonly label: string;
  /** True for numbers, which are aligned right. */
  readonly isFigure?: boolean;
  readonly show: (row: Row) => SafeHtml | string | number | null;
}

/** A search, and the page of its results. */
export interface Search {
  readonly text: string;
  /** Empty for all. */
  readonly status: string;
  /** Counts from 1. */
  readonly page: number;
}

export interface List<Row> {
  /** The plural noun of the rows: `invoices`. */
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** The rows of this page. */
  readonly rows: readonly Row[];
  /** The order; by default `newest first`. */
  readonly order?: string;
  /** Number of rows on all pages. */
  readonly total: number;
  readonly search: Search;
  /** Placeholder of the search field: the fields that are searched. */
  readonly hint: string;
  readonly statuses: readonly string[];
  /** Shown for an empty list: how to create the first row. */
  readonly empty: SafeHtml;
}

/** Number of rows on a page. */
export const pageSize = 25;

/** A page of a list with its search form. */
export function list<Row>(place: Place, view: List<Row>): SafeHtml {
  return html`${searchForm(place, view)}
${live(place, 'list', html`${results(place, view)}`)}`;
}

function searchForm(
  { account, section }: Place,
  { search, hint, statuses }: Pick<List<never>, 'search' | 'hint' | 'statuses'>,
): SafeHtml {
  const choices = statuses.map(
    (status) => html`<option${status === search.status ? ' selected' : ''}>${status}</option>`,
  );
  const status = html`<label>Status <select name="status"><option value="">all</option>${choices}</select></label>`;
  return html`<form action="${addressOf(account, section)}" method="get" role="search" class="search">
<label>Search <input type="search" name="q" value="${search.text}" placeholder="${hint}"></label>
${statuses.length === 0 ? '' : status}
<button class="quiet">Search</button>
</form>`;
}

function results<Row>(
  place: Place,
  { noun, columns, rows, order = 'newest first', total, search, empty }: List<Row>,
): SafeHtml {
  const isSearched = search.text !== '' || search.status !== '';
  if (total === 0 && isSearched) {
    const all = addressOf(place.account, place.section);
    return html`<p class="empty">No ${noun} match. <a href="${all}">Show all</a></p>`;
  }
  if (total === 0) return html`<div class="sheet empty">${empty}</div>`;
  const first = (search.page - 1) * pageSize + 1;
  const caption = `${first.toLocaleString('en')}–${(first + rows.length - 1).toLocaleString('en')} of ${total.toLocaleString('en')} ${noun}, ${order}`;
  return html`<div class="sheet">
${table(columns, rows, caption)}
${pages(place, search, total)}
</div>`;
}

/** A table that scrolls sideways on narrow screens. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], caption: string): SafeHtml {
  const figure = ({ isFigure }: Column<Row>): SafeHtml => (isFigure ? html` class="figure"` : html``);
  const cells = (row: Row): SafeHtml[] =>
    columns.map((column, index) => {
      const value = column.show(row);
      return index === 0 ? html`<th scope="row">${value}</th>` : html`<td${figure(column)}>${value}</td>`;
    });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${figure(column)}>${column.label}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
}

function pages({ account, section }: Place, { text, status, page }: Search, total: number): SafeHtml {
  const last = Math.ceil(total / pageSize);
  if (last <= 1) return html``;
  const to = (number: number): string => {
    const query = new URLSearchParams({
      ...(text === '' ? {} : { q: text }),
      ...(status === '' ? {} : { status }),
      page: String(number),
    });
    return `${addressOf(account, section)}?${query}`;
  };
  return html`<nav class="pages" aria-label="Pages">
${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">← Previous</a>` : ''}
<span>Page ${page} of ${last.toLocaleString('en')}</span>
${page < last ? html`<a href="${to(page + 1)}" rel="next">Next →</a>` : ''}
</nav>`;
}
