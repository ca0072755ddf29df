import { isRecord } from '../../lib/is-record.js';

import { jsonOf, jsonText } from '../engine/json.js';

/** Takes what is secret out of texts. */
export type Redact = (text: string) => string;

const placeholder = '[redacted]';

/** @param secrets tokens and webhook secrets; what is too short to be one is left alone */
export function redacting(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 6);
  const forms = new Set(known.flatMap(formsOf));
  // A secret that another begins with would leave the rest of it.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const clean = (text: string): string => longestFirst.reduce((rest, form) => rest.replaceAll(form, placeholder), text);
  return (text) => unescaped(clean(text), clean);
}

/** How a secret may be written in what a target returns. */
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

/** JSON may write any character as an escape: where one hides a secret, the body is rewritten without it. */
function unescaped(text: string, clean: Redact): string {
  if (!text.includes('\\u')) return text;
  try {
    const value = jsonOf(text);
    const cleaned = redactDeep(value, clean);
    return jsonText(value) === jsonText(cleaned) ? text : (jsonText(cleaned) ?? '');
  } catch {
    // No JSON, so nothing is escaped.
    return text;
  }
}

/** A plain value with what is secret taken out of all texts in it, keys included. */
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner, redact)]));
}
