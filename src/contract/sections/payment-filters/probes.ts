import { isRecord } from '../../../lib/json.js';
import { NoMatchingChoice } from '../../calibrate/probe.js';
import { aTimestamp, recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Skip } from '../../engine/verdict.js';
import type { Row } from '../invoice-creation/setups.js';
import { listedPayments } from '../payments/setups.js';

/** UTC day of a timestamp; undefined for another value. */
function dayOf(time: unknown): string | undefined {
  return aTimestamp.matches(time) ? new Date(String(time)).toISOString().slice(0, 10) : undefined;
}

/**
 * True if a payment can show which date a filter compares: it was paid on a day other than that of its creation, or has
 * not been paid.
 */
function showsFilteredDate(payment: Row): boolean {
  const [createdOn, paidOn] = [dayOf(payment['created_at']), dayOf(payment['paid_at'])];
  return (
    createdOn !== undefined &&
    (payment['status'] === 'paid' ? paidOn !== undefined && paidOn !== createdOn : paidOn === undefined)
  );
}

/** Finds out which date `from` and `to` compare. @throws Skip if no payment shows it */
export async function observeDateFilter(context: ClauseContext): Promise<'created-at' | 'paid-at' | NoMatchingChoice> {
  const payments = (await context.use(listedPayments))
    .map(({ page, path }) => valueAt(page.json, path))
    .filter(isRecord);
  const payment = payments.find(showsFilteredDate);
  if (!payment)
    throw new Skip({ missing: 'a payment that is not paid on the day it is created', reason: 'none is listed' });
  const isFound = async (day: string | undefined): Promise<boolean> => {
    if (day === undefined) return false;
    const page = requireSuccess(await context.get(`/payments?from=${day}&to=${day}&per_page=100`));
    return recordsAt(page.json, 'data.data').some(({ id }) => id === payment['id']);
  };
  const [isFoundByCreation, isFoundByPayment] = [
    await isFound(dayOf(payment['created_at'])),
    await isFound(dayOf(payment['paid_at'])),
  ];
  if (isFoundByCreation && !isFoundByPayment) return 'created-at';
  const isPaid = payment['status'] === 'paid';
  return !isFoundByCreation && (isFoundByPayment || !isPaid)
    ? 'paid-at'
    : new NoMatchingChoice('a range finds the payment by both dates, or by none');
}
