import { isRecord } from '../../../lib/is-record.js';
import { Unlisted } from '../../calibrate/probe.js';
import { aTimestamp, recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Skip } from '../../engine/verdict.js';
import type { Row } from '../invoice-creation/setups.js';
import { listedPayments } from '../payments/setups.js';

/** UTC day of a timestamp; undefined for another value. */
function dayOf(time: unknown): string | undefined {
  return aTimestamp.matches(time) ? new Date(String(time)).toISOString().slice(0, 10) : undefined;
}

/** Whether a payment distinguishes the dates: it was paid on another day than it was created, or not at all. */
function isTelling(payment: Row): boolean {
  const [made, paid] = [dayOf(payment['created_at']), dayOf(payment['paid_at'])];
  return (
    made !== undefined && (payment['status'] === 'paid' ? paid !== undefined && paid !== made : paid === undefined)
  );
}

/** Date that `from` and `to` compare. @throws Skip if no payment shows it */
export async function dateFilter(context: ClauseContext): Promise<'created-at' | 'paid-at' | Unlisted> {
  const payments = (await context.use(listedPayments)).map(({ page, at }) => valueAt(page.json, at)).filter(isRecord);
  const payment = payments.find(isTelling);
  if (!payment) throw new Skip('a payment that is not paid on the day it is made', 'none is listed');
  const isFound = async (day: string | undefined): Promise<boolean> => {
    if (day === undefined) return false;
    const page = succeeded(await context.get(`/payments?from=${day}&to=${day}&per_page=100`));
    return recordsAt(page.json, 'data.data').some(({ id }) => id === payment['id']);
  };
  const [byMade, byPaid] = [await isFound(dayOf(payment['created_at'])), await isFound(dayOf(payment['paid_at']))];
  if (byMade && !byPaid) return 'created-at';
  const isPaid = payment['status'] === 'paid';
  return !byMade && (byPaid || !isPaid)
    ? 'paid-at'
    : new Unlisted('a range finds the payment by both dates, or by none');
}
