import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/lib/json.js';
import { operations, type Schema, schemaOf } from './document.js';
import { clampedPerPage, invalidRequests } from './requests.js';

/**
 * Keywords that contain schemas of nested values. The test looks for the keywords of those schemas instead.
 */
const nestingKeywords = ['properties', 'items', 'propertyNames', 'additionalProperties'];

/** The schema keywords that rules come from, for rules that are not named after their keyword. */
const keywordsByRule: Readonly<Record<string, string>> = {
  [clampedPerPage]: 'maximum',
  'query: type': 'type',
  'query: given twice': 'type',
  'header: empty': 'minLength',
};

describe('the requests generated from the document', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'violate, taken together, every keyword of the schemas of %s',
    (_id, operation) => {
      const schemas = [...operation.queryParameters, ...operation.headerParameters].map(({ schema }) => schema);
      if (operation.body) schemas.push(operation.body.schema);
      const requests = fc.sample(invalidRequests(operation), { numRuns: 1000, seed: 1 });
      const violated = new Set(requests.map(({ violation: { rule } }) => keywordsByRule[rule] ?? rule));
      expect(schemas.flatMap(keywordsOf).filter((keyword) => !violated.has(keyword))).toEqual([]);
    },
  );
});

it('a schema keyword that the generators do not know causes an error', () => {
  expect(() => schemaOf({ type: 'integer', multipleOf: 3 })).toThrow('multipleOf');
});

function keywordsOf(schema: Schema): string[] {
  const { items, propertyNames, additionalProperties, properties = {} } = schema;
  const nested = [items, propertyNames, additionalProperties, ...Object.values(properties)].filter(isSchema);
  return [
    ...Object.keys(schema).filter((keyword) => !nestingKeywords.includes(keyword)),
    ...nested.flatMap(keywordsOf),
  ];
}

function isSchema(value: Schema | boolean | undefined): value is Schema {
  return isRecord(value);
}
