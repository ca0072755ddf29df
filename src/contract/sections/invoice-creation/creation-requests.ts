import type { JsonObject } from '../../engine/json.js';
import type { InterceptedRequest } from '../../mutation/interceptor.js';
import { hasFullToken } from '../../mutation/interceptors.js';

/** True for a request to create an invoice that uses the token with both scopes. */
export const isCreation = (request: InterceptedRequest): boolean =>
  request.method === 'POST' && request.path === '/invoices' && hasFullToken(request);

/** Returns the items in the body of a request to create an invoice. */
export const itemsOf = ({ items }: JsonObject): JsonObject[] => (Array.isArray(items) ? items : []);

/** Selects bodies with at least one selected item. */
export const hasItem =
  (isSelected: (item: JsonObject) => boolean): ((body: JsonObject) => boolean) =>
  (body) =>
    itemsOf(body).some(isSelected);
