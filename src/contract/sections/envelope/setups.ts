import type { OperationId } from '../../../generated/billing-document.js';
import type { Exchange } from '../../engine/exchange.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { isRateLimited } from '../../engine/target.js';

/** Whether the exchange is a documented operation, answered by the service itself. */
function isDocumentedCall({ call, status, headers }: Exchange): boolean {
  // A body that is not JSON, or not declared as JSON, may be answered by something in front of the service.
  if (typeof call.body === 'string' || call.headers?.['Content-Type'] !== undefined) return false;
  // A path segment that is not an integer may not be an id at all.
  if (/^\/invoices\/(?!\d+(\/|$)|stats$|overdue$)[^?]/.test(call.path)) return false;
  return status < 500 && !isRateLimited({ status, headers });
}

/** All responses of the target so far. */
export function answers(context: ClauseContext, id?: OperationId): Exchange[] {
  return context.session.target.answers.filter((exchange) => {
    const operation = operationOf(exchange.call)?.id;
    return operation !== undefined && (id === undefined || operation === id) && isDocumentedCall(exchange);
  });
}

/** All responses so far; the list of invoices, if there are none. */
export async function everything(context: ClauseContext): Promise<Exchange[]> {
  if (answers(context).length === 0) await context.get('/invoices?per_page=1');
  return answers(context);
}

/** Checks each of many exchanges. Of the valid ones, only the last is recorded as evidence. */
export function expectEach(
  context: ClauseContext,
  exchanges: readonly Exchange[],
  expect: (exchange: Exchange) => void,
): void {
  exchanges.forEach(expect);
  context.recordEvidence(...exchanges.slice(-1));
}
