/** Quotes text in a message with backticks, shortened to one line of 80 characters. */
export function quote(text: string): string {
  return `\`${shortenToLine(text)}\``;
}

/** Quotes text so that a shell takes it literally, as one word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats a URL as an argument of curl, with the options that make curl request exactly this URL. */
export function curlUrl(url: string): string {
  // Without these options, curl takes brackets and braces for a pattern of several URLs, and resolves dots in the path.
  const globOption = /[[\]{}]/.test(url) ? '-g ' : '';
  const dotsOption = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url) ? '--path-as-is ' : '';
  return `${globOption}${dotsOption}${quoteForShell(url)}`;
}

/**
 * Formats an argument of a command for the user to run: as it is, or in quotes if a shell would otherwise split or change
 * it.
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[^\s"&|<>^%]+$/.test(text) ? text : `"${text}"`;
  return /^[\w./@%+:,-][\w./@%+:,=-]*$/.test(text) ? text : quoteForShell(text);
}

/** Shortens text to one line for a message. */
export function shortenToLine(text: string, maxCharacters = 80): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ');
  return truncate(line, maxCharacters);
}

/**
 * Cuts off the end of a text that is too long. A character of two UTF-16 code units, such as an emoji, counts as two and is
 * never cut in half.
 */
export function truncate(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const endsInPair = /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1));
  return `${text.slice(0, endsInPair ? maxCharacters - 1 : maxCharacters)}…`;
}

/** Joins words: `a, b and c`. */
export function conjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

/** Joins alternatives: `a, b or c`. */
export function disjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
