import type { OpenAPIV3_1 } from 'openapi-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlDocument } from '../../src/generated/control-document.js';
import { contentsOf } from '../../src/simulation/world.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { fillPath, operationSamples } from './operation-samples.js';

/** Sends every field and query parameter of the OpenAPI document with each kind of value that its schema forbids. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

type Schema = OpenAPIV3_1.SchemaObject;
type SchemaOrReference = Schema | OpenAPIV3_1.ReferenceObject;

/** Returns the schema that a reference refers to, or the schema itself if it is not a reference. */
function resolveReference(schema: SchemaOrReference): Schema {
  if (!('$ref' in schema)) return schema;
  const { $ref, ...siblings } = schema;
  const target = controlDocument.components?.schemas?.[$ref.slice('#/components/schemas/'.length)];
  if (!target) throw new Error(`the document has nothing at ${$ref}`);
  return { ...resolveReference(target), ...siblings };
}

/** JSON Schema types that a schema allows; empty if it allows any. */
function allowedTypes(schema: Schema): string[] {
  const alternatives = schema.anyOf?.map(resolveReference).flatMap(allowedTypes) ?? [];
  return [...[schema.type ?? []].flat().map(String), ...alternatives];
}

/**
 * A value of each JSON Schema type. The string matches no format, pattern or enum, and the item of the array has a type
 * that no array allows.
 */
const sampleValues: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  array: [[]],
  object: { nonsense: 1 },
  string: 'a string\0',
};

/** Values that a schema forbids, each with a description that reads like "too long" or "of the type array". */
function invalidValues(schema: Schema): [description: string, value: unknown][] {
  const types = allowedTypes(schema);
  const invalid: [string, unknown][] = [];
  for (const [type, value] of Object.entries(sampleValues)) {
    const isAllowed = types.includes(type) || (type === 'integer' && types.includes('number'));
    if (types.length > 0 && !isAllowed) invalid.push([type === 'null' ? 'null' : `of the type ${type}`, value]);
  }
  const { enum: values, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  if (values || schema.anyOf?.some((alternative) => 'enum' in resolveReference(alternative)))
    invalid.push(['outside the enum', 'nonsense']);
  if (minimum !== undefined) invalid.push(['below the minimum', minimum - 1]);
  if (typeof exclusiveMinimum === 'number') invalid.push(['equal to the exclusive minimum', exclusiveMinimum]);
  if (maximum !== undefined) invalid.push(['above the maximum', maximum + 1]);
  if (minLength !== undefined) invalid.push(['too short', 'a'.repeat(minLength - 1)]);
  if (maxLength !== undefined) invalid.push(['too long', 'a'.repeat(maxLength + 1)]);
  if (schema.pattern !== undefined) invalid.push(['that does not match the pattern', '\0']);
  if (schema.format !== undefined) invalid.push(['that does not match the format', 'nonsense']);
  if (Reflect.has(schema, 'x-duration')) invalid.push(['that is not a duration', '8 bananas']);
  if (Reflect.has(schema, 'x-decimal-places')) invalid.push(['with too many decimal places', 1.005]);
  if (minItems !== undefined) invalid.push(['with too few items', []]);
  if ('items' in schema && schema.items) {
    const [item] = resolveReference(schema.items).enum ?? [];
    if (item === undefined && (schema.uniqueItems || maxItems !== undefined)) throw new Error('the items need an enum');
    if (schema.uniqueItems) invalid.push(['with the same item twice', [item, item]]);
    if (maxItems !== undefined) invalid.push(['with too many items', Array.from({ length: maxItems + 1 }, () => item)]);
  }
  return invalid;
}

interface Field {
  /** Name of a body's field or of a query parameter. */
  readonly field: string;
  readonly schema: Schema;
}

/** Lists the fields of an operation's body; empty if it takes none. */
function bodyFields(path: string, method: string): Field[] {
  const body = findOperation(path, method)?.requestBody;
  if (!body || !('$ref' in body)) return [];
  const target = controlDocument.components?.requestBodies?.[body.$ref.slice('#/components/requestBodies/'.length)];
  const schema = target && 'content' in target ? target.content['application/json']?.schema : undefined;
  if (!schema) throw new Error(`the document has no schema for ${body.$ref}`);
  return Object.entries(resolveReference(schema).properties ?? {}).map(([field, property]) => ({
    field,
    schema: resolveReference(property),
  }));
}

function queryParameters(path: string, method: string): Field[] {
  return (findOperation(path, method)?.parameters ?? []).flatMap((parameterOrReference) => {
    const parameter =
      '$ref' in parameterOrReference
        ? controlDocument.components?.parameters?.[parameterOrReference.$ref.slice('#/components/parameters/'.length)]
        : parameterOrReference;
    if (!parameter || '$ref' in parameter || parameter.in !== 'query' || !parameter.schema) return [];
    return [{ field: parameter.name, schema: resolveReference(parameter.schema) }];
  });
}

function findOperation(path: string, method: string): OpenAPIV3_1.OperationObject | undefined {
  const { get, put, patch, post, delete: remove } = controlDocument.paths?.[path] ?? {};
  return { GET: get, HEAD: get, PUT: put, PATCH: patch, POST: post, DELETE: remove }[method];
}

const fieldCases = operationSamples.flatMap(({ operation, method, path, id = 1, body }) =>
  bodyFields(path, method).flatMap(({ field, schema }) =>
    invalidValues(schema).map(([description, value]) => ({
      operation,
      method,
      path,
      id,
      body,
      field,
      description,
      value,
    })),
  ),
);

describe('a body', () => {
  test('of every operation that takes one has its fields in the document', () => {
    const samplesWithBody = operationSamples.filter(({ path, method }) => findOperation(path, method)?.requestBody);
    const samplesWithFields = new Set(
      operationSamples.filter(({ path, method }) => bodyFields(path, method).length > 0),
    );
    expect(samplesWithBody.filter((sample) => !samplesWithFields.has(sample))).toEqual([]);
  });

  test.each(fieldCases)(
    'of $operation with the field $field $description is refused',
    async ({ method, path, id, body, field, value }) => {
      const contentsBefore = contentsOf(sim.server.world);
      const response = await sim.callControl(method, fillPath(path, 'demo', id), { ...Object(body), [field]: value });
      expect(response).toMatchObject({ status: 422, body: { success: false, error: expect.any(String) } });
      const { errors } = Object(response.body);
      // An error in a nested field is reported under its path, such as `seed.currency`.
      expect(Object.keys(errors)).toContainEqual(expect.stringMatching(new RegExp(`^${field}(\\.|$)`)));
      expect(contentsOf(sim.server.world)).toEqual(contentsBefore);
    },
  );
});

/** Texts that the schema of a query parameter forbids, each with a description as in `invalidValues`. */
function invalidQueryTexts(schema: Schema): [description: string, text: string][] {
  const types = allowedTypes(schema);
  const texts = invalidValues(schema).flatMap(([description, value]): [string, string][] => {
    // A query has only text, so a value that is invalid because of its JSON type may be valid as text.
    if (typeof value === 'string' && !description.startsWith('of the type')) return [[description, value]];
    if (typeof value === 'number' && !types.includes('string')) return [[description, String(value)]];
    return [];
  });
  return types.includes('integer') ? [...texts, ['that is a word', 'nonsense']] : texts;
}

const parameterCases = operationSamples.flatMap(({ operation, method, path, id = 1 }) =>
  queryParameters(path, method).flatMap(({ field, schema }) => [
    ...invalidQueryTexts(schema).map(([description, text]) => {
      return { operation, method, path, id, field, description, text: encodeURIComponent(text) };
    }),
    { operation, method, path, id, field, description: 'sent twice', text: `1&${field}=1` },
  ]),
);

describe('a query', () => {
  test.each(parameterCases)(
    'of $operation with the parameter $field $description is refused',
    async ({ method, path, id, field, text }) => {
      const response = await sim.callControl(method, `${fillPath(path, 'demo', id)}?${field}=${text}`);
      const messageWithField = expect.stringContaining(field);
      expect(response).toMatchObject({
        status: 422,
        body: {
          success: false,
          error: messageWithField,
          errors: { [field]: expect.arrayContaining([messageWithField]) },
        },
      });
    },
  );
});

describe('an error says which values or names are allowed:', () => {
  test.each([
    ['PATCH', '/accounts/demo/clock', { mode: 'stopped' }, 'mode must be one of real, frozen'],
    ['PATCH', '/accounts/demo/settings', { rate_limt: true }, 'unknown field `rate_limt`; did you mean `rate_limit`?'],
    ['POST', '/accounts', { seed: 'dmo' }, 'seed must be demo, empty or an object'],
    [
      'POST',
      '/accounts/demo/tokens',
      { name: 'a', scopes: ['x'] },
      'scopes.0 must be one of billing.read, billing.write',
    ],
    ['POST', '/accounts/demo/payment-links/1/pay', { method: 'shells' }, /^method must be one of card, /],
    ['GET', '/accounts/demo/mails?stats=sent', undefined, 'unknown parameter `stats`; did you mean `status`?'],
    ['GET', '/accounts/demo/deliveries?status=lost', undefined, /^status must be one of unsent, waiting, /],
  ])('%s %s %j', async (method, path, body, error) => {
    const response = await sim.callControl(method, path, body);
    const expectedError = typeof error === 'string' ? error : expect.stringMatching(error);
    expect(response).toMatchObject({ status: 422, body: { success: false, error: expectedError } });
  });
});
