import type { Request } from 'express';
import type { Operation } from '../../openapi/document.js';
import { apiOf } from '../document/profiles.js';
import type { RequestContext } from '../request-context.js';

/** Finds the operation of a request, even if the request was rejected before it reached the operation. */
export function matchOperation(
  { operation, profile }: Pick<RequestContext, 'operation' | 'profile'>,
  request: Request,
): Operation | undefined {
  if (operation) return operation;
  return apiOf(profile).resourceAt(pathOf(request))?.operations.get(request.method);
}

/** The path below `/api/v1`, without the query and without the host that a request to a proxy has before the path. */
export function pathOf({ originalUrl }: Request): string {
  return originalUrl.replace(/^(?:\w+:\/\/[^/]*)?\/api\/v1|\?.*$/gs, '');
}
