import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { billingDocument, type OperationId, operationIds } from '../../src/generated/billing-document.js';
import { isRecord } from '../../src/lib/json.js';

/**
 * Schema of a part of a request, with the keywords that the document uses; `$ref`, `allOf` and `anyOf` are resolved.
 */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: 'date' | 'email';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly 'x-decimal-places'?: number;
  readonly 'x-not-before'?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
}

type Scope = 'billing.read' | 'billing.write';

export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

export interface Body {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Description of the requests of an operation, read from the document. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'get' | 'post';
  /** For example `/invoices/{invoice}`. */
  readonly path: string;
  readonly scope: Scope;
  readonly pathParameter: Parameter | undefined;
  readonly queryParameters: readonly Parameter[];
  readonly headerParameters: readonly Parameter[];
  readonly body: Body | undefined;
}

/**
 * Matches patterns that list the strings they allow, such as `^(?:EUR|USD)$`. Such a pattern becomes an `enum`, since
 * random strings would hardly ever match it.
 */
const alternativesPattern = /^\^\(\?:\w+(?:\|\w+)*\)\$$/;

/** Keywords that do not restrict values. */
const annotations = ['description', 'examples', 'default', 'x-default', 'x-gap'];

const numberSchema = { type: 'number' };
const stringSchema = { type: 'string' };
const propertiesSchema = { type: 'object', additionalProperties: { $ref: '#' } };

/** Rejects keywords that the generators do not know, so that none is ignored silently. */
const isSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile<Schema>({
  type: ['object', 'boolean'],
  additionalProperties: false,
  properties: {
    type: { type: ['string', 'array'] },
    enum: { type: 'array' },
    const: {},
    format: { enum: ['date', 'email'] },
    pattern: stringSchema,
    minLength: numberSchema,
    maxLength: numberSchema,
    minimum: numberSchema,
    exclusiveMinimum: numberSchema,
    maximum: numberSchema,
    'x-decimal-places': numberSchema,
    'x-not-before': stringSchema,
    required: { type: 'array', items: stringSchema },
    properties: propertiesSchema,
    additionalProperties: { $ref: '#' },
    propertyNames: { $ref: '#' },
    maxProperties: numberSchema,
    items: { $ref: '#' },
    minItems: numberSchema,
  },
});

/** All operations of the service. */
export const operations: readonly Operation[] = operationIds.map(readOperation);

export function operationOf(id: OperationId): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`the document has no operation ${id}`);
  return operation;
}

/** Returns the member at a path in a JSON value, or undefined if there is none. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((parent, name) => {
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return undefined;
    return Reflect.get(parent, name);
  }, value);
}

function readOperation(id: OperationId): Operation {
  for (const [path, item] of Object.entries(billingDocument.paths ?? {})) {
    for (const method of ['get', 'post'] as const) {
      const definition = item?.[method];
      if (definition?.operationId !== id) continue;
      const parameters = [...(item?.parameters ?? []), ...(definition.parameters ?? [])].map(resolve);
      const parametersIn = (location: string): Parameter[] =>
        parameters
          .filter((parameter) => parameter['in'] === location)
          .map((parameter) => ({ name: String(parameter['name']), schema: schemaOf(parameter['schema']) }));
      const body = definition.requestBody && resolve(definition.requestBody);
      return {
        id,
        method,
        path,
        scope: scopeOf(memberOf(definition, 'security', 0, 'bearer', 0)),
        pathParameter: parametersIn('path')[0],
        queryParameters: parametersIn('query'),
        headerParameters: parametersIn('header'),
        body: body && {
          schema: schemaOf(memberOf(body, 'content', 'application/json', 'schema')),
          required: body['required'] === true,
        },
      };
    }
  }
  throw new Error(`the document has no operation ${id}`);
}

function scopeOf(value: unknown): Scope {
  if (value === 'billing.read' || value === 'billing.write') return value;
  throw new Error(`${JSON.stringify(value)} is not a scope`);
}

/** @throws Error if the generators do not support a keyword of the schema */
export function schemaOf(raw: unknown): Schema {
  const schema: unknown = flatten(raw);
  if (isSchema(schema)) return schema;
  throw new Error(`unsupported schema ${JSON.stringify(raw)}: ${JSON.stringify(isSchema.errors)}`);
}

/** Resolves a node that is a `$ref`; returns any other node unchanged. */
function resolve(node: object): Record<string, unknown> {
  const target: unknown = '$ref' in node ? lookUp(String(node.$ref)) : node;
  if (!isRecord(target)) throw new Error(`${JSON.stringify(node)} does not refer to an object`);
  return target;
}

function lookUp(reference: string): unknown {
  return memberOf(billingDocument, ...reference.replace('#/', '').split('/'));
}

/** Resolves references, merges `allOf`, and removes annotations. */
function flatten(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const { anyOf, ...rest } = raw;
  if (anyOf !== undefined) return flattenOptional(anyOf, rest);
  const { $ref, allOf, ...own } = raw;
  const parts = [...($ref === undefined ? [] : [lookUp(String($ref))]), ...(Array.isArray(allOf) ? allOf : [])].map(
    flatten,
  );
  const ownSchema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(own)) {
    if (annotations.includes(keyword)) continue;
    if (keyword === 'properties' && isRecord(value)) {
      ownSchema[keyword] = Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, flatten(schema)]));
    } else if (keyword === 'x-minor-units') {
      // Most currencies have two decimal places; `makeConsistent` in valid-values.ts handles the others.
      ownSchema['x-decimal-places'] = 2;
    } else if (keyword === 'pattern' && typeof value === 'string' && alternativesPattern.test(value)) {
      ownSchema['enum'] = value.slice('^(?:'.length, -')$'.length).split('|');
    } else ownSchema[keyword] = flatten(value);
  }
  return [...parts, ownSchema].reduce(merge);
}

/** Flattens `anyOf: [schema, { type: 'null' }]`, as an optional field has it, into one schema that also allows null. */
function flattenOptional(anyOf: unknown, siblings: object): unknown {
  const [schema, nullSchema, ...others] = Array.isArray(anyOf) ? anyOf.map(flatten) : [];
  if (others.length > 0 || memberOf(nullSchema, 'type') !== 'null' || !isRecord(schema)) {
    throw new Error(`unsupported anyOf ${JSON.stringify(anyOf)}`);
  }
  return merge({ ...schema, type: [schema['type'], 'null'].flat() }, flatten(siblings));
}

/** Merges two schemas that both apply. Throws if they have different values for a keyword that cannot be combined. */
function merge(left: unknown, right: unknown): unknown {
  if (!isRecord(left) || !isRecord(right)) throw new Error('only objects can be merged');
  const merged = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const previous = merged[keyword];
    if (previous === undefined || isDeepStrictEqual(previous, value)) merged[keyword] = value;
    else if (Array.isArray(previous) && Array.isArray(value) && keyword === 'required')
      merged[keyword] = [...previous, ...value];
    else if (keyword === 'properties') merged[keyword] = merge(previous, value);
    else throw new Error(`two values for ${keyword}: ${JSON.stringify(previous)} and ${JSON.stringify(value)}`);
  }
  return merged;
}
