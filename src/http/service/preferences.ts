import { closest, distance } from 'fastest-levenshtein';
import type { Preferences } from '../../lib/stateless-response.js';

const names = ['code', 'example', 'dynamic', 'seed'];

/** Parses a Prefer header (RFC 7240). If a preference is repeated, the first one counts. */
export function readPreferences(header: string): {
  readonly preferences: Preferences;
  readonly hint: string | undefined;
} {
  const all = new Map<string, string>();
  // A comma or semicolon in quotes is not a separator.
  for (const element of header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? []) {
    const [preference = ''] = element.match(/^(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/s) ?? [];
    const [name = '', ...value] = preference.split('=');
    const key = name.trim().toLowerCase();
    if (!all.has(key)) all.set(key, unquoted(value.join('=').trim()));
  }
  // Unknown preferences must be ignored, but a likely typo gets a hint.
  const mistyped = [...all.keys()].find((name) => !names.includes(name) && distance(name, closest(name, names)) <= 2);
  return {
    preferences: Object.fromEntries([...all].filter(([name]) => names.includes(name))),
    hint: mistyped && `the preference \`${mistyped}\` was ignored; did you mean ${closest(mistyped, names)}?`,
  };
}

/** Formats the applied preferences for the Preference-Applied header. */
export function writePreferences(preferences: Preferences): string {
  return Object.entries(preferences)
    .map(([name, value]) => `${name}=${/^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : JSON.stringify(value)}`)
    .join(', ');
}

function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(.)/gs, '$1');
}
