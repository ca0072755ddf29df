/** Quotes a word in a message. */
export function quote(text: string): string {
  return `\`${oneLine(text)}\``;
}

/** Messages are one line, and no screenful. */
export function oneLine(text: string, longest = 80): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Joins alternatives: `a, b or c`. */
export function disjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
