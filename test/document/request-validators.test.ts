import { describe, expect, it } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { controlOperations } from '../../src/generated/control-operations.js';
import { isRecord } from '../../src/lib/is-record.js';
import { memberOf } from '../../src/lib/member-of.js';
import { requestAjv, requestOf, schemasOf } from '../../src/openapi/request-schemas.js';
import { compileRequestSchema } from '../../src/openapi/schemas.js';

const ofService = Object.values(billingDocument.paths ?? {}).flatMap((item = {}) =>
  [item.get, item.post].flatMap((operation) =>
    operation ? [{ id: operation.operationId ?? '', ...schemasOf(requestOf(billingDocument, item, operation)) }] : [],
  ),
);
const ofControl = controlOperations.map((operation) => ({ id: operation.id, ...schemasOf(operation) }));
const schemas = [...ofService, ...ofControl].flatMap(({ id, query, body, key }) => [
  { name: `the query of ${id}`, schema: query },
  { name: `the body of ${id}`, schema: body },
  { name: `the Idempotency-Key of ${id}`, schema: key },
]);

/** Values that break one rule or another, and some that break none. */
const values: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    1,
    -1,
    1.5,
    19.999,
    1e-7,
    1e21,
    10 ** 9,
    '',
    'x',
    'é'.repeat(300),
    '🚀'.repeat(130),
    '\ud83d'.repeat(256),
    [],
    {},
  ],
  ...[
    '2026-03-01',
    '2026-02-30',
    '2026-03-01T09:00:00Z',
    'a@b.example',
    'http://x.example/',
    'EUR',
    '8d',
    'all',
    'none',
  ],
  ...[{ unknown: 1 }, { amount: 1.234, currency: 'JPY' }, ['x', 'x'], [null]],
];

/** Values for a schema and, nested, for the properties and items that it has. */
function valuesFor(schema: unknown, depth = 0): unknown[] {
  if (depth > 3) return [null, 1];
  const parts = [schema, ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(memberOf(schema, name)))];
  const properties = parts.flatMap((part) => {
    const all = memberOf(part, 'properties');
    return isRecord(all) ? Object.entries(all) : [];
  });
  const candidates = properties.map(([name, property]) => ({ name, inner: valuesFor(property, depth + 1) }));
  const longestPath = Math.max(0, ...candidates.map(({ inner }) => inner.length));
  // The n-th value of every property together, and each property alone.
  const together = Array.from({ length: longestPath }, (_, at) =>
    Object.fromEntries(candidates.map(({ name, inner }, index) => [name, inner[(at + index) % inner.length]])),
  );
  const alone = candidates.flatMap(({ name, inner }) => inner.map((value) => ({ [name]: value })));
  const items = memberOf(schema, 'items');
  const lists = items === undefined ? [] : valuesFor(items, depth + 1).flatMap((item) => [[item], [item, item]]);
  const allowed = parts.flatMap((part) => [...listOf(memberOf(part, 'enum')), ...listOf(memberOf(part, 'examples'))]);
  return [...values, ...allowed, ...lists, ...together, ...alone];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('the validators that the build compiles', () => {
  const ajv = requestAjv();

  it.each(schemas)('judge $name as Ajv does at run time', ({ schema }) => {
    const ofBuild = compileRequestSchema(schema);
    // Functions that Ajv compiled have this property.
    expect(ofBuild).not.toHaveProperty('schemaEnv');
    const validate = ajv.compile(schema);
    for (const value of valuesFor(schema)) {
      const [one, other] = [structuredClone(value), structuredClone(value)];
      const outcome = { isValid: ofBuild(one), errors: ofBuild.errors, value: one };
      expect(outcome).toEqual({ isValid: validate(other), errors: validate.errors, value: other });
    }
  });
});
