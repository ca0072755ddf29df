/** Quotes text in a message with backticks, shortened to one line of 80 characters. */
export function quote(text: string): string {
  return `\`${shortenToLine(text)}\``;
}

/** Quotes text so that a shell takes it literally, as one word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Shortens text to one line for a message. */
export function shortenToLine(text: string, maxCharacters = 80): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ');
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}

/** Joins words: `a, b and c`. */
export function conjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

/** Joins alternatives: `a, b or c`. */
export function disjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
