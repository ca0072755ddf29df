import type { Consequence, RecordReference } from '../../domain/activity.js';
import type { StatusChange } from '../../domain/records.js';
import { transitionOf } from '../agenda/receipt.js';
import type { AccountState } from '../state/account-state.js';
import type { RowChanges } from '../state/changes.js';

/**
 * A record that a commit creates or changes. Its consequences are computed when the log is read: computing them earlier
 * would slow down every request that writes, and most are never read.
 */
export interface ChangedRecord {
  readonly kind: 'record';
  /** Time of the commit. */
  readonly at: string;
  readonly resource: RecordReference['resource'];
  readonly row: Row;
  /** Number of entries of its history before the commit; undefined for a new record. */
  readonly knownHistory: number | undefined;
}

interface Row {
  readonly id: number | string;
  /** Customers and payment links have none. */
  readonly history?: readonly StatusChange<string>[];
}

/** Lists the records that a commit creates, then those whose history it extends. Call it before applying the commit. */
export function changedRecordsOf(changes: RowChanges, account: AccountState, at: string): ChangedRecord[] {
  const created: ChangedRecord[] = [];
  const changed: ChangedRecord[] = [];
  const add = (
    resource: RecordReference['resource'],
    rows: readonly Row[] | undefined,
    known: { get(id: number | string): Row | undefined },
  ): void => {
    if (!rows) return;
    for (const row of rows) {
      const before = known.get(row.id);
      const knownHistory = before && (before.history?.length ?? 0);
      if (knownHistory === undefined) created.push({ kind: 'record', at, resource, row, knownHistory });
      else if (row.history && row.history.length > knownHistory)
        changed.push({ kind: 'record', at, resource, row, knownHistory });
    }
  };
  add('customer', changes.customers, account.customers);
  add('invoice', changes.invoices, account.invoices);
  add('payment_link', changes.payment_links, account.paymentLinks);
  add('payment', changes.payments, account.payments);
  add('deposit', changes.deposits, account.deposits);
  return changed.length === 0 ? created : [...created, ...changed];
}

/** Number of consequences of a record, without listing them. */
export function countConsequences({ row: { history = [] }, knownHistory }: ChangedRecord): number {
  return knownHistory === undefined ? history.length + 1 : history.length - knownHistory;
}

/** Lists the consequences of a commit for a record: its creation and its transitions. */
export function consequencesOf({
  at,
  resource,
  row: { id, history = [] },
  knownHistory,
}: ChangedRecord): Consequence[] {
  const created: Consequence[] = knownHistory === undefined ? [{ kind: 'created', at, subject: { resource, id } }] : [];
  // Customers and payment links have no history.
  if (resource !== 'invoice' && resource !== 'payment' && resource !== 'deposit') return created;
  const transitions = history.slice(knownHistory).map((change) => transitionOf({ resource, id }, change));
  return [...created, ...transitions];
}
