import type { RecordReference } from '../domain/activity.js';

/** Formats a time in UTC, to the second: `2026-03-09 09:00:00`. */
export function formatTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/**
 * Formats a duration with its largest unit and the next smaller one: `8 d`, `2 h 30 min`.
 * @param unitCount number of units; `Infinity` for the exact duration
 */
export function formatDuration(milliseconds: number, unitCount = 2): string {
  const first = units.findIndex(([, size]) => milliseconds >= size);
  if (first === -1) return '0 s';
  let remainingMs = milliseconds;
  const parts = units.slice(first, first + unitCount).flatMap(([name, size]) => {
    const count = Math.floor(remainingMs / size);
    remainingMs %= size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(' ');
}

/** Formats a count with its noun: `1 event`, `3 events`, `2 deliveries`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** The plural of a noun: `events`, `deliveries`. */
export function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Readable name of a kind of records: `payment link`. */
export function resourceName(resource: string): string {
  return resource.replace('_', ' ');
}

/** Readable name of a record: `payment link 4`. */
export function subjectName({ resource, id }: RecordReference): string {
  return `${resourceName(resource)} ${id}`;
}

/**
 * Capitalizes text, unless it begins with an identifier such as `deposit.created` or with a URL. Adds a period,
 * unless the text ends with `.`, `?`, `!` or `)`.
 */
export function asSentence(text: string): string {
  const isIdentifier = /^\S*[._:/]\S/.test(text);
  const first = isIdentifier ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${first}${text.slice(1)}${/[.?!)]$/.test(text) ? '' : '.'}`;
}
