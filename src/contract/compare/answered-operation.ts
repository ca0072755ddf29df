import type { Exchange } from '../engine/exchange.js';
import { type Operation, operationOf } from '../engine/operations.js';

/**
 * Finds the operation that a response is from; undefined if there is none. A success for a path with a trailing slash
 * is from the operation without the slash, which the target evidently ignores.
 */
export function answeredOperation({ call, status }: Exchange): Operation | undefined {
  return operationOf(status < 300 ? { ...call, path: call.path.replace(/\/(?=\?|$)/, '') } : call);
}
