import type { Exchange } from '../engine/exchange.js';
import { type Operation, operationOf } from '../engine/operations.js';

/**
 * Finds the operation that a response is from; undefined if there is none. If a request with a trailing slash succeeds,
 * the target evidently ignores the slash, so the operation is the one at the path without it.
 */
export function answeredOperation({ call, status }: Exchange): Operation | undefined {
  return operationOf(status < 300 ? { ...call, path: call.path.replace(/\/(?=\?|$)/, '') } : call);
}
