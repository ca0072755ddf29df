import { aTimestamp, recordsAt, succeeded } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';
import { tryInvoice, tryLink } from '../attempts.js';
import { laterInvoice, type Row, recordOf } from '../invoice-creation/setups.js';
import { overduePage } from '../invoice-list/setups.js';

const day = 86_400_000;

/** Distinguishes `never` from a day in another time zone than UTC. @throws Skip if neither is visible */
export async function overdueMoment(context: ClauseContext): Promise<'never' | 'account-day'> {
  // An invoice that is never paid.
  const { record } = await context.use(laterInvoice);
  if (!(await isOverdue(context, record))) {
    const listed = recordsAt(succeeded(await context.use(overduePage)).json, 'data');
    const isListed = listed.some(({ id }) => id === record['id']);
    if (isListed && !listed.some(({ status }) => status === 'overdue')) return 'never';
    throw new Blocked('an invoice that was due long ago is not overdue, or not at once');
  }
  const start = await today(context);
  const isDue = async (days: number): Promise<boolean> => {
    const due = dateOf(start + days * day);
    return isOverdue(context, recordOf(await tryInvoice(context, { date: dateOf(start - 2 * day), due_date: due })));
  };
  const [yesterdayIs, todayIs] = [await isDue(-1), await isDue(0)];
  if (dateOf(start) !== dateOf(await today(context))) throw new Skip('a day that does not end', 'it is midnight');
  if (!yesterdayIs || todayIs) return 'account-day';
  throw new Skip('another hour', 'as the day is now, UTC and the time zone of the account cannot be told apart');
}

async function isOverdue(context: ClauseContext, { id }: Row): Promise<boolean> {
  return recordOf(await context.get(`/invoices/${id}`))['status'] === 'overdue';
}

/**
 * Time of the target's clock, which may differ from ours, in milliseconds since 1970.
 * @throws Skip if the target does not show it
 */
async function today(context: ClauseContext): Promise<number> {
  const time = recordOf(await tryLink(context, {}))['created_at'];
  if (!aTimestamp.matches(time)) throw new Skip('`created_at`', 'a new link does not show it');
  return Date.parse(String(time));
}

function dateOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
