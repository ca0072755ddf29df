import { aTimestamp } from './kinds.js';

/** Filters of lists, as far as the specification is clear. A field that a record does not show matches. */

type Row = Readonly<Record<string, unknown>>;

/** Case-insensitive substring test. It ignores accents, as some implementations may. */
export function containsText(text: unknown, part: string): boolean {
  return caseFolded(String(text)).includes(caseFolded(part));
}

/** Whether a payment lies between two dates. Which of its dates counts is open, and in which time zone. */
export function isBetweenDates(row: Row, { from, to }: { readonly from?: string; readonly to?: string }): boolean {
  const dates = [row['created_at'], row['paid_at']].filter((date) => date !== undefined && date !== null);
  if (dates.length === 0 || !dates.every((date) => aTimestamp.matches(date))) return true;
  return dates
    .map((date) => dayOf(Date.parse(String(date))))
    .some((day) => (from === undefined || day >= shifted(from, -1)) && (to === undefined || day <= shifted(to, 1)));
}

/** How the booking of a deposit matches the requested one; `unknown` if the deposit does not show it. */
export function bookingMatch({ booking_reference: shown }: Row, wanted: string): 'whole' | 'part' | 'none' | 'unknown' {
  if (typeof shown !== 'string') return 'unknown';
  if (shown.normalize() === wanted.normalize()) return 'whole';
  return containsText(shown, wanted) ? 'part' : 'none';
}

/** Whether a record is in a status. */
export function isInStatus({ status }: Row, wanted: string): boolean {
  return typeof status !== 'string' || status === wanted;
}

/** Shifts a date by a day: time zones are open. */
export function shifted(date: string, days: number): string {
  return dayOf(Date.parse(date) + days * 86_400_000);
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** Upper-cases, since some letters have two lower-case forms. */
function caseFolded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
}
