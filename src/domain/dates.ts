import { tzOffset } from '@date-fns/tz';
import { dayMs, hourMs } from '../lib/durations.js';

/**
 * Latest time that a clock can show. Stored times need a year of four digits, and the longest duration that can be
 * scheduled is a thousand years, so no scheduled time is later than 9999.
 */
export const maxClockTimeMs = Date.parse('8999-12-31T23:59:59.999Z');

let lastFormatted = { at: Number.NaN, text: '' };

/**
 * Formats a time as stored: `2026-03-01T09:30:00.000Z`. Caches the last one, since a commit formats the same time for
 * each of its rows, and formatting is expensive.
 * @param at milliseconds since 1970
 */
export function formatInstant(at: number): string {
  if (at !== lastFormatted.at) lastFormatted = { at, text: new Date(at).toISOString() };
  return lastFormatted.text;
}

let lastParsed = { text: '', at: Number.NaN };

/** Parses a stored time. Caches the last one, as `formatInstant` does. @returns milliseconds since 1970 */
export function parseInstant(text: string): number {
  if (text !== lastParsed.text) lastParsed = { text, at: Date.parse(text) };
  return lastParsed.at;
}

const timePattern = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Parses an ISO 8601 time with an offset from UTC, in 1970 or later. `Date.parse` alone accepts `2031` and
 * `Jan 5 2031`, moves 30 February into March, and interprets a time without an offset in the machine's time zone.
 * @returns milliseconds since 1970; undefined for any other text
 */
function parseTime(text: string): number | undefined {
  const [, date] = timePattern.exec(text) ?? [];
  const at = Date.parse(text);
  return date !== undefined && at >= 0 && addDays(date, 0) === date ? at : undefined;
}

/** Like `parseTime`, but also accepts a date, which stands for its midnight in UTC. */
export function parseDateOrTime(text: string): number | undefined {
  return parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
}

/** Formats a stored time for the API, ISO 8601 with UTC offset: `2026-03-01T09:30:00+00:00`. */
export function apiTimestamp(stored: string): string {
  return `${stored.slice(0, 19)}+00:00`;
}

/** True if a string is the name of a time zone, such as `Europe/Paris`. */
export function isTimeZone(name: string): boolean {
  // Avoids loading `Intl` for the zones that `knownOffset` knows. It knows their offsets since `summerTimeRuleStart`.
  if (knownOffset(name, summerTimeRuleStart) !== undefined) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Offset of a time zone from UTC, in milliseconds. */
function offsetOf(zone: string, at: number): number {
  // A few offsets before 1973, as in Africa/Monrovia, have seconds, which `tzOffset` returns as fractions of a minute.
  return knownOffset(zone, at) ?? Math.round(tzOffset(zone, new Date(at)) * 60) * 1_000;
}

/**
 * Offset from UTC in milliseconds, in the time zones of the built-in seeds; undefined for other time zones, for which
 * `offsetOf` uses Intl. Without loading Intl, the simulator starts 20 ms faster.
 */
function knownOffset(zone: string, at: number): number | undefined {
  if (zone === 'UTC') return 0;
  if (zone !== 'Europe/Paris' || at < summerTimeRuleStart) return undefined;
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= lastSunday(year, 2) + hourMs && at < lastSunday(year, 9) + hourMs;
  return isSummer ? 2 * hourMs : hourMs;
}

/**
 * Since 1996, summer time in the European Union begins on the last Sunday of March and ends on the last Sunday of
 * October, at 01:00 UTC.
 */
const summerTimeRuleStart = Date.UTC(1996, 0, 1);

/** Midnight of the last Sunday of a month with 31 days, in UTC. @param month counts from 0, as in `Date` */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31));
  return last.getTime() - last.getUTCDay() * dayMs;
}

/** Date of a time in a time zone, `YYYY-MM-DD`. @param at milliseconds since 1970 */
export function dateOf(at: number, zone: string): string {
  return new Date(at + offsetOf(zone, at)).toISOString().slice(0, 10);
}

/** Start of the day after a date in a time zone, in milliseconds since 1970: the first moment with a later date. */
export function startOfNextDay(date: string, zone: string): number {
  const midnight = Date.parse(date) + dayMs;
  const byOffsetBefore = midnight - offsetOf(zone, midnight - dayMs);
  const byOffsetAfter = midnight - offsetOf(zone, midnight + dayMs);
  if (byOffsetBefore === byOffsetAfter) return byOffsetBefore;
  // The offset changes within a day of midnight. If clocks are set back past midnight, there are two midnights, of which
  // the day starts at the first. If they are set forward past midnight, there is none, and the earlier time, which is
  // before the change, is still on the date.
  const earlier = Math.min(byOffsetBefore, byOffsetAfter);
  return dateOf(earlier, zone) > date ? earlier : Math.max(byOffsetBefore, byOffsetAfter);
}

/** Adds days to a date; subtracts them if negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

/** Number of days from the first date to the second. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
