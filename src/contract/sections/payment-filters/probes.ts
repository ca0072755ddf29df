import { isRecord } from '../../../lib/json.js';
import { NoMatchingChoice } from '../../calibrate/probe.js';
import { Skip } from '../../engine/check-errors.js';
import { recordsAt, requireSuccess, timestampOf } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { dayOf } from '../../predicates/filters.js';
import { recordOf } from '../fields.js';
import { listedPayments } from '../payments/setups.js';

/** UTC day of a timestamp; undefined for another value. */
function utcDayOf(value: unknown): string | undefined {
  const timestamp = timestampOf(value);
  return timestamp && dayOf(timestamp.at);
}

/**
 * True if a payment can show whether `from` and `to` filter by `created_at` or `paid_at`: it was not paid on the day of
 * its creation.
 */
function distinguishesDates(payment: JsonObject): boolean {
  const [createdOn, paidOn] = [utcDayOf(payment['created_at']), utcDayOf(payment['paid_at'])];
  return (
    createdOn !== undefined &&
    (payment['status'] === 'paid' ? paidOn !== undefined && paidOn !== createdOn : paidOn === undefined)
  );
}

/** Finds out whether `from` and `to` filter by the date of creation or payment. @throws Skip if no payment shows it */
export async function observeDateFilter(context: ClauseContext): Promise<'created-at' | 'paid-at' | NoMatchingChoice> {
  const payments = (await context.use(listedPayments)).map(recordOf).filter(isRecord);
  const payment = payments.find(distinguishesDates);
  if (!payment)
    throw new Skip({ missing: 'a payment that was not paid on the day of its creation', reason: 'none is listed' });
  const isFoundBy = async (day: string | undefined): Promise<boolean> => {
    if (day === undefined) return false;
    const page = requireSuccess(await context.get(`/payments?from=${day}&to=${day}&per_page=100`));
    return recordsAt(page.json, 'data.data').some(({ id }) => id === payment['id']);
  };
  const [isFoundByCreationDay, isFoundByPaymentDay] = [
    await isFoundBy(utcDayOf(payment['created_at'])),
    await isFoundBy(utcDayOf(payment['paid_at'])),
  ];
  if (isFoundByCreationDay && !isFoundByPaymentDay) return 'created-at';
  // An unpaid payment has no day of payment. If its day of creation does not find it, the filter is about `paid_at`.
  const isPaid = payment['status'] === 'paid';
  return !isFoundByCreationDay && (isFoundByPaymentDay || !isPaid)
    ? 'paid-at'
    : new NoMatchingChoice(
        isFoundByCreationDay
          ? 'the payment is found both by its day of creation and by its day of payment'
          : 'the payment is found neither by its day of creation nor by its day of payment',
      );
}
