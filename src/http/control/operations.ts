import type { OpenAPIV3_1 } from 'openapi-types';
import { controlDocument, type OperationId, operationIds } from '../../generated/control-document.js';
import type { operations } from '../../generated/control-validated-types.js';
import { compileValidators, parametersOf, type RequestValidators, requestAjv } from '../../openapi/schemas.js';

type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
type Defaulted = 'page' | 'per_page';
/** The query after validation: what has a default is there. */
export type QueryOf<Id extends OperationId> = Id extends OperationId
  ? [Query<Id>] extends [never]
    ? object
    : Omit<Query<Id>, Defaulted> & Required<Pick<Query<Id>, Defaulted & keyof Query<Id>>>
  : never;
/** The body after validation: what has a default is there. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? NonNullable<operations[Id]['requestBody']> extends { readonly content: { readonly 'application/json': infer Body } }
    ? Body
    : object
  : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];
/** The response body of a successful operation. */
export type ResultOf<Id extends OperationId> = Responses<Id>[keyof Responses<Id> & (200 | 201)] extends {
  readonly content: { readonly 'application/json': infer Result };
}
  ? Result
  : never;

const methods = ['get', 'put', 'patch', 'post', 'delete'] as const;

/** One operation of the control document. */
export interface ControlOperation<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly method: (typeof methods)[number];
  /** The path template: `/accounts/{account}/clock`. */
  readonly path: string;
  /** The success status. */
  readonly status: number;
  /** Validators of its query and body, compiled on first use. @throws Error if a schema does not compile strictly */
  validators(): RequestValidators<QueryOf<Id>, BodyOf<Id>>;
}

/** The operations, ordered by the number of path parameters: `/mails/stream` must match before `/mails/{mail}`. */
export function readOperations(): ControlOperation[] {
  const ajv = requestAjv();
  const found = Object.entries(controlDocument.paths ?? {}).flatMap(([path, item = {}]) =>
    methods.flatMap((method) => {
      const definition = item[method];
      return definition ? [readOperation(ajv, { path, item, method, definition })] : [];
    }),
  );
  const parameters = ({ path }: ControlOperation): number => path.split('{').length;
  return found.sort((a, b) => parameters(a) - parameters(b));
}

interface Place {
  readonly path: string;
  readonly item: OpenAPIV3_1.PathItemObject;
  readonly method: ControlOperation['method'];
  readonly definition: OpenAPIV3_1.OperationObject;
}

/** The body schema of operations without a request body in the document. */
const nothing: OpenAPIV3_1.SchemaObject = { type: 'object', additionalProperties: false };

/** The schema of bodies that have a parser with its own error messages (`x-own-words`). */
const anything: OpenAPIV3_1.SchemaObject = { type: 'object' };

function readOperation(
  ajv: ReturnType<typeof requestAjv>,
  { path, item, method, definition }: Place,
): ControlOperation {
  const id = operationIds.find((known) => known === definition.operationId);
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`);
  let validators: RequestValidators<QueryOf<OperationId>, BodyOf<OperationId>> | undefined;
  return {
    id,
    method,
    path,
    status: Number(Object.keys(definition.responses ?? {}).find((status) => status.startsWith('2'))),
    validators() {
      const parameters = parametersOf(controlDocument, item, definition);
      validators ??= compileValidators(ajv, controlDocument, parameters, {
        ...definition,
        requestBody: bodyOf(definition),
      });
      return validators;
    },
  };
}

function bodyOf(definition: OpenAPIV3_1.OperationObject): NonNullable<OpenAPIV3_1.OperationObject['requestBody']> {
  if (Object.hasOwn(definition, 'x-own-words')) return { content: { 'application/json': { schema: anything } } };
  return definition.requestBody ?? { content: { 'application/json': { schema: nothing } } };
}
