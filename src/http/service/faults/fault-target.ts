import type { Request } from 'express';
import type { FaultTarget } from '../../../domain/faults.js';
import { operationMeant, pathOf } from '../match-operation.js';

/** A request to the service as faults see it, however far it has got. */
export function targetOf(request: Request): FaultTarget {
  const { exchange, method, body } = request;
  return {
    operation: operationMeant(exchange, request)?.id ?? null,
    method,
    path: pathOf(request),
    token: exchange.token?.name ?? null,
    body,
  };
}
