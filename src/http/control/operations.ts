import type { OpenAPIV3_1 } from 'openapi-types';
import { controlDocument, type OperationId, operationIds } from '../../generated/control-document.js';
import type { operations } from '../../generated/control-validated-types.js';
import { compileIntake, type Intake, parametersOf, strictValidator } from '../../openapi/schemas.js';

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
/** What an operation that succeeds answers. */
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
  /** As the document writes it: `/accounts/{account}/clock`. */
  readonly path: string;
  /** The success status. */
  readonly status: number;
  /** What it takes, compiled at the first call. @throws Error if a schema does not compile strictly */
  intake(): Intake<QueryOf<Id>, BodyOf<Id>>;
}

/** The operations, those first whose paths have fewer parameters: `/mails/stream` is no mail of the id `stream`. */
export function readOperations(): ControlOperation[] {
  const ajv = strictValidator();
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

/** What an operation takes as its body that the document has none for. */
const nothing: OpenAPIV3_1.SchemaObject = { type: 'object', additionalProperties: false };

/** What is let through of a body that is read elsewhere, and refused there in words of its own (`x-own-words`). */
const anything: OpenAPIV3_1.SchemaObject = { type: 'object' };

function readOperation(
  ajv: ReturnType<typeof strictValidator>,
  { path, item, method, definition }: Place,
): ControlOperation {
  const id = operationIds.find((known) => known === definition.operationId);
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`);
  let intake: Intake<QueryOf<OperationId>, BodyOf<OperationId>> | undefined;
  return {
    id,
    method,
    path,
    status: Number(Object.keys(definition.responses ?? {}).find((status) => status.startsWith('2'))),
    intake() {
      const parameters = parametersOf(controlDocument, item, definition);
      intake ??= compileIntake(ajv, controlDocument, parameters, {
        ...definition,
        requestBody: bodyOf(definition),
      });
      return intake;
    },
  };
}

function bodyOf(definition: OpenAPIV3_1.OperationObject): NonNullable<OpenAPIV3_1.OperationObject['requestBody']> {
  if (Object.hasOwn(definition, 'x-own-words')) return { content: { 'application/json': { schema: anything } } };
  return definition.requestBody ?? { content: { 'application/json': { schema: nothing } } };
}
