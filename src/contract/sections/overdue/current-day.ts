import { dayMs } from '../../../lib/durations.js';
import { Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import { recordsAt, requireSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { dayOf } from '../../predicates/filters.js';
import { tryCreateInvoice } from '../attempts.js';
import { requireRecord } from '../created-records.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import { isListedAsOverdue } from '../invoice-list/setups.js';

/** The current day according to a record, in days since 1970: its due date plus the days that it is overdue. */
export function currentDayAccordingTo(record: JsonObject): number {
  return Date.parse(String(record['due_date'])) / dayMs + Number(record['days_overdue']);
}

/**
 * Creates an invoice that was due on the day before the current one, as `days_overdue` of another invoice shows it. If
 * `days_overdue` is too high, the new invoice is not overdue yet. Does nothing if a new invoice that was due a few days
 * ago is not listed, since the target may look for overdue invoices only once a day.
 * @throws Violation unless the new invoice is listed
 */
export async function expectDueDayBeforeListed(context: ClauseContext): Promise<void> {
  const { page, recentInvoice } = await context.use(overdueListWithNewInvoices);
  const recent = recordsAt(page.json, 'data').find(({ id }) => id === recentInvoice.record['id']);
  if (!recent) return;
  const dueDate = dayOf((currentDayAccordingTo(recent) - 1) * dayMs);
  const invoice = requireRecord(await tryCreateInvoice(context, { date: dueDate, due_date: dueDate }));
  const list = await eventually(
    context,
    async () => requireSuccess(await context.get('/invoices/overdue')),
    (overdue) => isListedAsOverdue(overdue, invoice),
  );
  if (isListedAsOverdue(list, invoice)) return;
  const { id, due_date: recentDueDate, days_overdue: days } = recent;
  throw new Violation(
    `invoice ${invoice['id']}, due on ${dueDate}, to be listed: that day is over if invoice ${id}, due on ${recentDueDate}, is ${days} days overdue`,
    'a list without it',
    list,
  );
}
