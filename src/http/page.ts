import { Refusal } from '../domain/refusal.js';
import type { Account } from '../simulation/account.js';
import type { Listed } from '../simulation/invoices.js';
import type { Page } from '../simulation/table.js';
import type { Answer } from './answer.js';

interface PagedList<Row> {
  readonly query: { readonly per_page: number; readonly page: number };
  /** The JSON of a row. */
  readonly view: (account: Account, row: Row) => string;
  readonly list: (page: Page) => Listed<Row>;
  /** Only the invoice list is documented to heed `page` and to carry `last_page`. */
  readonly isInvoiceList?: boolean;
}

/** Answers one page of a list in the pagination envelope (specification, Pagination envelope). @throws Refusal page-beyond-end */
export type Pager = <Row extends object>(account: Account, list: PagedList<Row>) => Answer;

/**
 * A row is written out once and kept in UTF-8: records are replaced, never changed, so it is right as long as its record
 * is alive. A page is then a copy of bytes; this, not routing or storing, is what most of its time would go into.
 */
export function createPager(): Pager {
  // Each begins with the comma that parts it from the row before.
  const written = new WeakMap<object, Buffer>();
  return (account, { query, view, list, isInvoiceList = false }) => {
    const { profile } = account;
    const size = query.per_page;
    const page = isInvoiceList || profile['page.page-everywhere'] === 'honoured' ? query.page : 1;
    const { rows, total } = list({ page, size, newestFirst: profile['list.order'] === 'newest-first' });
    const lastPage = Math.max(1, Math.ceil(total / size));
    if (page > lastPage && profile['page.beyond-end'] === '404') throw new Refusal('page-beyond-end');

    const last = isInvoiceList || profile['page.last-page-everywhere'] === 'present' ? `,"last_page":${lastPage}` : '';
    const parts: Buffer[] = [Buffer.from(`{"success":true,"data":{"current_page":${page},"data":[`)];
    for (const row of rows) {
      let bytes = written.get(row);
      if (!bytes) {
        bytes = Buffer.from(`,${view(account, row)}`);
        written.set(row, bytes);
      }
      parts.push(parts.length === 1 ? bytes.subarray(1) : bytes);
    }
    parts.push(Buffer.from(`],"per_page":${size},"total":${total}${last}}}`));
    return { status: 200, body: Buffer.concat(parts) };
  };
}
