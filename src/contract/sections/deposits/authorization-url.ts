import { isRecord } from '../../../lib/json.js';
import { Violation } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { nonEmptyString } from '../../engine/expect.js';

/** Finds the authorization URL at any depth of the response to a create request; undefined if there is none. */
export function authorizationUrl({ json }: Exchange): unknown {
  let level: unknown[] = [json];
  while (level.length > 0) {
    const records = level.filter(isRecord);
    const found = records.find((record) => 'authorization_url' in record);
    if (found) return found['authorization_url'];
    level = records.flatMap((record) => Object.values(record));
  }
  return undefined;
}

/** @throws Violation unless the response to a create request contains an `authorization_url` */
export function expectAuthorizationUrl(exchange: Exchange): void {
  const url = authorizationUrl(exchange);
  if (!nonEmptyString.matches(url))
    throw new Violation('an `authorization_url` that is a non-empty string', url, exchange);
}
