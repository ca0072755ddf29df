import { html, type SafeHtml } from '@remix-run/html-template';
import { isDeeperThan, tryParseJson } from '../../../lib/json.js';

/**
 * Matches a token of JSON text: a string, a name (a string followed by a colon), a number, a literal, punctuation,
 * whitespace, or anything else.
 */
const tokenPattern =
  /(?<string>"[^"\\]*(?:\\.[^"\\]*)*"?)(?<colon>\s*:)?|(?<number>-?\d[\d.eE+-]*)|(?<word>true|false|null)|(?<open>[[{])|(?<close>[\]}])|(?<comma>,)|(?<space>\s+)|(?<other>[^\s"\d[\]{},]+|.)/gs;

/**
 * Maximum nesting depth of JSON that is indented. In 64 kB of brackets, 30,000 levels deep, the spaces alone would take
 * two gigabytes.
 */
const maxIndentedLevels = 100;

/**
 * Highlights and indents JSON text. Numbers are shown exactly as they were sent. JSON that is nested too deeply, or that is
 * invalid but begins like an object or a list, is highlighted but not indented; other text is only escaped.
 */
export function highlightedJson(text: string): SafeHtml {
  const isIndented = canBeIndented(text);
  if (!isIndented && !/^\s*[[{]/.test(text)) return html`${text}`;
  const parts: SafeHtml[] = [];
  let depth = 0;
  let previous: 'open' | 'other' = 'other';
  const newLine = (): void => {
    if (isIndented) parts.push(html`${`\n${'  '.repeat(depth)}`}`);
  };
  for (const { groups = {} } of text.matchAll(tokenPattern)) {
    const { string, colon, number, word, open, close, comma, space, other } = groups;
    if (space !== undefined && isIndented) continue;
    if (close !== undefined) {
      depth -= 1;
      if (previous !== 'open') newLine();
    } else if (previous === 'open') newLine();
    previous = open === undefined ? 'other' : 'open';
    if (string !== undefined) {
      parts.push(highlightedToken(colon === undefined ? 'string' : 'name', string));
      if (colon !== undefined) parts.push(html`${isIndented ? ': ' : colon}`);
    } else if (number !== undefined) parts.push(highlightedToken('number', number));
    else if (word !== undefined) parts.push(highlightedToken('word', word));
    else parts.push(html`${open ?? close ?? comma ?? space ?? other}`);
    if (open !== undefined) depth += 1;
    if (comma !== undefined) newLine();
  }
  return html`${parts}`;
}

function highlightedToken(kind: 'name' | 'string' | 'number' | 'word', text: string): SafeHtml {
  return html`<span class="json-${kind}">${text}</span>`;
}

function canBeIndented(text: string): boolean {
  const value = tryParseJson(text);
  return typeof value === 'object' && value !== null && !isDeeperThan(maxIndentedLevels, value);
}
