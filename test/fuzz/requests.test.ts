import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, operations, type Schema, schemaOf } from './document.js';
import { brokenRequests, clampedPerPage } from './requests.js';

/** Keywords that shape generated values, and that no value can violate. */
const shapes = ['properties', 'items', 'propertyNames', 'additionalProperties'];

/** Keyword that a rule violates, if the rule has another name. */
const keywords: Readonly<Record<string, string>> = {
  [clampedPerPage]: 'maximum',
  'query: type': 'type',
  'query: given twice': 'type',
  'header: empty': 'minLength',
};

describe('the requests made from the document', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'violate every keyword of the schemas of %s',
    (_id, operation) => {
      const schemas = [...operation.inQuery, ...operation.inHeader].map(({ schema }) => schema);
      if (operation.body) schemas.push(operation.body.schema);
      const requests = fc.sample(brokenRequests(operation), { numRuns: 1000, seed: 1 });
      const broken = new Set(requests.map(({ violation: { rule } }) => keywords[rule] ?? rule));
      expect(schemas.flatMap(keywordsOf).filter((keyword) => !broken.has(keyword))).toEqual([]);
    },
  );

  it('reject keywords that they cannot generate', () => {
    expect(() => schemaOf({ type: 'integer', multipleOf: 3 })).toThrow('multipleOf');
  });
});

function keywordsOf(schema: Schema): string[] {
  const { items, propertyNames, additionalProperties, properties = {} } = schema;
  const inner = [items, propertyNames, additionalProperties, ...Object.values(properties)].filter(isSchema);
  return [...Object.keys(schema).filter((keyword) => !shapes.includes(keyword)), ...inner.flatMap(keywordsOf)];
}

function isSchema(value: Schema | boolean | undefined): value is Schema {
  return isRecord(value);
}
