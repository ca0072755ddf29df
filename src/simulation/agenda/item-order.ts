import type { AgendaItem, AgendaKind } from '../../domain/agenda-item.js';
import type { AccountState } from '../state/account-state.js';
import type { Table } from '../state/table.js';

/** Finds the position of a row in its table. */
type RowPositions = Pick<Table<{ readonly id: number | string }>, 'positionOf'>;

type CompareIds = (state: AccountState, a: AgendaItem['id'], b: AgendaItem['id']) => number;

/**
 * Kinds in the order in which their items run if they are due at the same time, each with the order of its own items;
 * null if they stay in the order in which they were planned.
 */
const orders: { readonly [Kind in AgendaKind]: CompareIds | null } = {
  'invoice-falls-due': byPosition(({ invoices }) => invoices),
  'payment-ends': byPosition(({ payments }) => payments),
  'deposit-expires': byPosition(({ deposits }) => deposits),
  'key-forgotten': null,
  'delivery-attempt': compareDeliveries,
  'mail-attempt': byPosition(({ mails }) => mails),
  'scenario-step': byPosition(({ runs }) => runs),
};

const ranks: ReadonlyMap<string, number> = new Map(Object.keys(orders).map((kind, rank) => [kind, rank]));

/**
 * Compares two items that are due at the same time. The order depends on the rows and not on when the items were
 * planned, since a restart, a restore and a change of the profile plan all items again.
 */
export function compareItems(state: AccountState, a: AgendaItem, b: AgendaItem): number {
  if (a.kind !== b.kind) return (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0);
  return orders[a.kind]?.(state, a.id, b.id) ?? 0;
}

/** Orders items by the creation of their rows. */
function byPosition(tableOf: (state: AccountState) => RowPositions): CompareIds {
  return (state, a, b) => {
    const table = tableOf(state);
    return table.positionOf(a) - table.positionOf(b);
  };
}

/** Orders messages by their creation, except that an overtaken one comes after the message that overtook it. */
function compareDeliveries(
  { deliveries, overtakings }: AccountState,
  a: AgendaItem['id'],
  b: AgendaItem['id'],
): number {
  const orderOf = (id: AgendaItem['id']): readonly [first: number, isOvertaken: number, own: number] => {
    const overtaker = overtakings.overtakerOf(String(id));
    const own = deliveries.positionOf(id);
    return overtaker ? [deliveries.positionOf(overtaker.id), 1, own] : [own, 0, own];
  };
  const [firstOfA, isAOvertaken, ownOfA] = orderOf(a);
  const [firstOfB, isBOvertaken, ownOfB] = orderOf(b);
  return firstOfA - firstOfB || isAOvertaken - isBOvertaken || ownOfA - ownOfB;
}
