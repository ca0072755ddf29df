import type { Subject } from '../domain/records.js';

/** What a command has to show: to programs as JSON, to people as text. */
export interface Shown {
  readonly value: unknown;
  readonly text: string;
}

/** An instant to the second, in UTC: `2026-03-09 09:00:00`. */
export function time(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A span of milliseconds by its largest unit and the one below: `8 d`, `2 h 30 min`. */
export function span(milliseconds: number): string {
  const first = units.findIndex(([, size]) => milliseconds >= size);
  if (first === -1) return '0 s';
  let rest = milliseconds;
  const parts = units.slice(first, first + 2).flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(' ');
}

/** `1 event`, `3 events`, `2 deliveries`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** `payment link 4`. */
export function named({ resource, id }: Subject): string {
  return `${resource.replace('_', ' ')} ${id}`;
}

/** What a list that has been cut says at its end; nothing where it is whole. */
export function more(total: number, shown: number): string[] {
  return total > shown ? [`… and ${total - shown} more; --limit shows them.`] : [];
}

/** Whether a clock runs. */
export function gait(mode: 'real' | 'frozen'): string {
  return mode === 'frozen' ? '(stands still)' : '(runs)';
}

/** Rows with their columns one below the other, a line each. */
export function columns(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(onOneLine));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return clean
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What comes from elsewhere must not steer the terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '�');
}

function onOneLine(text: string): string {
  return printable(text.replace(/[\n\r\t]+/g, ' '));
}
