import { styleText } from 'node:util';

/*
 * Colors of the command line: green for success, red for failure, yellow for warnings. They are added to the finished
 * text, so that the code that formats it needs no styles.
 */

type Stream = Pick<NodeJS.WriteStream, 'isTTY'>;

/** Patterns of the text that gets a style. */
const rules: readonly (readonly [pattern: RegExp, style: 'green' | 'red' | 'yellow' | 'bold'])[] = [
  // A word is matched only as a cell of a table: after two spaces, and before two more or the end of the line.
  [/✓|→ 2\d\d(?!\d)|(?<= {2})(?:delivered|paid)(?= {2}|$)/gm, 'green'],
  [/✗|→ [45]\d\d(?!\d)|^error:|(?<= {2})failed(?= {2}|$)/gm, 'red'],
  [/^Warning:|(?<= {2})(?:retrying|unsent)(?= {2}|$)/gm, 'yellow'],
  [/^(?:Usage|Options|Global Options|Arguments|Commands|Examples?|Install it):/gm, 'bold'],
];

/** Prints a result on standard output, with colors. */
export function printText(text: string): void {
  console.log(withColors(text, process.stdout));
}

/** Prints an error or a notice on standard error, with colors. */
export function printNotice(text: string): void {
  console.error(withColors(text, process.stderr));
}

/** Colors text if the stream that it is printed on shows colors. */
export function withColors(text: string, stream: Stream): string {
  if (!hasColors(stream)) return text;
  return rules.reduce(
    (result, [pattern, style]) =>
      result.replace(pattern, (match) => styleText(style, match, { validateStream: false })),
    text,
  );
}

/**
 * Returns true if a stream shows colors: a terminal does, unless `NO_COLOR` is set or `TERM` is `dumb`. `FORCE_COLOR`
 * overrides all of these.
 */
export function hasColors(stream: Stream): boolean {
  const { FORCE_COLOR: force, NO_COLOR: isDisabled } = process.env;
  if (force !== undefined) return !['0', 'false'].includes(force);
  return understandsEscapes(stream) && !isDisabled;
}

/**
 * Returns true for a terminal on which a progress bar can be drawn. A terminal for which `TERM` is `dumb` shows escape
 * sequences as text.
 */
export function understandsEscapes(stream: Stream): boolean {
  return stream.isTTY === true && process.env['TERM'] !== 'dumb';
}
