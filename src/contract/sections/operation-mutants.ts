import { numberedId } from '../engine/clause.js';
import { type Operation, operations } from '../engine/operations.js';
import type { InterceptedRequest, Interceptor } from '../mutation/interceptor.js';
import type { MutantRow } from '../mutation/mutant.js';

/** An operation of the API, with what its mutants need. */
export interface OperationCase {
  readonly id: Operation['id'];
  /** Position in the OpenAPI document, counted from 1. If each operation has a clause, the clause id ends with it. */
  readonly number: number;
  /** Method and path template: `POST /invoices`. */
  readonly name: string;
  readonly scope: Operation['scope'];
  readonly isCalledBy: (request: InterceptedRequest) => boolean;
}

/** All operations, in the order of the OpenAPI document. */
export const operationCases: readonly OperationCase[] = operations.map(({ id, method, path, scope }, index) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '\\d+')}$`);
  return {
    id,
    number: index + 1,
    name: `${method} ${path}`,
    scope,
    isCalledBy: (request) => request.method === method && pattern.test(request.path),
  };
});

/** Creates a mutant for each operation. */
export function mutantForEachOperation(
  idPrefix: string,
  title: (operationName: string) => string,
  createInterceptor: (operation: OperationCase) => Interceptor,
): MutantRow[] {
  return operationCases.map((operation) => [
    numberedId(idPrefix, operation.number),
    title(operation.name),
    createInterceptor(operation),
  ]);
}
