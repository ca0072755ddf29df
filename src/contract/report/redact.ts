import { isRecord } from '../../lib/json.js';
import { formatExactJson, parseExactJson } from '../engine/json.js';

/** Redacts the secrets in text. */
export type Redact = (text: string) => string;

const placeholder = '[redacted]';

/** Secrets of fewer characters are not redacted, because they could be ordinary words. */
const minSecretLength = 6;

/** Creates a function that redacts secrets. @param secrets tokens and webhook secrets */
export function redactorFor(secrets: readonly (string | undefined)[]): Redact {
  const longSecrets = secrets.filter(
    (secret): secret is string => secret !== undefined && secret.length >= minSecretLength,
  );
  const encodings = new Set(longSecrets.flatMap(encodingsOf));
  // Longest first: if a secret is a prefix of a longer one, matching it first would leave the rest of the longer one.
  const longestFirst = [...encodings].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  // One pattern for all, since each pattern would search the whole text.
  const anySecret = new RegExp(longestFirst.map(patternOf).join('|'), 'gu');
  const redactEncodings = (text: string): string => text.replace(anySecret, placeholder);
  return (text) => redactEscaped(redactEncodings(text), redactEncodings);
}

/** Lists the encodings in which a target may return a secret. */
function encodingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  // In HTML within JSON, a quote is `&quot;`, without a backslash; `patternOf` also matches a quote in that form.
  const htmlInJson = json.replaceAll('\\"', '"');
  const bytes = Buffer.from(secret);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    htmlInJson,
    htmlInJson.replaceAll('/', '\\/'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** Named character references of HTML. */
const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/**
 * Returns the source of a pattern that matches a text, even if it is escaped for HTML. Programs escape different characters in
 * different ways, so each character except letters and digits is matched both as it is and escaped.
 */
function patternOf(text: string): string {
  const characters = Array.from(text, (character) => {
    if (/^[a-z\d]$/i.test(character)) return character;
    const codePoint = character.codePointAt(0) ?? 0;
    const hexDigits = codePoint.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const references = [htmlNames[character], `#0*${codePoint}`, `#[xX]0*${hexDigits}`].filter(Boolean);
    return `(?:\\u{${codePoint.toString(16)}}|&(?:${references.join('|')});)`;
  });
  return characters.join('');
}

/**
 * Redacts secrets with escaped characters, such as `\u0074oken`, in JSON. JSON with such a secret is parsed and
 * serialized again, which also removes unnecessary escapes from the rest of the text.
 */
function redactEscaped(text: string, redact: Redact): string {
  if (!text.includes('\\u')) return text;
  try {
    const value = parseExactJson(text);
    const redacted = redactDeep(value, redact);
    return formatExactJson(value) === formatExactJson(redacted) ? text : (formatExactJson(redacted) ?? '');
  } catch {
    // The text is not JSON, or nested too deeply. Secrets without escapes are already redacted in it.
    return text;
  }
}

/** Redacts all strings of a plain value, including the names of fields. */
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner, redact)]));
}
