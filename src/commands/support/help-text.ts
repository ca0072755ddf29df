/** Maximum length of a line of help, in characters. */
const maxLineLength = 80;

/** Formats example commands for the end of `--help`. Long commands continue on the next line. */
export function example(...commands: string[]): string {
  const lines = commands.flatMap((command) =>
    wrapWords(`$ billing-sim ${command}`.split(/ (?=--)/), { indent: '  ', continuation: ' \\', nextIndent: '    ' }),
  );
  return `\nExample:\n${lines.join('\n')}`;
}

/** Formats paragraphs for the end of `--help`. */
export function notes(...paragraphs: string[]): string {
  return `\n${paragraphs.map((text) => wrapWords(text.split(' ')).join('\n')).join('\n\n')}`;
}

interface WrapOptions {
  readonly indent?: string;
  /** Text at the end of each line but the last. */
  readonly continuation?: string;
  /** Additional indent of the lines after the first. */
  readonly nextIndent?: string;
}

/** Wraps words into lines of help. */
function wrapWords(
  words: readonly string[],
  { indent = '', continuation = '', nextIndent = '' }: WrapOptions = {},
): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(indent + word);
    else if (last.length + 1 + word.length + continuation.length <= maxLineLength)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.splice(-1, 1, last + continuation, indent + nextIndent + word);
  }
  return lines;
}
