import type { Request } from 'express';
import type { Operation } from '../../openapi/document.js';
import { apiOf } from '../document/profiles.js';
import type { Exchange } from '../exchange.js';

/** The operation of a request, even if it was refused before it got there. */
export function operationMeant({ operation, profile }: Exchange, request: Request): Operation | undefined {
  if (operation) return operation;
  const path = pathOf(request);
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  const { operations } = apiOf(profile);
  const meant = operations.filter((one) => one.method === method && one.pattern.test(path));
  // `/invoices/stats` is no invoice.
  return meant.find((one) => one.path === path) ?? meant[0];
}

/** Below `/api/v1`, without the query, and without the host that a request for a proxy has before it. */
export function pathOf({ originalUrl }: Request): string {
  return originalUrl.replace(/^(?:\w+:\/\/[^/]*)?\/api\/v1|\?.*$/gs, '');
}
