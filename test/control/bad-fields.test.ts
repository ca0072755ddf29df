import type { OpenAPIV3_1 } from 'openapi-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlDocument } from '../../src/generated/control-document.js';
import { contentsOf } from '../../src/simulation/world.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { addressOf, cases } from './every-operation.js';

/** Every field and parameter in the document is sent with values that its schema does not admit. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

type Schema = OpenAPIV3_1.SchemaObject;
type Part = Schema | OpenAPIV3_1.ReferenceObject;

/** Replaces a reference by the schema that it refers to. */
function resolved(part: Part): Schema {
  if (!('$ref' in part)) return part;
  const { $ref, ...siblings } = part;
  const target = controlDocument.components?.schemas?.[$ref.slice('#/components/schemas/'.length)];
  if (!target) throw new Error(`the document has nothing at ${$ref}`);
  return { ...resolved(target), ...siblings };
}

/** The types that a schema admits, as JSON Schema calls them; empty where it admits any. */
function typesOf(schema: Schema): string[] {
  const alternatives = schema.anyOf?.map(resolved).flatMap(typesOf) ?? [];
  return [...[schema.type ?? []].flat().map(String), ...alternatives];
}

/** A value of each JSON type. The string fits no format, pattern or enum. */
const valueOfType: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  array: [[]],
  object: { nonsense: 1 },
  string: 'a string\0',
};

/** Values that a schema does not admit, each with a description of what is wrong with it. */
function wrongValues(schema: Schema): [description: string, value: unknown][] {
  const types = typesOf(schema);
  const wrong: [string, unknown][] = [];
  for (const [type, value] of Object.entries(valueOfType)) {
    const isAdmitted = types.includes(type) || (type === 'integer' && types.includes('number'));
    if (types.length > 0 && !isAdmitted) wrong.push([type === 'null' ? 'null' : `of the type ${type}`, value]);
  }
  const { enum: values, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  if (values || schema.anyOf?.some((part) => 'enum' in resolved(part))) wrong.push(['outside the enum', 'nonsense']);
  if (minimum !== undefined) wrong.push(['below the minimum', minimum - 1]);
  if (typeof exclusiveMinimum === 'number') wrong.push(['equal to the exclusive minimum', exclusiveMinimum]);
  if (maximum !== undefined) wrong.push(['above the maximum', maximum + 1]);
  if (minLength !== undefined) wrong.push(['too short', 'a'.repeat(minLength - 1)]);
  if (maxLength !== undefined) wrong.push(['too long', 'a'.repeat(maxLength + 1)]);
  if (schema.pattern !== undefined) wrong.push(['that does not match the pattern', '\0']);
  if (schema.format !== undefined) wrong.push(['that does not match the format', 'nonsense']);
  if (Reflect.has(schema, 'x-duration')) wrong.push(['that is not a duration', '8 bananas']);
  if (Reflect.has(schema, 'x-decimal-places')) wrong.push(['with too many decimal places', 1.005]);
  if (minItems !== undefined) wrong.push(['with too few items', []]);
  if ('items' in schema && schema.items) {
    const [item] = resolved(schema.items).enum ?? [];
    if (schema.uniqueItems) wrong.push(['with the same item twice', [item, item]]);
    if (maxItems !== undefined) wrong.push(['with too many items', Array.from({ length: maxItems + 1 }, () => item)]);
  }
  return wrong;
}

interface Field {
  readonly field: string;
  readonly schema: Schema;
}

function fieldsOf(path: string, method: string): Field[] {
  const body = operationOf(path, method)?.requestBody;
  if (!body || !('$ref' in body)) return [];
  const target = controlDocument.components?.requestBodies?.[body.$ref.slice('#/components/requestBodies/'.length)];
  const schema = target && 'content' in target ? target.content['application/json']?.schema : undefined;
  if (!schema) throw new Error(`the document has nothing at ${body.$ref}`);
  return Object.entries(resolved(schema).properties ?? {}).map(([field, part]) => ({ field, schema: resolved(part) }));
}

function parametersOf(path: string, method: string): Field[] {
  return (operationOf(path, method)?.parameters ?? []).flatMap((part) => {
    const parameter =
      '$ref' in part
        ? controlDocument.components?.parameters?.[part.$ref.slice('#/components/parameters/'.length)]
        : part;
    if (!parameter || '$ref' in parameter || parameter.in !== 'query' || !parameter.schema) return [];
    return [{ field: parameter.name, schema: resolved(parameter.schema) }];
  });
}

function operationOf(path: string, method: string): OpenAPIV3_1.OperationObject | undefined {
  const { get, put, patch, post, delete: remove } = controlDocument.paths?.[path] ?? {};
  return { GET: get, HEAD: get, PUT: put, PATCH: patch, POST: post, DELETE: remove }[method];
}

const fields = cases.flatMap(({ operation, method, path, id = 1, body }) =>
  fieldsOf(path, method).flatMap(({ field, schema }) =>
    wrongValues(schema).map(([what, value]) => ({ operation, method, path, id, body, field, what, value })),
  ),
);

describe('a body', () => {
  test('has fields in every operation that takes one', () => {
    const withBody = cases.filter(({ path, method }) => operationOf(path, method)?.requestBody);
    const withFields = new Set(cases.filter(({ path, method }) => fieldsOf(path, method).length > 0));
    expect(withBody.filter((each) => !withFields.has(each))).toEqual([]);
  });

  test.each(fields)('$operation with $field $what is refused', async ({ method, path, id, body, field, value }) => {
    const before = contentsOf(sim.server.world);
    const answer = await sim.callControl(method, addressOf(path, 'demo', id), { ...Object(body), [field]: value });
    expect(answer).toMatchObject({ status: 422, body: { success: false, error: expect.any(String) } });
    const { errors } = Object(answer.body);
    // An error in a nested field is reported under its path, such as `seed.currency`.
    expect(Object.keys(errors).some((key) => key === field || key.startsWith(`${field}.`))).toBe(true);
    expect(contentsOf(sim.server.world)).toEqual(before);
  });
});

const parameters = cases.flatMap(({ operation, method, path, id = 1 }) =>
  parametersOf(path, method).flatMap(({ field, schema }) => [
    ...wrongValues(schema).flatMap(([what, value]) =>
      // Query parameters are always strings.
      (typeof value === 'string' && !what.startsWith('of the type')) || typeof value === 'number'
        ? typesOf(schema).includes('string') && typeof value === 'number'
          ? []
          : [{ operation, method, path, id, field, what, text: encodeURIComponent(String(value)) }]
        : [],
    ),
    ...(typesOf(schema).includes('integer')
      ? [{ operation, method, path, id, field, what: 'that is a word', text: 'nonsense' }]
      : []),
    { operation, method, path, id, field, what: 'twice', text: `1&${field}=1` },
  ]),
);

describe('a query', () => {
  test.each(parameters)('$operation with $field $what is refused', async ({ method, path, id, field, text }) => {
    const answer = await sim.callControl(method, `${addressOf(path, 'demo', id)}?${field}=${text}`);
    const output = expect.stringContaining(field);
    expect(answer).toMatchObject({
      status: 422,
      body: { success: false, error: output, errors: { [field]: expect.arrayContaining([output]) } },
    });
  });
});

describe('a refusal says what is allowed', () => {
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
    const answer = await sim.callControl(method, path, body);
    const output = typeof error === 'string' ? error : expect.stringMatching(error);
    expect(answer).toMatchObject({ status: 422, body: { success: false, error: output } });
  });
});
