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
  for (const { 0: token, groups = {} } of text.matchAll(tokenPattern)) {
    const { open, close, comma, space } = groups;
    if (space !== undefined && isIndented) continue;
    if (close !== undefined) depth -= 1;
    // An empty object or list stays on one line.
    if ((previous === 'open') !== (close !== undefined)) newLine();
    previous = open === undefined ? 'other' : 'open';
    parts.push(highlightedToken(token, groups, isIndented));
    if (open !== undefined) depth += 1;
    if (comma !== undefined) newLine();
  }
  return html`${parts}`;
}

/** @param groups the named groups of `tokenPattern` */
function highlightedToken(
  token: string,
  { string, colon, number, word }: Readonly<Partial<Record<string, string>>>,
  isIndented: boolean,
): SafeHtml {
  if (string === undefined) {
    const kind = number === undefined ? word && 'word' : 'number';
    return kind === undefined ? html`${token}` : html`<span class="json-${kind}">${token}</span>`;
  }
  if (colon === undefined) return html`<span class="json-string">${string}</span>`;
  return html`<span class="json-name">${string}</span>${isIndented ? ': ' : colon}`;
}

function canBeIndented(text: string): boolean {
  const value = tryParseJson(text);
  return typeof value === 'object' && value !== null && !isDeeperThan(maxIndentedLevels, value);
}
