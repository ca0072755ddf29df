import type { Request } from 'express';
import { closest, distance } from 'fastest-levenshtein';
import { ServiceError } from '../../domain/service-error.js';
import type { Preferences, StatelessRequest, StatelessResponse } from '../../lib/stateless-response.js';
import type { Operation } from '../../openapi/document.js';
import { servedDocument } from '../document/profiles.js';
import { headerText } from './response.js';

/** Builds a response from the document alone, or explains why that is impossible. */
export type RespondStatelessly = (request: StatelessRequest) => Promise<StatelessResponse>;

/**
 * Responds from the document alone as the Prefer header asks, without reading or changing records of the account.
 * @returns undefined if the header has none of the supported preferences
 */
export function sendPreferredResponse(
  respondStatelessly: RespondStatelessly,
  operation: Operation,
  request: Request,
): Promise<void> | undefined {
  const { exchange } = request;
  const { preferences, hint } = readPreferences(String(request.headers['prefer']));
  exchange.addHint(hint);
  if (Object.keys(preferences).length === 0) return undefined;
  const { account, profile } = exchange;
  const pendingResponse = respondStatelessly({
    document: servedDocument(profile),
    operation: operation.id,
    preferences,
    defaultSeed: () => account.seededHex(`preferred ${operation.id} ${request.url}`).slice(0, 16),
  });
  return pendingResponse.then((result) => {
    if ('problem' in result) throw new ServiceError('preference-unmet', { hint: result.problem });
    const { status, body, applied } = result;
    // Headers that are already set, such as the rate-limit headers of the account, take precedence.
    const otherHeaders = Object.entries(result.headers).filter(([name]) => !(name in exchange.headers));
    const headers = {
      ...Object.fromEntries(otherHeaders),
      'Preference-Applied': headerText(writePreferences(applied)),
    };
    exchange.respond({ status, body, headers });
  });
}

const preferenceNames = ['code', 'example', 'dynamic', 'seed'];

/** Parses a Prefer header (RFC 7240). If a preference is repeated, the first one counts. */
function readPreferences(header: string): {
  readonly preferences: Preferences;
  readonly hint: string | undefined;
} {
  const all = new Map<string, string>();
  let misplaced: string | undefined;
  // A comma or semicolon in quotes is not a separator.
  for (const element of header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? []) {
    const [preference = ''] = element.match(/^(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/s) ?? [];
    const parameters = element.slice(preference.length).match(/(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/gs) ?? [];
    misplaced ??= parameters.map(nameOf).find((name) => preferenceNames.includes(name));
    const key = nameOf(preference);
    const [, ...value] = preference.split('=');
    if (!all.has(key)) all.set(key, unquoted(value.join('=').trim()));
  }
  // Unknown preferences and parameters must be ignored, but a likely mistake gets a hint.
  const mistyped = [...all.keys()].find(
    (name) => !preferenceNames.includes(name) && distance(name, closest(name, preferenceNames)) <= 2,
  );
  return {
    preferences: Object.fromEntries([...all].filter(([name]) => preferenceNames.includes(name))),
    hint:
      misplaced === undefined
        ? mistyped && `the preference \`${mistyped}\` was ignored; did you mean ${closest(mistyped, preferenceNames)}?`
        : `\`${misplaced}\` was ignored, since a semicolon makes it a parameter of another preference; write a comma`,
  };
}

/** The name of a preference or parameter, such as `seed` of `Seed = 7`. */
function nameOf(assignment: string): string {
  const [name = ''] = assignment.split('=', 1);
  return name.trim().toLowerCase();
}

/** Formats the applied preferences for the Preference-Applied header. */
function writePreferences(preferences: Preferences): string {
  return Object.entries(preferences)
    .map(([name, value]) => `${name}=${/^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : JSON.stringify(value)}`)
    .join(', ');
}

function unquoted(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(.)/gs, '$1');
}
