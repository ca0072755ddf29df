import type { RowsByTable } from './changes.js';

/** A row that refers to a missing row. */
export interface BrokenReference {
  readonly table: keyof RowsByTable;
  readonly id: number | string;
  /** For example `invoices: row 5 refers to customer 9, which does not exist`. */
  readonly message: string;
}

interface Ids {
  has(id: number | string): boolean;
}

/**
 * Ids of the existing rows of each table that other tables refer to. An `AccountState` can be passed, since its tables
 * have the same names.
 */
interface ExistingIds {
  readonly customers: Ids;
  readonly invoices: Ids;
  readonly paymentLinks: Ids;
  readonly deliveries: Ids;
}

/** Lists rows that refer to missing rows. @param existing ids of the rows that exist; default: the ids in `contents` */
export function brokenReferences(contents: RowsByTable, existing: ExistingIds = idsOf(contents)): BrokenReference[] {
  const { customers, invoices, paymentLinks, deliveries } = existing;
  const broken: BrokenReference[] = [];
  const check = (
    table: keyof RowsByTable,
    row: { readonly id: number | string },
    reference: { readonly to: string; readonly existing: Ids; readonly id: number | string | null },
  ): void => {
    const { to, existing: existingIds, id } = reference;
    if (id === null || existingIds.has(id)) return;
    broken.push({ table, id: row.id, message: `${table}: row ${row.id} refers to ${to} ${id}, which does not exist` });
  };
  for (const row of contents.invoices ?? [])
    check('invoices', row, { to: 'customer', existing: customers, id: row.customer_id });
  for (const row of contents.payments ?? []) {
    check('payments', row, { to: 'invoice', existing: invoices, id: row.invoice_id });
    check('payments', row, { to: 'payment link', existing: paymentLinks, id: row.payment_link_id });
  }
  for (const row of contents.mails ?? [])
    check('mails', row, { to: 'invoice', existing: invoices, id: row.invoice_id });
  for (const row of contents.attempts ?? [])
    check('attempts', row, { to: 'delivery', existing: deliveries, id: row.delivery_id });
  for (const row of contents.deliveries ?? []) {
    // Because of a fault, a delivery may overtake earlier ones.
    for (const id of row.overtakes ?? []) check('deliveries', row, { to: 'delivery', existing: deliveries, id });
  }
  return broken;
}

/**
 * Removes rows with broken references until there are none, since a removed row may break other references.
 * @param report called for each broken reference
 * @returns the same object if no reference is broken
 */
export function withoutBrokenReferences(contents: RowsByTable, report: (broken: BrokenReference) => void): RowsByTable {
  let remaining = contents;
  for (let broken = brokenReferences(remaining); broken.length > 0; broken = brokenReferences(remaining)) {
    broken.forEach(report);
    const brokenRows = new Set(broken.map(({ table, id }) => `${table} ${id}`));
    const isIntact = (table: keyof RowsByTable) => (row: { readonly id: number | string }) =>
      !brokenRows.has(`${table} ${row.id}`);
    // These are the tables that `brokenReferences` checks.
    remaining = {
      ...remaining,
      invoices: (remaining.invoices ?? []).filter(isIntact('invoices')),
      payments: (remaining.payments ?? []).filter(isIntact('payments')),
      mails: (remaining.mails ?? []).filter(isIntact('mails')),
      attempts: (remaining.attempts ?? []).filter(isIntact('attempts')),
      deliveries: (remaining.deliveries ?? []).filter(isIntact('deliveries')),
    };
  }
  return remaining;
}

function idsOf({ customers, invoices, payment_links, deliveries }: RowsByTable): ExistingIds {
  const ids = (rows: readonly { readonly id: number | string }[] = []): Ids => new Set(rows.map(({ id }) => id));
  return {
    customers: ids(customers),
    invoices: ids(invoices),
    paymentLinks: ids(payment_links),
    deliveries: ids(deliveries),
  };
}
