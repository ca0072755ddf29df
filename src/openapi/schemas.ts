import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { maxMinorUnits } from '../domain/money.js';
import { minorUnits } from '../lib/decimals.js';
import { isRecord } from '../lib/is-record.js';
import { ownSchemas, strictAjv } from '../lib/strict-ajv.js';

/** Compiled validators of the query and the body of an operation. */
export interface RequestValidators<Query, Body> {
  readonly query: readonly { readonly name: string; readonly integer: boolean; readonly maximum: number | undefined }[];
  readonly validateQuery: ValidateFunction<Query>;
  /** Removes nulls that count as omitted fields (gap validation.null-optional). */
  readonly withoutNulls: (body: unknown) => unknown;
  /** Accepts anything if the operation takes no body. */
  readonly validateBody: ValidateFunction<Body>;
  readonly takesBody: boolean;
}

/** Ajv for requests. An amount whose currency is that of a record is checked by the operation; here, against any currency. */
export function requestAjv(): Ajv2020 {
  const ajv = strictAjv({ ...ownSchemas, allErrors: true, useDefaults: true }, (currency) =>
    typeof currency === 'string' ? minorUnits(currency) : maxMinorUnits,
  );
  ajv.addVocabulary(['components', omittedByNull]);
  return ajv;
}

/** Marks the schema of a field for which null counts as omitted. */
const omittedByNull = 'x-omitted-by-null';

/** The parameters of an operation and of its path. */
export function parametersOf(
  document: OpenAPIV3_1.Document,
  item: OpenAPIV3_1.PathItemObject,
  definition: OpenAPIV3_1.OperationObject,
): OpenAPIV3_1.ParameterObject[] {
  return [...(item.parameters ?? []), ...(definition.parameters ?? [])].map((parameter) =>
    resolve<OpenAPIV3_1.ParameterObject>(document.components?.parameters, parameter),
  );
}

/** @throws Error if a schema does not compile strictly */
export function compileValidators<Query, Body>(
  ajv: Ajv2020,
  document: OpenAPIV3_1.Document,
  parameters: readonly OpenAPIV3_1.ParameterObject[],
  definition: OpenAPIV3_1.OperationObject,
): RequestValidators<Query, Body> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body =
    definition.requestBody &&
    resolve<OpenAPIV3_1.RequestBodyObject>(document.components?.requestBodies, definition.requestBody);
  const bodySchema = body && inlined(document, body.content['application/json']?.schema);
  return {
    query: query.map((parameter) => ({
      name: parameter.name,
      integer: isInteger(parameter),
      maximum: schemaOf(parameter).maximum,
    })),
    validateQuery: ajv.compile<Query>(query.length === 0 ? anything : querySchema(document, query)),
    withoutNulls: nullRemover(bodySchema) ?? ((value) => value),
    validateBody: ajv.compile<Body>(bodySchema ?? anything),
    takesBody: body !== undefined,
  };
}

/** For operations without a query or body; one object, which Ajv compiles once. */
const anything = {};

export function isInteger(parameter: OpenAPIV3_1.ParameterObject): boolean {
  return schemaOf(parameter).type === 'integer';
}

function querySchema(document: OpenAPIV3_1.Document, parameters: readonly OpenAPIV3_1.ParameterObject[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, inlined(document, schema)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * Replaces the references in a schema with their targets. Ajv calls a function for each reference and copies the
 * errors found so far at each call, which would take many seconds for a body of 30,000 bad items.
 */
export function inlined(document: OpenAPIV3_1.Document, schema: unknown): object {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...siblings } = Object.fromEntries(
      Object.entries(withoutNullAlternative(document, part)).map(([name, value]) => [name, inline(value)]),
    );
    if (typeof $ref !== 'string') return siblings;
    const target = inline(document.components?.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)]);
    return Object.keys(siblings).length === 0 ? target : { allOf: [target], ...siblings };
  };
  return Object(inline(schema));
}

const nullForOmitted = '#/components/schemas/NullForOmitted';

/**
 * Removes the alternative null from the schema of an optional field: `nullRemover` removes such nulls before validation, and
 * `anyOf` would hide which rule is violated.
 */
function withoutNullAlternative(document: OpenAPIV3_1.Document, part: object): object {
  const { anyOf, ...siblings }: { anyOf?: unknown } = part;
  if (!Array.isArray(anyOf)) return part;
  const [schema, ...others] = anyOf.filter((alternative) => alternative?.$ref !== nullForOmitted);
  if (others.length > 0 || anyOf.length === 1) return part;
  // Under the choice `refused` of validation.null-optional nothing matches that alternative.
  const isOmission = document.components?.schemas?.['NullForOmitted']?.type === 'null';
  return { ...schema, ...siblings, ...(isOmission ? { [omittedByNull]: true } : {}) };
}

/** Returns a function that removes nulls which count as omitted fields; undefined if the schema has no such field. */
function nullRemover(schema: unknown): ((value: unknown) => unknown) | undefined {
  const parts = partsOf(schema);
  const fields = parts.flatMap(({ properties }) => Object.entries(Object(properties)));
  const omissible = new Set(fields.flatMap(([name, field]) => (partsOf(field).some(isMarked) ? [name] : [])));
  const inner = new Map(fields.flatMap(([name, field]) => entryOf(name, nullRemover(field))));
  const ofItem = parts.map(({ items }) => nullRemover(items)).find((remover) => remover !== undefined);
  if (ofItem) return (value) => (Array.isArray(value) ? value.map(ofItem) : value);
  if (omissible.size === 0 && inner.size === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    const members = Object.entries(value).filter(([name, member]) => member !== null || !omissible.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, inner.get(name)?.(member) ?? member]));
  };
}

interface SchemaPart {
  readonly properties?: unknown;
  readonly items?: unknown;
  readonly allOf?: unknown;
  readonly [omittedByNull]?: unknown;
}

/** A schema and the parts of its `allOf`. */
function partsOf(schema: unknown): SchemaPart[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const part: SchemaPart = schema;
  return [part, ...(Array.isArray(part.allOf) ? part.allOf.flatMap(partsOf) : [])];
}

function isMarked(part: SchemaPart): boolean {
  return part[omittedByNull] === true;
}

function entryOf<Value>(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

function schemaOf(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.SchemaObject {
  return parameter.schema && !('$ref' in parameter.schema) ? parameter.schema : {};
}

/** Resolves a `$ref` into one kind of components. */
function resolve<Target extends object>(
  components: Readonly<Record<string, Target | OpenAPIV3_1.ReferenceObject>> | undefined,
  value: Target | OpenAPIV3_1.ReferenceObject,
): Target {
  if (!('$ref' in value)) return value;
  const found = components?.[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)];
  if (!found || '$ref' in found) throw new Error(`the document has nothing at ${value.$ref}`);
  return found;
}
