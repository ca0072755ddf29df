import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import type { AccountState } from '../state/account-state.js';
import type { Table } from '../state/table.js';

/** Finds the position of a row in its table. */
type RowPositions = Pick<Table<{ readonly id: number | string }>, 'positionOf'>;

/**
 * Kinds in the order in which their items run if they are due at the same time, each with the table that orders its
 * items; null if they stay in the order in which they were planned.
 */
const tables: { readonly [Kind in AgendaKind]: ((state: AccountState) => RowPositions) | null } = {
  'invoice-falls-due': ({ invoices }) => invoices,
  'payment-ends': ({ payments }) => payments,
  'deposit-expires': ({ deposits }) => deposits,
  'key-forgotten': null,
  // A message is planned after the one that overtakes it, and sent after it, although it was created before.
  'delivery-attempt': null,
  'mail-attempt': ({ mails }) => mails,
  'scenario-step': ({ runs }) => runs,
};

const ranks: ReadonlyMap<string, number> = new Map(Object.keys(tables).map((kind, rank) => [kind, rank]));

/**
 * Compares two items that are due at the same time. The order depends on the rows and not on when the items were
 * planned, since a restart, a restore and a change of the profile plan all items again.
 */
export function compareItems(state: AccountState, a: AgendaItem, b: AgendaItem): number {
  if (a.kind !== b.kind) return (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0);
  const table = tables[a.kind]?.(state);
  return table ? table.positionOf(a.id) - table.positionOf(b.id) : 0;
}
