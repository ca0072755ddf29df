import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Scope, scopes } from '../domain/records.js';
import { type OperationId, operationIds } from '../generated/billing-document.js';
import type { operations } from '../generated/validated-types.js';
import { lazy } from '../lib/lazy.js';
import type { Profile } from './gaps.js';
import { pathPattern } from './path-pattern.js';
import { patchedDocument } from './profile.js';
import { isIdempotencyKey, isInteger, requestOf, schemasOf } from './request-schemas.js';
import { compileRequestSchema, type RequestValidators, requestValidators } from './schemas.js';

type Paging = 'per_page' | 'page';
type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
/** Query after validation, with defaults for paging. */
export type QueryOf<Id extends OperationId> = Id extends OperationId
  ? Omit<Query<Id>, Paging> & Required<Pick<Query<Id>, Paging & keyof Query<Id>>>
  : never;
/** Body after validation, with defaults. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : never;

/** One operation of the document: its route, its scope and its validators. */
export interface Operation<Id extends OperationId = OperationId> extends RequestValidators<QueryOf<Id>, BodyOf<Id>> {
  readonly id: Id;
  readonly method: 'get' | 'post';
  /** Path template: `/invoices/{invoice}`. */
  readonly path: string;
  /** Matches its paths. */
  readonly pattern: RegExp;
  readonly scope: Scope;
  /** Success status. */
  readonly status: number;
  /** Path parameter, and whether it is an integer. */
  readonly parameter: { readonly name: string; readonly integer: boolean } | undefined;
  /** Rules for Idempotency-Key, if the operation accepts one. */
  readonly key: { readonly required: boolean; readonly validate: ValidateFunction<string> } | undefined;
}

/** The document of a profile and its operations. */
export interface Api {
  readonly document: OpenAPIV3_1.Document;
  operation<Id extends OperationId>(id: Id): Operation<Id>;
  readonly operations: readonly Operation[];
  /** Maximum amount (gap amount.maximum). */
  readonly maximumAmount: number;
}

/** Reads the API of a profile from its document. */
export function readApi(profile: Profile): Api {
  const document = patchedDocument(profile);
  const operations = new Map<string, Operation>();
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    for (const method of ['get', 'post'] as const) {
      const definition = item[method];
      if (!definition) continue;
      const operation = readOperation(document, { path, item, method, definition });
      operations.set(operation.id, operation);
    }
  }
  const amount = document.components?.schemas?.['Amount'];
  if (amount?.maximum === undefined) throw new Error('the document bounds no Amount');
  return {
    document,
    maximumAmount: amount.maximum,
    operations: [...operations.values()],
    operation(id) {
      const operation = operations.get(id);
      if (!operation || !isOperation(operation, id)) throw new Error(`the document has no operation ${id}`);
      return operation;
    },
  };
}

interface Place {
  readonly path: string;
  readonly item: OpenAPIV3_1.PathItemObject;
  readonly method: 'get' | 'post';
  readonly definition: OpenAPIV3_1.OperationObject;
}

function readOperation(document: OpenAPIV3_1.Document, place: Place): Operation {
  const { path, item, method, definition } = place;
  const id = definition.operationId;
  if (!isOperationId(id)) throw new Error(`${method} ${path} has no operationId`);
  const request = requestOf(document, item, definition);
  const { parameters } = request;
  const inPath = parameters.find((parameter) => parameter.in === 'path');
  const key = parameters.find(isIdempotencyKey);
  const validateKey = lazy(() => compileRequestSchema<string>(schemasOf(request).key));
  // Added to the validators, not copied from them: copying would compile them.
  return Object.assign(requestValidators<QueryOf<OperationId>, BodyOf<OperationId>>(request), {
    id,
    method,
    path,
    pattern: pathPattern(path),
    scope: scopeOf(definition),
    // Under deposit.replay-status: 200, a creation returns 200 for replays besides its own 201.
    status: Number(Object.keys(definition.responses ?? {}).findLast((status) => status.startsWith('2'))),
    parameter: inPath && { name: inPath.name, integer: isInteger(inPath) },
    key: key && {
      required: key.required === true,
      get validate() {
        return validateKey();
      },
    },
  });
}

function scopeOf(definition: OpenAPIV3_1.OperationObject): Scope {
  const [required] = definition.security?.[0]?.['bearer'] ?? [];
  const scope = scopes.find((known) => known === required);
  if (!scope) throw new Error(`${definition.operationId} asks for no known scope`);
  return scope;
}

function isOperation<Id extends OperationId>(operation: Operation, id: Id): operation is Operation<Id> {
  return operation.id === id;
}

function isOperationId(id: string | undefined): id is OperationId {
  return operationIds.some((known) => known === id);
}
