import type { OperationId } from '../../generated/billing-document.js';
import { parseJson } from '../../lib/json.js';
import type { Operation } from '../../openapi/document.js';
import type { Account } from '../../simulation/account.js';
import type { Routes } from './routes.js';
import { validated, validateQuery } from './validation.js';

/**
 * Calls an operation of the service without HTTP: with the same validation and business rules as a request, but without
 * a token, an idempotency key, the rate limit or faults.
 * @param id the id in the path; empty for a path without one
 * @returns the body of the response
 * @throws ServiceError
 */
export function callRoute<Id extends OperationId>(
  routes: Routes,
  operation: Operation<Id>,
  { account, id, body }: { readonly account: Account; readonly id: number | string; readonly body: unknown },
): unknown {
  const responseData = routes[operation.id]({
    account,
    status: operation.status,
    id,
    query: validateQuery(operation, new URLSearchParams(), account.profile),
    body: validated(operation.validateBody, operation.takesBody ? body : undefined),
    idempotencyKey: undefined,
  });
  return parseJson(String(responseData.body));
}
