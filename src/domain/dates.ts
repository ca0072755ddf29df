import { TZDate } from '@date-fns/tz';

const day = 86_400_000;

/**
 * The last moment that a clock shows. ISO 8601 writes a year with four digits, and what follows from a moment is at most
 * the longest duration, a thousand years, later.
 */
export const endOfTime = Date.parse('8999-12-31T23:59:59.999Z');

let lastInstant = { at: Number.NaN, text: '' };

/**
 * An instant as it is stored: `2026-03-01T09:30:00.000Z`. All that comes about at one moment asks for the same one, so
 * the last is kept: writing it out is dear.
 */
export function instant(at: number): string {
  if (at !== lastInstant.at) lastInstant = { at, text: new Date(at).toISOString() };
  return lastInstant.text;
}

/** An instant as the API gives it, ISO 8601 with UTC offset: `2026-03-01T09:30:00+00:00`. */
export function timestamp(stored: string): string {
  return `${stored.slice(0, 19)}+00:00`;
}

/** The date that an instant falls on in a time zone, `YYYY-MM-DD`. */
export function dateOf(at: number, zone: string): string {
  if (zone === 'UTC') return new Date(at).toISOString().slice(0, 10);
  const local = new TZDate(at, zone);
  return new Date(Date.UTC(local.getFullYear(), local.getMonth(), local.getDate())).toISOString().slice(0, 10);
}

/** The instant at which the day after a date begins in a time zone, in milliseconds. */
export function startOfNextDay(date: string, zone: string): number {
  const midnight = Date.parse(date) + day;
  if (zone === 'UTC') return midnight;
  const utc = new Date(midnight);
  return new TZDate(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate(), zone).getTime();
}

/** The date so many days later (earlier, if negative). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
}

/** How many days the second date is after the first. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day);
}
