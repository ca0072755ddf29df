import type { RowChanges } from './changes.js';

/** A row with a reference to a missing row. */
export interface BrokenReference {
  readonly table: keyof RowChanges;
  readonly id: number | string;
  /** For example `invoice 5 names customer 9, which does not exist`. */
  readonly message: string;
}

/** Rows of an account with a reference to a missing row. */
export function brokenReferences(contents: RowChanges): BrokenReference[] {
  const ids = (rows: readonly { readonly id: number | string }[] = []): ReadonlySet<number | string> =>
    new Set(rows.map(({ id }) => id));
  const customers = ids(contents.customers);
  const invoices = ids(contents.invoices);
  const links = ids(contents.payment_links);
  const deliveries = ids(contents.deliveries);
  const broken: BrokenReference[] = [];
  const check = (
    table: keyof RowChanges,
    row: { readonly id: number | string },
    [name, known, id]: readonly [string, ReadonlySet<number | string>, number | string | null],
  ): void => {
    if (id === null || known.has(id)) return;
    broken.push({ table, id: row.id, message: `${table}: ${row.id} names ${name} ${id}, which does not exist` });
  };
  for (const row of contents.invoices ?? []) check('invoices', row, ['customer', customers, row.customer_id]);
  for (const row of contents.payments ?? []) {
    check('payments', row, ['invoice', invoices, row.invoice_id]);
    check('payments', row, ['payment link', links, row.payment_link_id]);
  }
  for (const row of contents.mails ?? []) check('mails', row, ['invoice', invoices, row.invoice_id]);
  for (const row of contents.attempts ?? []) check('attempts', row, ['delivery', deliveries, row.delivery_id]);
  for (const row of contents.deliveries ?? []) {
    for (const id of row.releases ?? []) check('deliveries', row, ['delivery', deliveries, id]);
  }
  return broken;
}
