import type { AgendaItem } from '../../domain/agenda-item.js';
import type { LiveAccount } from '../live-account.js';
import { type AgendaRows, type DueTimeRule, dueTimes } from '../state/apply-changes.js';

/**
 * Returns true if a queued message is still due. It may not be: while it waited, a user may have resent it, or the
 * advance of the clock that made it due may have been undone, because it could not be stored. A message that is now due
 * later is planned again.
 */
export function confirmDue<Kind extends 'delivery-attempt' | 'mail-attempt'>(
  account: LiveAccount,
  kind: Kind,
  row: AgendaRows[Kind] & Pick<AgendaItem, 'id'>,
): boolean {
  const { dueAt }: DueTimeRule<AgendaRows[Kind]> = dueTimes[kind];
  const at = dueAt(account, row);
  if (at === undefined) return false;
  if (at <= account.now()) return true;
  account.plan({ at, kind, id: row.id });
  return false;
}
