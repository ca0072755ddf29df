import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Profile } from '../domain/gaps.js';
import { decimalPlaces } from '../domain/money.js';
import { type Scope, scopes } from '../domain/records.js';
import { type OperationId, operationIds } from '../generated/billing-document.js';
import type { operations } from '../generated/validated-types.js';
import { profiledDocument } from './profile.js';

type Paging = 'per_page' | 'page';
type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;
/** The query after validation: paging has its defaults. */
export type QueryOf<Id extends OperationId> = Id extends OperationId
  ? Omit<Query<Id>, Paging> & Required<Pick<Query<Id>, Paging & keyof Query<Id>>>
  : never;
/** The body after validation: what has a default is there. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : never;

/** One operation of the document, compiled: how it is reached, who may call it, and what it takes. */
export interface Operation<Id extends OperationId = OperationId> {
  readonly id: Id;
  readonly method: 'get' | 'post';
  /** As the document writes it: `/invoices/{invoice}`. */
  readonly path: string;
  readonly scope: Scope;
  /** The success status. */
  readonly status: number;
  /** The path parameter, and whether it is an integer. */
  readonly parameter: { readonly name: string; readonly integer: boolean } | undefined;
  /** What Idempotency-Key must be like, where the operation takes one. */
  readonly key: { readonly required: boolean; readonly validate: ValidateFunction<string> } | undefined;
  readonly query: readonly { readonly name: string; readonly integer: boolean; readonly maximum: number | undefined }[];
  readonly validateQuery: ValidateFunction<QueryOf<Id>>;
  /** Admits anything where the operation takes no body. */
  readonly validateBody: ValidateFunction<BodyOf<Id>>;
  readonly takesBody: boolean;
}

/** The compiled document of a profile. */
export interface Api {
  readonly document: OpenAPIV3_1.Document;
  operation<Id extends OperationId>(id: Id): Operation<Id>;
  readonly operations: readonly Operation[];
  /** The largest amount (gap amount.maximum). */
  readonly maximumAmount: number;
}

const compiled = new WeakMap<OpenAPIV3_1.Document, Api>();

/** The document of a profile, compiled at the first call. @throws Error if a schema does not compile strictly */
export function apiOf(profile: Profile): Api {
  const document = profiledDocument(profile);
  const known = compiled.get(document);
  if (known) return known;
  const api = compile(document);
  compiled.set(document, api);
  return api;
}

/** A validator that knows the schemas of a document under `billing#/components/schemas/…`. */
export function documentValidator(document: OpenAPIV3_1.Document): Ajv2020 {
  return strictValidator().addSchema({ $id: 'billing', components: document.components }, 'billing');
}

/** Ajv with the keywords that the document adds to JSON Schema. Strict: what it does not know stops the start. */
function strictValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    verbose: true,
    useDefaults: true,
    // Compiling tells what is wrong with a schema; holding each against the meta-schema as well doubles the start.
    validateSchema: false,
    meta: false,
  });
  addFormats.default(ajv, ['date', 'date-time', 'email']);
  ajv.addVocabulary(['x-gap', 'example', 'components']);
  ajv.addKeyword({
    keyword: 'x-decimal-places',
    type: 'number',
    schemaType: 'number',
    validate: (places: number, value: number) => !Number.isFinite(value) || decimalPlaces(value) <= places,
    errors: false,
  });
  ajv.addKeyword({
    keyword: 'x-not-before',
    schemaType: 'string',
    validate: (sibling: string, value: unknown, _schema?: unknown, at?: { parentData: unknown }) => {
      const parent = at?.parentData;
      const other: unknown = typeof parent === 'object' && parent !== null ? Reflect.get(parent, sibling) : undefined;
      return typeof other !== 'string' || typeof value !== 'string' || value >= other;
    },
    errors: false,
  });
  return ajv;
}

function compile(document: OpenAPIV3_1.Document): Api {
  const ajv = strictValidator();
  const operations = new Map<string, Operation>();
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    for (const method of ['get', 'post'] as const) {
      const definition = item[method];
      if (!definition) continue;
      const operation = compileOperation(ajv, document, { path, item, method, definition });
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

function compileOperation(ajv: Ajv2020, document: OpenAPIV3_1.Document, place: Place): Operation {
  const { path, item, method, definition } = place;
  const id = definition.operationId;
  if (!isOperationId(id)) throw new Error(`${method} ${path} has no operationId`);
  const parameters = [...(item.parameters ?? []), ...(definition.parameters ?? [])].map((parameter) =>
    resolve<OpenAPIV3_1.ParameterObject>(document.components?.parameters, parameter),
  );
  const integer = (parameter: OpenAPIV3_1.ParameterObject): boolean => schemaOf(parameter).type === 'integer';
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const inPath = parameters.find((parameter) => parameter.in === 'path');
  const key = parameters.find((parameter) => parameter.name === 'Idempotency-Key');
  const body =
    definition.requestBody &&
    resolve<OpenAPIV3_1.RequestBodyObject>(document.components?.requestBodies, definition.requestBody);
  return {
    id,
    method,
    path,
    scope: scopeOf(definition),
    // Under deposit.replay-status: 200, a creation has 200 for replays beside its own 201.
    status: Number(Object.keys(definition.responses ?? {}).findLast((status) => status.startsWith('2'))),
    parameter: inPath && { name: inPath.name, integer: integer(inPath) },
    key: key && { required: key.required === true, validate: ajv.compile<string>(inlined(document, key.schema)) },
    query: query.map((parameter) => ({
      name: parameter.name,
      integer: integer(parameter),
      maximum: schemaOf(parameter).maximum,
    })),
    validateQuery: ajv.compile<QueryOf<OperationId>>(query.length === 0 ? anything : querySchema(document, query)),
    validateBody: ajv.compile<BodyOf<OperationId>>(
      body ? inlined(document, body.content['application/json']?.schema) : anything,
    ),
    takesBody: body !== undefined,
  };
}

/** For operations without a query or body; one object, which Ajv compiles once. */
const anything = {};

function querySchema(document: OpenAPIV3_1.Document, parameters: readonly OpenAPIV3_1.ParameterObject[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, inlined(document, schema)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * A schema with what it refers to in place of the references. Ajv calls a function for each reference and copies the
 * errors found so far at each call, which a body of 30,000 bad items would make it do for many seconds.
 */
function inlined(document: OpenAPIV3_1.Document, schema: unknown): object {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...siblings } = Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, inline(value)]),
    );
    if (typeof $ref !== 'string') return siblings;
    const target = inline(document.components?.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)]);
    return Object.keys(siblings).length === 0 ? target : { allOf: [target], ...siblings };
  };
  return Object(inline(schema));
}

function schemaOf(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.SchemaObject {
  return parameter.schema && !('$ref' in parameter.schema) ? parameter.schema : {};
}

function scopeOf(definition: OpenAPIV3_1.OperationObject): Scope {
  const [asked] = definition.security?.[0]?.['bearer'] ?? [];
  const scope = scopes.find((known) => known === asked);
  if (!scope) throw new Error(`${definition.operationId} asks for no known scope`);
  return scope;
}

/** What a `$ref` into one kind of components stands for. */
function resolve<Target extends object>(
  components: Readonly<Record<string, Target | OpenAPIV3_1.ReferenceObject>> | undefined,
  value: Target | OpenAPIV3_1.ReferenceObject,
): Target {
  if (!('$ref' in value)) return value;
  const found = components?.[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)];
  if (!found || '$ref' in found) throw new Error(`the document has nothing at ${value.$ref}`);
  return found;
}

function isOperation<Id extends OperationId>(operation: Operation, id: Id): operation is Operation<Id> {
  return operation.id === id;
}

function isOperationId(id: string | undefined): id is OperationId {
  return operationIds.some((known) => known === id);
}
