import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Scope, scopes } from '../domain/records.js';
import { type OperationId, operationIds } from '../generated/billing-document.js';
import type { operations } from '../generated/validated-types.js';
import { lazy } from '../lib/lazy.js';
import { pathPattern, withoutTrailingSlashes } from '../lib/path-template.js';
import { type Profile, patchedDocument } from './profile.js';
import { isIdempotencyKey, isInteger, type RequestParts, requestOf, schemasOf } from './request-schemas.js';
import { compileRequestSchema, type RequestValidators, requestValidators } from './schemas.js';

type Paging = 'per_page' | 'page';
type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
/** Query after validation, with defaults for paging. */
export type QueryOf<Id extends OperationId> = Id extends OperationId
  ? Omit<Query<Id>, Paging> & Required<Pick<Query<Id>, Paging & keyof Query<Id>>>
  : never;
/** Body after validation, with defaults. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? [NonNullable<operations[Id]['requestBody']>] extends [never]
    ? undefined
    : NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
      ? Body
      : never
  : never;

/** One operation of the document: its route, its scope and its validators. */
export interface Operation<Id extends OperationId = OperationId> extends RequestValidators<QueryOf<Id>, BodyOf<Id>> {
  readonly id: Id;
  readonly method: 'get' | 'post';
  /** Path template: `/invoices/{invoice}`. */
  readonly path: string;
  readonly scope: Scope;
  /** Status of a successful response. */
  readonly status: number;
  readonly takesBody: boolean;
  /** The path parameter; undefined if the path has none. */
  readonly parameter: { readonly name: string; readonly isInteger: boolean } | undefined;
  /** Rules for the Idempotency-Key header; undefined if the operation does not accept the header. */
  readonly idempotencyKey: { readonly required: boolean; readonly validate: ValidateFunction<string> } | undefined;
}

/** Operations at a requested path. */
interface Resource {
  /** By HTTP method, such as `POST`. A path with GET also has HEAD. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Value of the path parameter in the requested path, still percent-encoded; empty for paths without one. */
  readonly parameter: string;
}

/** The OpenAPI document with a profile applied, and its operations. */
export interface Api {
  readonly document: OpenAPIV3_1.Document;
  /**
   * Finds the resource at a path such as `/invoices/7`, or `/invoices/7/` if the profile ignores a trailing slash (gap
   * request.trailing-slash); undefined for an unknown path.
   */
  resourceAt(path: string): Resource | undefined;
  operation<Id extends OperationId>(id: Id): Operation<Id>;
  readonly operations: readonly Operation[];
}

/** Reads the API from the document with a profile applied. */
export function readApi(profile: Profile): Api {
  const document = patchedDocument(profile);
  const operations = new Map<string, Operation>();
  const resources = new Resources();
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    const byMethod = new Map<string, Operation>();
    for (const method of ['get', 'post'] as const) {
      const definition = item[method];
      if (!definition) continue;
      const operation = readOperation(document, { path, item, method, definition });
      operations.set(operation.id, operation);
      for (const name of method === 'get' ? ['GET', 'HEAD'] : ['POST']) byMethod.set(name, operation);
    }
    resources.add(path, byMethod);
  }
  const ignoresTrailingSlash = profile['request.trailing-slash'] === 'ignored';
  return {
    document,
    resourceAt: (path) => resources.find(ignoresTrailingSlash ? withoutTrailingSlashes(path) || '/' : path),
    operations: [...operations.values()],
    operation(id) {
      const operation = operations.get(id);
      if (!operation || !isOperation(operation, id)) throw new Error(`the document has no operation ${id}`);
      return operation;
    },
  };
}

/** Paths of a document. Paths without a parameter are looked up directly; the others are patterns. */
class Resources {
  readonly #literal = new Map<string, Resource>();
  readonly #templates: { readonly pattern: RegExp; readonly operations: Resource['operations'] }[] = [];

  /** @param path template with at most one parameter */
  add(path: string, operations: Resource['operations']): void {
    if (path.includes('{')) {
      this.#templates.push({ pattern: pathPattern(path), operations });
    } else this.#literal.set(path, { operations, parameter: '' });
  }

  /** Finds a path. Paths without a parameter take precedence: `/invoices/stats` also matches `/invoices/{invoice}`. */
  find(path: string): Resource | undefined {
    const literal = this.#literal.get(path);
    if (literal) return literal;
    for (const { pattern, operations } of this.#templates) {
      const parameter = pattern.exec(path)?.[1];
      if (parameter !== undefined) return { operations, parameter };
    }
    return undefined;
  }
}

interface OperationLocation {
  readonly path: string;
  readonly item: OpenAPIV3_1.PathItemObject;
  readonly method: 'get' | 'post';
  readonly definition: OpenAPIV3_1.OperationObject;
}

function readOperation(document: OpenAPIV3_1.Document, location: OperationLocation): Operation {
  const { path, item, method, definition } = location;
  const id = definition.operationId;
  if (!isOperationId(id)) throw new Error(`${method} ${path} has no known operationId (${id})`);
  // Lazy, since the simulator needs only the routes when it starts.
  const request = lazy(() => requestOf(document, item, definition));
  const validators = lazy(() => requestValidators<QueryOf<OperationId>, BodyOf<OperationId>>(request()));
  const parameter = lazy(() => {
    const pathParameter = request().parameters.find((candidate) => candidate.in === 'path');
    return pathParameter && { name: pathParameter.name, isInteger: isInteger(pathParameter) };
  });
  const idempotencyKey = lazy(() => readIdempotencyKey(request()));
  return {
    id,
    method,
    path,
    scope: scopeOf(definition),
    // The last one: with the choice `200` of gap deposit.replay-status, the 200 of a replay precedes the 201 of the
    // first request.
    status: Number(Object.keys(definition.responses ?? {}).findLast((status) => status.startsWith('2'))),
    takesBody: definition.requestBody !== undefined,
    get parameter() {
      return parameter();
    },
    get idempotencyKey() {
      return idempotencyKey();
    },
    get queryParameters() {
      return validators().queryParameters;
    },
    get validateQuery() {
      return validators().validateQuery;
    },
    get bodyFields() {
      return validators().bodyFields;
    },
    get removeNulls() {
      return validators().removeNulls;
    },
    get validateBody() {
      return validators().validateBody;
    },
  };
}

function readIdempotencyKey(request: RequestParts): Operation['idempotencyKey'] {
  const key = request.parameters.find(isIdempotencyKey);
  const validate = lazy(() => compileRequestSchema<string>(schemasOf(request).key));
  return (
    key && {
      required: key.required === true,
      get validate() {
        return validate();
      },
    }
  );
}

function scopeOf(definition: OpenAPIV3_1.OperationObject): Scope {
  const [required] = definition.security?.[0]?.['bearer'] ?? [];
  const scope = scopes.find((known) => known === required);
  if (!scope) throw new Error(`${definition.operationId} does not name a known scope`);
  return scope;
}

function isOperation<Id extends OperationId>(operation: Operation, id: Id): operation is Operation<Id> {
  return operation.id === id;
}

function isOperationId(id: string | undefined): id is OperationId {
  return operationIds.some((known) => known === id);
}
