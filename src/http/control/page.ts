import type { components } from '../../generated/control-validated-types.js';
import { memberOf } from '../../lib/member-of.js';

/** The response of every list of the control API. */
type PageOf<View> = components['schemas']['Page'] & { readonly data: readonly View[] };

interface PageQuery {
  readonly page: number;
  readonly per_page: number;
}

/** Rows in order of creation, and the view of a row. */
interface List<Row, View> {
  readonly rows: readonly Row[];
  readonly view: (row: Row) => View;
  readonly newestFirst?: boolean;
}

/**
 * Gives one page of a list.
 * @param query the page, and values that fields of the views must have
 */
export function pageOf<Row, View extends object>(
  { page, per_page, ...filters }: PageQuery,
  { rows, view, newestFirst = false }: List<Row, View>,
): PageOf<View> {
  const activeFilters = Object.entries(filters).filter(([, value]) => value !== undefined);
  const first = (page - 1) * per_page;
  const data: View[] = [];
  let total = 0;
  for (let index = 0; index < rows.length; index++) {
    const isWithin = total >= first && data.length < per_page;
    const row = rows[newestFirst ? rows.length - 1 - index : index];
    // Views are built only for rows that are shown or filtered.
    if (row === undefined) continue;
    if (isWithin || activeFilters.length > 0) {
      const shown = view(row);
      if (!activeFilters.every(([field, value]) => memberOf(shown, field) === value)) continue;
      if (isWithin) data.push(shown);
    }
    total += 1;
  }
  return { current_page: page, data, per_page, total, last_page: Math.max(1, Math.ceil(total / per_page)) };
}
