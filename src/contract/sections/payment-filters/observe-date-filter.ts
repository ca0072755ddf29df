import { isRecord } from '../../../lib/json.js';
import { NoMatchingChoice } from '../../calibrate/probe.js';
import { Skip } from '../../engine/check-errors.js';
import { timestampOf } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { addDays, dayOf } from '../../predicates/filters.js';
import { mayBeOnDay } from '../clock.js';
import { recordOf } from '../fields.js';
import { toListPage } from '../paging/setups.js';
import { listedPayments } from '../payments/setups.js';

/** UTC day of a timestamp; undefined for any other value. */
function utcDayOf(value: unknown): string | undefined {
  const timestamp = timestampOf(value);
  return timestamp && dayOf(timestamp.at);
}

/**
 * True if a payment can show whether `from` and `to` filter by `created_at` or `paid_at`: it is unpaid, or in no time zone
 * was it paid on the UTC day of its creation, nor created on the UTC day of its payment.
 */
function distinguishesDates(payment: JsonObject): boolean {
  const created = timestampOf(payment['created_at']);
  const paid = timestampOf(payment['paid_at']);
  if (!created) return false;
  if (payment['status'] !== 'paid') return paid === undefined;
  return paid !== undefined && !mayBeOnDay(created.at, dayOf(paid.at)) && !mayBeOnDay(paid.at, dayOf(created.at));
}

/** Finds out whether `from` and `to` filter by the date of creation or payment. @throws Skip if no payment shows it */
export async function observeDateFilter(context: ClauseContext): Promise<'created-at' | 'paid-at' | NoMatchingChoice> {
  const payments = (await context.use(listedPayments)).map(recordOf).filter(isRecord).filter(distinguishesDates);
  const payment = payments.find(({ status }) => status === 'paid') ?? payments[0];
  const creationDay = utcDayOf(payment?.['created_at']);
  if (!payment || creationDay === undefined)
    throw new Skip({
      missing: 'a payment that is unpaid, or was not paid on the day of its creation',
      reason: 'none is listed',
    });
  const isFoundBetween = async (from: string, to: string): Promise<boolean> => {
    const { records, isWholeList } = toListPage(await context.get(`/payments?from=${from}&to=${to}&per_page=100`));
    const isFound = records.some(({ id }) => id === payment['id']);
    if (!isFound && !isWholeList)
      throw new Skip({ missing: 'a page with all payments of these days', reason: 'they do not fit on one page' });
    return isFound;
  };
  const isFoundByCreationDay = await isFoundBetween(creationDay, creationDay);
  const paymentDay = utcDayOf(payment['paid_at']);
  if (paymentDay === undefined) {
    if (!isFoundByCreationDay) {
      // If no range around its creation finds an unpaid payment either, the filter uses `paid_at`.
      return (await isFoundBetween(addDays(creationDay, -2), addDays(creationDay, 2)))
        ? new NoMatchingChoice(
            'the payment is found within two days of its creation, but not by its UTC day of creation',
          )
        : 'paid-at';
    }
    return (await isFoundBetween(addDays(creationDay, 3), addDays(creationDay, 3)))
      ? new NoMatchingChoice('the payment is also found three days after its creation')
      : 'created-at';
  }
  const isFoundByPaymentDay = await isFoundBetween(paymentDay, paymentDay);
  if (isFoundByCreationDay !== isFoundByPaymentDay) return isFoundByCreationDay ? 'created-at' : 'paid-at';
  return new NoMatchingChoice(
    isFoundByCreationDay
      ? 'the payment is found both by its day of creation and by its day of payment'
      : 'the payment is found neither by its day of creation nor by its day of payment',
  );
}
