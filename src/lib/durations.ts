import parse from 'parse-duration';

/** One or several numbers with units. The parsing library would also accept `8` and `1e3s`. */
const wordsPattern = /^\s*(?:\d+(?:\.\d+)?(?!e\d)\s*[a-z]+[\s,]*)+$/i;

/** ISO 8601. The parsing library would ignore the days of `P1DT12H` and read the month of `P1M` as a minute. */
const isoPattern =
  /^P(?=.)(?:(?<y>[\d.]+)Y)?(?:(?<mo>[\d.]+)M)?(?:(?<w>[\d.]+)W)?(?:(?<d>[\d.]+)D)?(?:T(?=.)(?:(?<h>[\d.]+)H)?(?:(?<m>[\d.]+)M)?(?:(?<s>[\d.]+)S)?)?$/i;

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;

/** Milliseconds in a day of 24 hours. */
export const dayMs = 24 * hourMs;

export const weekMs = 7 * dayMs;

/**
 * A thousand years, rounded down to days. Even if it begins at the latest time that a clock can show, it ends at a time
 * that can be stored; see `maxClockTimeMs` in `domain/dates.ts`.
 */
export const maxDurationMs = 365_242 * dayMs;

/**
 * Milliseconds of a duration such as `8d`, `2h 30m` or `P8D`. Undefined if it is invalid, negative, longer than 1,000
 * years, or in months or years, whose length depends on the date.
 */
export function parseDuration(text: string): number | undefined {
  const milliseconds = millisecondsOf(durationWords(text));
  return milliseconds <= maxDurationMs ? Math.round(milliseconds) : undefined;
}

/**
 * Suffix for the error about an invalid duration: says why months and years are refused, or that the duration is too
 * long; otherwise empty.
 */
export function invalidDurationHint(text: unknown): string {
  if (typeof text !== 'string' && typeof text !== 'number') return '';
  const words = durationWords(String(text));
  if (hasCalendarUnit(words)) return '; months and years differ in length, so write them in days';
  return millisecondsOf(words) > maxDurationMs ? `; the longest is ${maxDurationMs / dayMs}d` : '';
}

/** NaN for words that are not a duration. */
function millisecondsOf(words: string): number {
  // The parsing library would skip `30mn` in `2h 30mn`, because it does not know the unit.
  const isValid = wordsPattern.test(words) && unitsIn(words).every((unit) => lengthOf(unit) !== undefined);
  return isValid && !hasCalendarUnit(words) ? (parse(words) ?? Number.NaN) : Number.NaN;
}

/** Converts a duration in ISO 8601 to numbers and units; only trims any other text. */
function durationWords(text: string): string {
  const units = isoPattern.exec(text.trim())?.groups;
  return units ? wordsOf(units) : text.trim();
}

/** `invalidDurationHint` for errors of the `x-duration` keyword; empty for any other keyword. */
export function durationHint(keyword: string, value: unknown): string {
  return keyword === 'x-duration' ? invalidDurationHint(value) : '';
}

/** Returns true if one of the units is longer than a week: months and years have no fixed length. */
function hasCalendarUnit(words: string): boolean {
  return unitsIn(words).some((unit) => (lengthOf(unit) ?? 0) > weekMs);
}

/** Lengths of units, in milliseconds. Seeds have many durations, and parsing a unit takes as long as a whole duration. */
const unitLengths = new Map<string, number>();

/** Milliseconds in a unit such as `d`; undefined if it is unknown. */
function lengthOf(unit: string): number | undefined {
  const known = unitLengths.get(unit);
  if (known !== undefined) return known;
  const length = parse(`1${unit}`) ?? undefined;
  if (length !== undefined) unitLengths.set(unit, length);
  return length;
}

function unitsIn(words: string): readonly string[] {
  return words.match(/[a-z]+/gi) ?? [];
}

/** Writes the parts of an ISO 8601 duration as words: `1d 12h` for `P1DT12H`. */
function wordsOf(units: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(units).filter(([, count]) => count !== undefined);
  return parts.map(([unit, count]) => `${count}${unit}`).join(' ');
}
