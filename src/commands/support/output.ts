/** Output of a command: JSON for programs, text for people. */
export interface CommandOutput {
  readonly value: unknown;
  readonly text: string;
}

/** Maximum number of entries on a page of a list of the control API. Commands print one page. */
export const maxPageSize = 10_000;

/** Returns the line to print after a truncated list; an empty array for a complete list. */
export function moreLines(total: number, shown: number): string[] {
  if (total <= shown) return [];
  const advice =
    shown < maxPageSize
      ? 'raise --limit to see them'
      : `read them from the control API, with ?per_page=${maxPageSize}&page=2`;
  return [`… and ${total - shown} more; ${advice}`];
}

/** Output of a command that lists records: a line of cells for each, or `emptyText` if there are none. */
export function listOutput<Item>(
  value: { readonly total: number; readonly data: readonly Item[] },
  emptyText: string,
  cellsOf: (item: Item) => readonly string[],
): CommandOutput {
  const { total, data } = value;
  const lines = total === 0 ? [emptyText] : [columns(data.map(cellsOf)), ...moreLines(total, data.length)];
  return { value, text: lines.join('\n') };
}

/** Label for a running or frozen clock. */
export function clockStatus(mode: 'real' | 'frozen'): string {
  return mode === 'frozen' ? '(frozen)' : '(running)';
}

/** Formats rows as aligned columns, one line each. */
export function columns(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(onOneLine));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return clean
    .map((row) =>
      row
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - displayWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Characters that take two columns of a terminal: those of East Asian scripts, full-width forms, and emoji. */
const wideCharacter =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

/** Characters that take no column: combining marks, and invisible ones such as joiners. */
const zeroWidthCharacter = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of columns of a terminal that text takes. */
function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!zeroWidthCharacter.test(character)) width += wideCharacter.test(character) ? 2 : 1;
  }
  return width;
}

/** Indents each line. */
export function indent(text: string, spaces = 2): string {
  return text.replace(/^/gm, ' '.repeat(spaces));
}

/** Formats a table below its title, as a block of a report; an empty array if the table has no rows. */
export function titledTable(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`${title}:\n${indent(columns(rows))}`];
}

/** Replaces control characters, so that received text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '�');
}

/** Turns text into one line that cannot control the terminal. */
export function onOneLine(text: string): string {
  return printable(text.replace(/[\n\r\t]+/g, ' '));
}
