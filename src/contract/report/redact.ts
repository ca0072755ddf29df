import { isRecord } from '../../lib/is-record.js';

import { jsonOf, jsonText } from '../engine/json.js';

/** Redacts the secrets in a text. */
export type Redact = (text: string) => string;

const placeholder = '[redacted]';

/** @param secrets tokens and webhook secrets; values too short to be secrets are ignored */
export function redacting(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 6);
  const forms = new Set(known.flatMap(formsOf));
  // Longest first: otherwise the rest of a secret would remain if another is its prefix.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const clean = (text: string): string => longestFirst.reduce((rest, form) => rest.replaceAll(form, placeholder), text);
  return (text) => unescaped(clean(text), clean);
}

/** Forms in which a target may return a secret. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** JSON may escape any character. If an escape hides a secret, the body is rewritten without escapes. */
function unescaped(text: string, clean: Redact): string {
  if (!text.includes('\\u')) return text;
  try {
    const value = jsonOf(text);
    const cleaned = redactDeep(value, clean);
    return jsonText(value) === jsonText(cleaned) ? text : (jsonText(cleaned) ?? '');
  } catch {
    // Not JSON, so nothing is escaped.
    return text;
  }
}

/** Redacts all strings of a plain value, including keys. */
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner, redact)]));
}
