import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../../simulation/account.js';
import type { ListPage, PageQuery } from '../../simulation/state/table.js';
import { type ResponseData, success } from './response.js';

interface PagedList<Row> {
  readonly query: { readonly per_page: number; readonly page: number };
  readonly list: (page: PageQuery) => ListPage<Row>;
  /** Renders a row as JSON. */
  readonly view: (row: Row) => string;
  /** True if pages have the field `last_page` under every profile. Only the invoice list is documented to have it. */
  readonly alwaysHasLastPageField?: boolean;
}

/**
 * Responds with a page of a list in the pagination envelope (specification, Pagination envelope).
 * @throws ServiceError page-beyond-end
 */
export type Pager = <Row extends object>(account: Account, list: PagedList<Row>) => ResponseData;

/**
 * Renders each row once: records are replaced, never changed, so the text stays valid for the account. (Changing
 * the profile creates another account object.) A page is then only the joined texts of its rows, which saves most of
 * the work.
 */
export function createPager(): Pager {
  const renderedRows = new WeakMap<object, { readonly account: Account; readonly text: string }>();
  return (account, { query, view, list, alwaysHasLastPageField = false }) => {
    const { profile } = account;
    const size = query.per_page;
    const rowsOf = (page: number) => list({ page, size, newestFirst: profile['list.order'] === 'newest-first' });
    let number = query.page;
    let { rows, total } = rowsOf(number);
    const lastPage = Math.max(1, Math.ceil(total / size));
    if (number > lastPage && profile['page.beyond-end'] === '404') throw new ServiceError('page-beyond-end');
    if (number > lastPage && profile['page.beyond-end'] === 'last-page') {
      number = lastPage;
      ({ rows, total } = rowsOf(number));
    }

    const texts = rows.map((row) => {
      const cached = renderedRows.get(row);
      if (cached?.account === account) return cached.text;
      const text = view(row);
      renderedRows.set(row, { account, text });
      return text;
    });
    const lastPageField =
      alwaysHasLastPageField || profile['page.last-page-everywhere'] === 'present' ? `,"last_page":${lastPage}` : '';
    return success(
      200,
      `{"current_page":${number},"data":[${texts.join(',')}],"per_page":${size},"total":${total}${lastPageField}}`,
    );
  };
}
