import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { billingDocument, type OperationId, operationIds } from '../../src/generated/billing-document.js';

/** The JSON Schema keywords that requests of the document use, without `$ref` and `allOf`. */
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

/** Parameters and body of an operation, from the document. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'get' | 'post';
  /** `/invoices/{invoice}` */
  readonly path: string;
  readonly scope: Scope;
  readonly inPath: Parameter | undefined;
  readonly inQuery: readonly Parameter[];
  readonly inHeader: readonly Parameter[];
  readonly body: Body | undefined;
}

/** A pattern that lists every text it admits, such as `^(?:EUR|USD)$`. Random texts would hardly ever match. */
const listOfTexts = /^\^\(\?:\w+(?:\|\w+)*\)\$$/;

const annotations = ['description', 'examples', 'default', 'x-default', 'x-gap'];

const number = { type: 'number' };
const text = { type: 'string' };
const schemas = { type: 'object', additionalProperties: { $ref: '#' } };

/** Refuses a keyword that the generators do not know, so that none is ignored silently. */
const isSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile<Schema>({
  type: ['object', 'boolean'],
  additionalProperties: false,
  properties: {
    type: { type: ['string', 'array'] },
    enum: { type: 'array' },
    const: {},
    format: { enum: ['date', 'email'] },
    pattern: text,
    minLength: number,
    maxLength: number,
    minimum: number,
    exclusiveMinimum: number,
    maximum: number,
    'x-decimal-places': number,
    'x-not-before': text,
    required: { type: 'array', items: text },
    properties: schemas,
    additionalProperties: { $ref: '#' },
    propertyNames: { $ref: '#' },
    maxProperties: number,
    items: { $ref: '#' },
    minItems: number,
  },
});

/** The fourteen operations. */
export const operations: readonly Operation[] = operationIds.map(readOperation);

export function operationOf(id: OperationId): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

/** Returns a member of a JSON value, or undefined if there is none. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return Reflect.get(inner, name);
  }, value);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readOperation(id: OperationId): Operation {
  for (const [path, item] of Object.entries(billingDocument.paths ?? {})) {
    for (const method of ['get', 'post'] as const) {
      const definition = item?.[method];
      if (definition?.operationId !== id) continue;
      const parameters = [...(item?.parameters ?? []), ...(definition.parameters ?? [])].map(follow);
      const from = (place: string): Parameter[] =>
        parameters
          .filter((parameter) => parameter['in'] === place)
          .map((parameter) => ({ name: String(parameter['name']), schema: schemaOf(parameter['schema']) }));
      const body = definition.requestBody && follow(definition.requestBody);
      return {
        id,
        method,
        path,
        scope: scopeOf(memberOf(definition, 'security', 0, 'bearer', 0)),
        inPath: from('path')[0],
        inQuery: from('query'),
        inHeader: from('header'),
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

export function schemaOf(raw: unknown): Schema {
  const schema: unknown = flatten(raw);
  if (isSchema(schema)) return schema;
  throw new Error(`the generators cannot make this: ${JSON.stringify(isSchema.errors)} in ${JSON.stringify(raw)}`);
}

/** Resolves a node that is a `$ref`; returns any other node unchanged. */
function follow(node: object): Record<string, unknown> {
  const target: unknown = '$ref' in node ? lookUp(String(node.$ref)) : node;
  if (!isRecord(target)) throw new Error(`nothing at ${JSON.stringify(node)}`);
  return target;
}

function lookUp(reference: string): unknown {
  return memberOf(billingDocument, ...reference.replace('#/', '').split('/'));
}

/** Resolves references, merges `allOf`, and removes annotations. */
function flatten(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw;
  if (!isRecord(raw)) return raw;
  const { anyOf, ...rest } = raw;
  if (anyOf !== undefined) return flattenOptional(anyOf, rest);
  const { $ref, allOf, ...own } = raw;
  const parts = [...($ref === undefined ? [] : [lookUp(String($ref))]), ...(Array.isArray(allOf) ? allOf : [])].map(
    flatten,
  );
  const inner: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(own)) {
    if (annotations.includes(keyword)) continue;
    if (keyword === 'properties' && isRecord(value)) {
      inner[keyword] = Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, flatten(schema)]));
      // Most currencies have two decimal places; `inOrder` handles the others.
    } else if (keyword === 'x-minor-units') inner['x-decimal-places'] = 2;
    else if (keyword === 'pattern' && typeof value === 'string' && listOfTexts.test(value)) {
      inner['enum'] = value.slice('^(?:'.length, -')$'.length).split('|');
    } else inner[keyword] = flatten(value);
  }
  return [...parts, inner].reduce(merge);
}

/** Flattens the `anyOf` of an optional field, whose only alternative is null. */
function flattenOptional(anyOf: unknown, siblings: object): unknown {
  const parts = Array.isArray(anyOf) ? anyOf.map(flatten) : [];
  const [schema, none, ...others] = parts;
  if (others.length > 0 || memberOf(none, 'type') !== 'null' || !isRecord(schema)) {
    throw new Error(`the generators cannot make ${JSON.stringify(anyOf)}`);
  }
  return merge({ ...schema, type: [schema['type'], 'null'].flat() }, flatten(siblings));
}

function merge(left: unknown, right: unknown): unknown {
  if (!isRecord(left) || !isRecord(right)) throw new Error('only objects can be merged');
  const merged = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const known = merged[keyword];
    if (known === undefined || isDeepStrictEqual(known, value)) merged[keyword] = value;
    else if (Array.isArray(known) && Array.isArray(value) && keyword === 'required')
      merged[keyword] = [...known, ...value];
    else if (keyword === 'properties') merged[keyword] = merge(known, value);
    else throw new Error(`two values for ${keyword}: ${JSON.stringify(known)} and ${JSON.stringify(value)}`);
  }
  return merged;
}
