import { dayMs } from '../../../lib/durations.js';
import { NoMatchingChoice } from '../../calibrate/probe.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { recordsAt, requireSuccess, timestampOf } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { dayOf } from '../../predicates/filters.js';
import { tryCreateInvoice, tryCreateLink } from '../attempts.js';
import { mayBeOnDay } from '../clock.js';
import { requireRecord } from '../created-records.js';
import { invoicePath, secondPastDueInvoice } from '../invoice-creation/setups.js';
import { overdueResponse } from '../invoice-list/setups.js';
import { readCreatedRecord } from '../read-created-record.js';

/**
 * Finds out when the status of an unpaid invoice becomes `overdue`: `never`, although the invoice is in the overdue
 * list; or `account-day`, when its due date has passed in the account's time zone, which differs from UTC.
 * @throws Skip while UTC and the account's time zone have the same date, since a target that goes by UTC gives the same
 * results then. Blocked if an invoice that was due long ago is not overdue, and the overdue list does not explain why
 */
export async function observeOverdueMoment(
  context: ClauseContext,
): Promise<'never' | 'account-day' | NoMatchingChoice> {
  // The suite never pays this invoice.
  const { record } = await context.use(secondPastDueInvoice);
  if (!(await isOverdue(context, record))) {
    const listed = recordsAt(requireSuccess(await context.use(overdueResponse)).json, 'data');
    const isListed = listed.some(({ id }) => id === record['id']);
    if (isListed && !listed.some(({ status }) => status === 'overdue')) return 'never';
    throw new Blocked('an invoice that was due long ago is not overdue, or becomes overdue only later');
  }
  const startMs = await targetTimeMs(context);
  const isOverdueIfDueIn = async (days: number): Promise<boolean> => {
    const changes = { date: dayOf(startMs - 2 * dayMs), due_date: dayOf(startMs + days * dayMs) };
    return isOverdue(context, requireRecord(await tryCreateInvoice(context, changes)));
  };
  const [isOverdueIfDueYesterday, isOverdueIfDueToday] = [await isOverdueIfDueIn(-1), await isOverdueIfDueIn(0)];
  if (dayOf(startMs) !== dayOf(await targetTimeMs(context))) {
    throw new Skip({ missing: 'a run within one day', reason: 'this run passed midnight UTC' });
  }
  // If only UTC counted, an invoice that was due yesterday would be overdue, and one that is due today would not. The day
  // of another time zone explains the difference only at some hours.
  const dayIn = (days: number): string => dayOf(startMs + days * dayMs);
  if (!isOverdueIfDueYesterday && (isOverdueIfDueToday || !mayBeOnDay(startMs, dayIn(-1))))
    return new NoMatchingChoice('an invoice that was due on the day before is not overdue');
  if (isOverdueIfDueToday && !mayBeOnDay(startMs, dayIn(1)))
    return new NoMatchingChoice('an invoice is overdue on its due date');
  if (!isOverdueIfDueYesterday || isOverdueIfDueToday) return 'account-day';
  throw new Skip({
    missing: 'another time of day',
    reason: 'at this hour it is the same day in UTC and in the time zone of the account',
  });
}

async function isOverdue(context: ClauseContext, invoice: JsonObject): Promise<boolean> {
  return requireRecord(await readCreatedRecord(context, invoicePath(invoice)))['status'] === 'overdue';
}

/**
 * Reads the target's clock, which may differ from the suite's, in milliseconds since 1970.
 * @throws Skip if the target does not show it
 */
async function targetTimeMs(context: ClauseContext): Promise<number> {
  const time = timestampOf(requireRecord(await tryCreateLink(context, {}))['created_at']);
  if (!time) throw new Skip({ missing: '`created_at`', reason: 'a new link does not show it' });
  return time.at;
}
