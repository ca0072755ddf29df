import type { Request } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import type { StatelessRequest, StatelessResponse } from '../../lib/stateless-response.js';
import type { Operation } from '../../openapi/document.js';
import { servedDocument } from '../document/profiles.js';
import { readPreferences, writePreferences } from './preferences.js';
import { headerText } from './response.js';

/** Builds a response from the document alone, or explains why that is impossible. */
export type RespondStatelessly = (request: StatelessRequest) => Promise<StatelessResponse>;

/**
 * Responds from the document alone as the Prefer header asks, without reading or changing records of the account.
 * @returns undefined if the header has no such preference
 */
export function sendPreferredResponse(
  respondStatelessly: RespondStatelessly,
  operation: Operation,
  request: Request,
): Promise<void> | undefined {
  const { exchange } = request;
  const { preferences, hint } = readPreferences(String(request.headers['prefer']));
  if (hint !== undefined) exchange.headers['X-Sim-Hint'] = headerText(hint);
  if (Object.keys(preferences).length === 0) return undefined;
  const { account, profile } = exchange;
  const generating = respondStatelessly({
    document: servedDocument(profile),
    operation: operation.id,
    preferences,
    defaultSeed: () => account.seededHex(`preferred ${operation.id} ${request.url}`).slice(0, 16),
  });
  return generating.then((result) => {
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
