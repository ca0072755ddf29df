import type { OperationId } from '../../generated/billing-document.js';
import { Blocked, Skip } from '../engine/check-errors.js';
import type { Exchange } from '../engine/exchange.js';
import { expectClientError } from '../engine/expect.js';
import { operationOf, operationWithId } from '../engine/operations.js';
import type { ClauseContext, Setup } from '../engine/session.js';
import { successesSoFar } from './responses.js';

/**
 * Expects that the target refuses an invalid request.
 * @param validRequest see `requireOperationWorks`
 * @throws Violation unless the status is 4xx; Blocked if the target refuses valid requests of the operation, too
 */
export async function expectRefused(
  context: ClauseContext,
  exchange: Exchange,
  validRequest: Setup<unknown>,
): Promise<void> {
  expectClientError(exchange);
  const operation = operationOf(exchange.call);
  if (operation) await requireOperationWorks(context, operation.id, validRequest);
}

/**
 * Requires that the target accepts valid requests of an operation. A target that refuses all of them, for example
 * because it does not have the operation, proves nothing by refusing an invalid one.
 * @param validRequest sends a valid request; used if none has been accepted yet. If it throws Skip, for example because
 *   the run has no driver, nothing is required
 * @throws Blocked; the other errors of `validRequest`
 */
export async function requireOperationWorks(
  context: ClauseContext,
  id: OperationId,
  validRequest: Setup<unknown>,
): Promise<void> {
  if (successesSoFar(context, id).length > 0) return;
  try {
    await context.use(validRequest);
  } catch (error) {
    if (error instanceof Skip) return;
    throw error;
  }
  if (successesSoFar(context, id).length > 0) return;
  const { method, path } = operationWithId(id);
  throw new Blocked(`a valid ${method} ${path} was refused, too`);
}
