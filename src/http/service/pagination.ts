import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../../simulation/account.js';
import type { ListPage, PageQuery } from '../../simulation/state/table.js';
import type { ResponseData } from './response.js';

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
export type Pager = <Row extends object>(account: Account, list: PagedList<Row>) => ResponseData<Buffer>;

const noBytes = Buffer.alloc(0);

/**
 * Renders each row once, so a record must have the same view in all lists. Records are replaced, never changed, so the
 * bytes stay valid for the account. (Changing the profile creates another account object.) A page is then only the
 * joined bytes of its rows, which saves most of the work. Joined strings would be encoded again for every response,
 * which took up to a third of the response time.
 */
export function createPager(): Pager {
  const renderedRows = new WeakMap<object, { readonly account: Account; readonly bytes: Buffer }>();
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

    const chunks = rows.map((row) => {
      const cached = renderedRows.get(row);
      if (cached?.account === account) return cached.bytes;
      const bytes = Buffer.from(`,${view(row)}`);
      renderedRows.set(row, { account, bytes });
      return bytes;
    });
    const lastPageField =
      alwaysHasLastPageField || profile['page.last-page-everywhere'] === 'present' ? `,"last_page":${lastPage}` : '';
    const start = Buffer.from(`{"success":true,"data":{"current_page":${number},"data":[`);
    const end = Buffer.from(`],"per_page":${size},"total":${total}${lastPageField}}}`);
    const [first = noBytes, ...others] = chunks;
    return { status: 200, body: Buffer.concat([start, first.subarray(1), ...others, end]) };
  };
}
