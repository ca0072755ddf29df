import parse from 'parse-duration';

/** One or several numbers with units; the parser alone would also accept `8`, `1e3s` and `1 d bogus`. */
const form = /^\s*(?:\d+(?:\.\d+)?(?!e\d)\s*[a-z]+[\s,]*)+$/i;

/** ISO 8601. The parser would ignore the days of `P1DT12H` and take the month of `P1M` for a minute. */
const iso =
  /^P(?=.)(?:(?<y>[\d.]+)Y)?(?:(?<mo>[\d.]+)M)?(?:(?<w>[\d.]+)W)?(?:(?<d>[\d.]+)D)?(?:T(?=.)(?:(?<h>[\d.]+)H)?(?:(?<m>[\d.]+)M)?(?:(?<s>[\d.]+)S)?)?$/i;

const week = 7 * 86_400_000;

/** A thousand years: ISO 8601 must be able to write the resulting times. */
const maxDuration = 1_000 * 365.25 * 86_400_000;

/**
 * Milliseconds of a duration such as `8d`, `2h 30m` or `P8D`. Undefined if it is invalid, negative, longer than 1,000
 * years, or in months or years, whose length depends on the date.
 */
export function parseDuration(text: string): number | undefined {
  const units = iso.exec(text.trim())?.groups;
  const words = units ? describe(units) : text;
  if (!form.test(words) || hasCalendarUnit(words)) return undefined;
  const milliseconds = parse(words);
  return milliseconds === null || !(milliseconds <= maxDuration) ? undefined : Math.round(milliseconds);
}

/** Suffix for the error about an invalid duration: explains why months and years are refused. */
export function calendarHint(text: unknown): string {
  const words = String(text).trim();
  const units = iso.exec(words)?.groups;
  const isOfCalendar = hasCalendarUnit(units ? describe(units) : words);
  return isOfCalendar ? '; months and years differ in length, so write them in days' : '';
}

/** `calendarHint` for errors of the keyword `x-duration`; empty for any other keyword. */
export function durationHint(keyword: string, value: unknown): string {
  return keyword === 'x-duration' ? calendarHint(value) : '';
}

/** Whether a unit has no fixed length: those longer than a week. */
function hasCalendarUnit(words: string): boolean {
  return (words.match(/[a-z]+/gi) ?? []).some((unit) => (parse(`1${unit}`) ?? 0) > week);
}

function describe(units: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(units).filter(([, count]) => count !== undefined);
  return given.map(([unit, count]) => `${count}${unit}`).join(' ');
}
