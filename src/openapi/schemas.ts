import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { maxMinorUnits } from '../domain/money.js';
import { minorUnits } from '../lib/decimals.js';
import { isRecord } from '../lib/is-record.js';
import { lazy } from '../lib/lazy.js';
import { referredTo, resolved } from '../lib/references.js';
import { ownSchemas, strictAjv } from '../lib/strict-ajv.js';

/**
 * Validators of the query and the body of an operation, each compiled when first used: compiling them all takes a fifth
 * of a start. Tests compile the validators of every choice.
 */
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

/** Maximum number of schemas that stay compiled. A profile has about thirty, most of them shared with every other profile. */
const maxSchemas = 300;

/** Compiled schemas. Equal ones are compiled once: the profiles of a process differ in a few, and compiling takes longest. */
class CompiledSchemas {
  readonly #ajv = lazy(requestAjv);
  /** By their JSON, least recently used first. */
  readonly #schemas = new Map<string, object>();

  compile<Value>(schema: object): ValidateFunction<Value> {
    const key = JSON.stringify(schema);
    const known = this.#schemas.get(key) ?? schema;
    this.#schemas.delete(key);
    this.#schemas.set(key, known);
    const [oldest] = this.#schemas;
    if (this.#schemas.size > maxSchemas && oldest) {
      this.#schemas.delete(oldest[0]);
      this.#ajv().removeSchema(oldest[1]);
    }
    // Ajv keeps what it has compiled by the object.
    return this.#ajv().compile<Value>(known);
  }
}

const compiledSchemas = new CompiledSchemas();

/** Compiles a schema of requests, or finds it compiled. */
export function compileRequestSchema<Value>(schema: object): ValidateFunction<Value> {
  return compiledSchemas.compile(schema);
}

/** Marks the schema of a field for which null counts as omitted. */
const omittedByNull = 'x-omitted-by-null';

/** The request of an operation, without references: its parameters, those of its path included, and the schema of its body. */
export interface RequestParts {
  readonly parameters: readonly OpenAPIV3_1.ParameterObject[];
  readonly body: OpenAPIV3_1.SchemaObject | null;
}

/** Replaces the references of an operation's request in a document: a profile may have changed what they lead to. */
export function requestOf(
  document: OpenAPIV3_1.Document,
  item: OpenAPIV3_1.PathItemObject,
  { parameters = [], requestBody }: OpenAPIV3_1.OperationObject,
): RequestParts {
  const { components } = document;
  return {
    parameters: [...(item.parameters ?? []), ...parameters]
      .map((parameter) => resolved<OpenAPIV3_1.ParameterObject>(components?.parameters, parameter))
      .map(({ schema, ...parameter }) => ({ ...parameter, schema: inlined(document, schema) })),
    body: requestBody
      ? inlined(
          document,
          resolved<OpenAPIV3_1.RequestBodyObject>(components?.requestBodies, requestBody).content['application/json']
            ?.schema,
        )
      : null,
  };
}

export function requestValidators<Query, Body>({ parameters, body }: RequestParts): RequestValidators<Query, Body> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const validateQuery = lazy(() => compileRequestSchema<Query>(query.length === 0 ? {} : querySchema(query)));
  const validateBody = lazy(() => compileRequestSchema<Body>(body ?? {}));
  return {
    query: query.map((parameter) => ({
      name: parameter.name,
      integer: isInteger(parameter),
      maximum: schemaOf(parameter).maximum,
    })),
    get validateQuery() {
      return validateQuery();
    },
    withoutNulls: nullRemover(body) ?? ((value) => value),
    get validateBody() {
      return validateBody();
    },
    takesBody: body !== null,
  };
}

export function isInteger(parameter: OpenAPIV3_1.ParameterObject): boolean {
  return schemaOf(parameter).type === 'integer';
}

function querySchema(parameters: readonly OpenAPIV3_1.ParameterObject[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * Replaces the references in a schema with their targets. Ajv calls a function for each reference and copies the
 * errors found so far at each call, which would take many seconds for a body of 30,000 bad items.
 */
function inlined(document: OpenAPIV3_1.Document, schema: unknown): object {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...siblings } = Object.fromEntries(
      Object.entries(withoutNullAlternative(document, part)).map(([name, value]) => [name, inline(value)]),
    );
    if (typeof $ref !== 'string') return siblings;
    const target = inline(referredTo(document, $ref));
    return Object.keys(siblings).length === 0 ? target : { allOf: [target], ...siblings };
  };
  const inlined = inline(schema);
  return isRecord(inlined) ? inlined : {};
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
  const fields = parts.flatMap(({ properties }) => Object.entries(isRecord(properties) ? properties : {}));
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
