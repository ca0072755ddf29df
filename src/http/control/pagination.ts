import type { components } from '../../generated/control-validated-types.js';
import { memberOf } from '../../lib/json.js';

/** The response of every list of the control API. */
type PageOf<View> = components['schemas']['Page'] & { readonly data: readonly View[] };

interface PageQuery {
  readonly page: number;
  readonly per_page: number;
  /** Filters: the value that a field of the listed objects must have, or undefined for any value. */
  readonly [field: string]: unknown;
}

/** Rows, and the function that converts a row to JSON. */
interface List<Row, View> {
  readonly rows: readonly Row[];
  readonly view: (row: Row) => View;
  /** Lists the newest row first. The rows must be in order of creation. */
  readonly newestFirst?: boolean;
}

/** Builds one page of a list. */
export function pageOf<Row, View extends object>(
  { page, per_page, ...filters }: PageQuery,
  { rows, view, newestFirst = false }: List<Row, View>,
): PageOf<View> {
  const activeFilters = Object.entries(filters).filter(([, value]) => value !== undefined);
  const offset = (page - 1) * per_page;
  const data: View[] = [];
  let total = 0;
  for (let index = 0; index < rows.length; index++) {
    const isOnPage = total >= offset && data.length < per_page;
    const row = rows[newestFirst ? rows.length - 1 - index : index];
    if (row === undefined) continue;
    // Without filters, rows of other pages need no view.
    if (isOnPage || activeFilters.length > 0) {
      const item = view(row);
      if (!activeFilters.every(([field, value]) => memberOf(item, field) === value)) continue;
      if (isOnPage) data.push(item);
    }
    total += 1;
  }
  return { current_page: page, data, per_page, total, last_page: Math.max(1, Math.ceil(total / per_page)) };
}
