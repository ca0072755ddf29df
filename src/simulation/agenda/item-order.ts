import type { AgendaItem } from '../../domain/agenda-item.js';
import type { AccountState } from '../state/account-state.js';
import { dueTimes } from '../state/apply-changes.js';

const ranks: ReadonlyMap<string, number> = new Map(Object.keys(dueTimes).map((kind, rank) => [kind, rank]));

/**
 * Compares two items that are due at the same time: by kind, then by the creation of their rows. The order does not
 * depend on when the items were planned, since a restart, a restore and a change of the profile plan all items again.
 */
export function compareItems(state: AccountState, a: AgendaItem, b: AgendaItem): number {
  if (a.kind !== b.kind) return (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0);
  if (a.kind === 'delivery-attempt') return compareDeliveries(state, a.id, b.id);
  const rows = dueTimes[a.kind].rowsOf(state);
  // Items of rows without a position stay in the order in which they were planned.
  return rows.positionOf ? rows.positionOf(a.id) - rows.positionOf(b.id) : 0;
}

/** Orders messages by their creation, except that an overtaken one comes after the message that overtook it. */
function compareDeliveries(
  { deliveries, reorderedDeliveries }: AccountState,
  a: AgendaItem['id'],
  b: AgendaItem['id'],
): number {
  // A group is a message with those that it overtakes, and has the position of that message.
  const orderOf = (id: AgendaItem['id']): readonly [group: number, isOvertaken: number, own: number] => {
    const overtaker = reorderedDeliveries.overtakerOf(String(id));
    const own = deliveries.positionOf(id);
    return overtaker ? [deliveries.positionOf(overtaker.id), 1, own] : [own, 0, own];
  };
  const [groupOfA, isAOvertaken, ownOfA] = orderOf(a);
  const [groupOfB, isBOvertaken, ownOfB] = orderOf(b);
  return groupOfA - groupOfB || isAOvertaken - isBOvertaken || ownOfA - ownOfB;
}
