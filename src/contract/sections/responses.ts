import type { OperationId } from '../../generated/billing-document.js';
import { Skip } from '../engine/check-errors.js';
import type { Exchange } from '../engine/exchange.js';
import { isSuccess } from '../engine/expect.js';
import { operationOf } from '../engine/operations.js';
import { isRateLimited } from '../engine/pace.js';
import type { ClauseContext } from '../engine/session.js';

/** True if the specification applies to a response: the request was well-formed, and the service itself responded. */
function isSpecifiedResponse({ call, status, headers }: Exchange): boolean {
  // A string is sent as it is, so it may not be JSON, and a request with its own Content-Type may have another format. A proxy
  // in front of the service may refuse either.
  if (typeof call.body === 'string' || call.headers?.['Content-Type'] !== undefined) return false;
  // If the segment after /invoices/ is neither an integer nor `stats` nor `overdue`, the service may have no route for
  // it, so the response may come from its router.
  if (/^\/invoices\/(?!(?:\d+|stats|overdue)(?:[/?]|$))[^?]/.test(call.path)) return false;
  return status < 500 && !isRateLimited({ status, headers });
}

/** Caches `specifiedOperationOf`, since many clauses read all responses. */
const specifiedOperations = new WeakMap<Exchange, OperationId | null>();

/** Returns the operation of a response; null if the specification does not apply to the response. */
function specifiedOperationOf(exchange: Exchange): OperationId | null {
  let id = specifiedOperations.get(exchange);
  if (id === undefined) {
    id = isSpecifiedResponse(exchange) ? (operationOf(exchange.call)?.id ?? null) : null;
    specifiedOperations.set(exchange, id);
  }
  return id;
}

/**
 * Returns the responses so far that the specification applies to.
 * @param id limits them to the responses of one operation
 */
export function responsesSoFar(context: ClauseContext, id?: OperationId): Exchange[] {
  return context.session.target.exchanges.filter((exchange) => {
    const operation = specifiedOperationOf(exchange);
    return operation !== null && (id === undefined || operation === id);
  });
}

/**
 * Returns the successful responses so far to valid requests of an operation, except those for another account, whose
 * records are not known.
 */
export function successesSoFar(context: ClauseContext, id: OperationId): Exchange[] {
  return responsesSoFar(context, id).filter(
    (exchange) => isSuccess(exchange) && !exchange.call.isInvalid && exchange.call.token !== 'otherAccount',
  );
}

/** Returns the responses so far that the specification applies to. If there are none, requests the list of invoices. */
export async function someResponsesSoFar(context: ClauseContext): Promise<Exchange[]> {
  if (responsesSoFar(context).length === 0) await context.get('/invoices?per_page=1');
  return responsesSoFar(context);
}

/**
 * Checks each of many exchanges. If all are valid, only the last is recorded as evidence, to keep reports short.
 * @throws Skip if there are none. Errors thrown by `expect` are passed on
 */
export function expectEachResponse(
  context: ClauseContext,
  exchanges: readonly Exchange[],
  expect: (exchange: Exchange) => void,
): void {
  if (exchanges.length === 0) throw new Skip({ missing: 'a response to check', reason: 'there was none' });
  exchanges.forEach(expect);
  context.recordEvidence(...exchanges.slice(-1));
}
