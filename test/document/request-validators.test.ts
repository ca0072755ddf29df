import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { controlOperations } from '../../src/generated/control-operations.js';
import { isRecord, memberOf } from '../../src/lib/json.js';
import { requestAjv, requestOf, schemasOf } from '../../src/openapi/request-schemas.js';
import { compileRequestSchema } from '../../src/openapi/schemas.js';

const serviceSchemas = Object.values(billingDocument.paths ?? {}).flatMap((item = {}) =>
  [item.get, item.post].flatMap((operation) =>
    operation ? [{ id: operation.operationId ?? '', ...schemasOf(requestOf(billingDocument, item, operation)) }] : [],
  ),
);
const controlSchemas = controlOperations.map((operation) => ({ id: operation.id, ...schemasOf(operation) }));
const schemas = [...serviceSchemas, ...controlSchemas].flatMap(({ id, query, body, key }) => [
  { name: `the query of ${id}`, schema: query },
  { name: `the body of ${id}`, schema: body },
  { name: `the Idempotency-Key of ${id}`, schema: key },
]);

/** Values to try with every schema. Most violate some rule, and some are valid. */
const generalValues: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 1.5, 19.999, 1e-7, 1e21, 10 ** 9],
  ...['', 'x', 'é'.repeat(300), '🚀'.repeat(130), '\ud83d'.repeat(256), 'EUR', '8d', 'all', 'none'],
  ...['2026-03-01', '2026-02-30', '2026-03-01T09:00:00Z', 'a@b.example', 'http://x.example/'],
  ...[[], {}, { unknown: 1 }, { amount: 1.234, currency: 'JPY' }, ['x', 'x'], [null]],
];

/**
 * Creates values to validate with a schema: general ones, and objects and arrays with values for its properties and
 * items.
 */
function createValues(schema: unknown, depth = 0): unknown[] {
  // Deeper values would only multiply the objects to validate.
  if (depth > 3) return [null, 1];
  const subschemas = [schema, ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => arrayOrEmpty(memberOf(schema, name)))];
  const properties = subschemas.flatMap((subschema) => {
    const record = memberOf(subschema, 'properties');
    return isRecord(record) ? Object.entries(record) : [];
  });
  const candidates = properties.map(([name, property]) => ({
    name,
    propertyValues: createValues(property, depth + 1),
  }));
  const maxValueCount = Math.max(0, ...candidates.map(({ propertyValues }) => propertyValues.length));
  // Objects with all properties, and objects with a single property.
  const fullObjects = Array.from({ length: maxValueCount }, (_, offset) =>
    Object.fromEntries(
      candidates.map(({ name, propertyValues }, index) => [
        name,
        propertyValues[(offset + index) % propertyValues.length],
      ]),
    ),
  );
  const singlePropertyObjects = candidates.flatMap(({ name, propertyValues }) =>
    propertyValues.map((value) => ({ [name]: value })),
  );
  const items = memberOf(schema, 'items');
  const arrays = items === undefined ? [] : createValues(items, depth + 1).flatMap((item) => [[item], [item, item]]);
  const documentedValues = subschemas.flatMap((subschema) => [
    ...arrayOrEmpty(memberOf(subschema, 'enum')),
    ...arrayOrEmpty(memberOf(subschema, 'examples')),
  ]);
  return [...generalValues, ...documentedValues, ...arrays, ...fullObjects, ...singlePropertyObjects];
}

function arrayOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('the validators that the build compiles', () => {
  const ajv = requestAjv();

  test.each(schemas)('give the same results for $name as those that Ajv compiles at run time', ({ schema }) => {
    const validateCompiled = compileRequestSchema(schema);
    const validateAtRunTime = ajv.compile(schema);
    // Only validators that Ajv compiles at run time have this property.
    expect(validateAtRunTime).toHaveProperty('schemaEnv');
    expect(validateCompiled).not.toHaveProperty('schemaEnv');
    for (const value of createValues(schema)) {
      // A validator may change its value, since it sets defaults.
      const [compiledValue, runTimeValue] = [structuredClone(value), structuredClone(value)];
      const result = {
        isValid: validateCompiled(compiledValue),
        errors: validateCompiled.errors,
        value: compiledValue,
      };
      expect(result).toEqual({
        isValid: validateAtRunTime(runTimeValue),
        errors: validateAtRunTime.errors,
        value: runTimeValue,
      });
    }
  });
});
