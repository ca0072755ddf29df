import { closest, distance } from 'fastest-levenshtein';

/** How a client wants to be answered from the document alone. A preference that is named without a value is an empty text. */
export interface Preferences {
  readonly code?: string;
  readonly example?: string;
  readonly dynamic?: string;
  readonly seed?: string;
}

const names = ['code', 'example', 'dynamic', 'seed'];

/** What a Prefer header says (RFC 7240). Of a preference that is there twice the first counts. */
export function readPreferences(header: string): {
  readonly preferences: Preferences;
  readonly hint: string | undefined;
} {
  const all = new Map<string, string>();
  // A comma or semicolon in quotes parts nothing.
  for (const element of header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? []) {
    const [preference = ''] = element.match(/^(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/s) ?? [];
    const [name = '', ...value] = preference.split('=');
    const key = name.trim().toLowerCase();
    if (!all.has(key)) all.set(key, unquoted(value.join('=').trim()));
  }
  // Preferences that are not known are to be ignored; but who has mistyped one wants to know.
  const mistyped = [...all.keys()].find((name) => !names.includes(name) && distance(name, closest(name, names)) <= 2);
  return {
    preferences: Object.fromEntries([...all].filter(([name]) => names.includes(name))),
    hint: mistyped && `the preference \`${mistyped}\` was ignored; did you mean ${closest(mistyped, names)}?`,
  };
}

/** What was heeded, for Preference-Applied. */
export function writePreferences(preferences: Preferences): string {
  return Object.entries(preferences)
    .map(([name, value]) => `${name}=${/^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : JSON.stringify(value)}`)
    .join(', ');
}

function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(.)/gs, '$1');
}
