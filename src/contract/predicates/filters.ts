import { dayMs } from '../../lib/durations.js';
import type { JsonObject } from '../engine/json.js';
import { timestampOf } from './matchers.js';

/**
 * These functions decide whether a record matches a filter of a list, as far as the specification defines the filter. A
 * record that does not show the filtered field could match, so it is treated as a match.
 */

/** Filters of the list of payments. */
interface PaymentFilters extends DateRange {
  readonly description?: string | undefined;
  readonly status?: string | undefined;
}

/** The first and the last day of a range. */
interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** True if a string contains another. Ignores case and accents, since implementations may ignore them. */
export function containsText(text: unknown, part: string): boolean {
  return foldCase(String(text ?? '')).includes(foldCase(part));
}

/**
 * True if a payment is from a day between two dates, inclusive. Allows a tolerance of one day, and accepts the time
 * of creation or of payment: the specification does not say which time counts, or in which time zone.
 */
export function isBetweenDates(record: JsonObject, { from, to }: DateRange): boolean {
  const dates = [record['created_at'], record['paid_at']].filter((date) => date !== undefined && date !== null);
  const timestamps = dates.flatMap((date) => timestampOf(date) ?? []);
  if (timestamps.length === 0 || timestamps.length < dates.length) return true;
  return timestamps.some(
    ({ at }) =>
      (from === undefined || at >= Date.parse(from) - dayMs) && (to === undefined || at < Date.parse(to) + 2 * dayMs),
  );
}

/** True if a payment matches all filters in a query of the list of payments. */
export function matchesPaymentFilters(record: JsonObject, { description, status, from, to }: PaymentFilters): boolean {
  return (
    (description === undefined ||
      record['description'] === undefined ||
      containsText(record['description'], description)) &&
    (status === undefined || hasStatus(record, status)) &&
    isBetweenDates(record, { from, to })
  );
}

/**
 * Compares a deposit's booking reference with a filter value. `whole`: they are equal. `part`: the reference contains
 * the value, ignoring case and accents. `none`: it does not. `unknown`: the deposit does not show its reference.
 */
export function bookingMatch(
  { booking_reference: reference }: JsonObject,
  filterValue: string,
): 'whole' | 'part' | 'none' | 'unknown' {
  if (typeof reference !== 'string') return 'unknown';
  if (reference.normalize() === filterValue.normalize()) return 'whole';
  return containsText(reference, filterValue) ? 'part' : 'none';
}

/** True if a record has the status that a filter selects. */
export function hasStatus({ status }: JsonObject, filterValue: string): boolean {
  return typeof status !== 'string' || status === filterValue;
}

/** Adds a number of days to a date, `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  return dayOf(Date.parse(date) + days * dayMs);
}

/** Returns the UTC date of a time, `YYYY-MM-DD`. */
export function dayOf(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 10);
}

/**
 * Removes accents, and converts to upper case: some letters, such as the Greek sigma, have two lower-case forms. Converts
 * to lower case before that, since only `ß`, and not `ẞ`, has the upper case `SS`.
 */
function foldCase(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase();
}
