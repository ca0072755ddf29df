import { billingDocument, type OperationId, operationIds } from '../../generated/billing-document.js';
import { compareTemplates, pathPattern } from '../../lib/path-template.js';
import type { Call } from './exchange.js';

/** An operation of the service, as in the OpenAPI document. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST';
  /** Path template: `/invoices/{invoice}`. */
  readonly path: string;
  /**
   * Scope that a token needs. According to the "Authentication" section of the specification, it is `billing.read` for
   * all GET endpoints, and `billing.write` for all POST endpoints.
   */
  readonly scope: 'read' | 'write';
}

/** All operations, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = operationIds.map((id) => {
  for (const [path, item] of Object.entries(billingDocument.paths ?? {})) {
    if (item?.get?.operationId === id) return { id, method: 'GET', path, scope: 'read' };
    if (item?.post?.operationId === id) return { id, method: 'POST', path, scope: 'write' };
  }
  throw new Error(`the document has no operation ${id}`);
});

export function operationWithId(id: OperationId): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`the document has no operation ${id}`);
  return found;
}

const patterns = operations
  .toSorted((a, b) => compareTemplates(a.path, b.path))
  .map((operation) => ({ operation, pattern: pathPattern(operation.path) }));

/** Finds the operation of a request; undefined if none matches. */
export function operationOf({ method, path }: Pick<Call, 'method' | 'path'>): Operation | undefined {
  const [pathname] = path.split('?', 1);
  return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(pathname ?? ''))
    ?.operation;
}
