import { expect, test } from 'vitest';
import { StrictSchemas } from '../../src/proxy/schemas.js';
import { nodeOf } from '../../src/proxy/tree.js';

/** Violations of a schema by a value, each as `path: rule`. */
function violationsOf(schema: object, value: unknown): string[] {
  const check = new StrictSchemas({}).checkOf(nodeOf(schema), 'a test');
  return check(value).map(({ path, rule }) => `${path.join('.')}: ${rule}`);
}

const textOrNumber = { anyOf: [{ type: 'string' }, { type: 'number' }] };

test('a value that matches none of the alternatives is reported once, without the errors of each alternative', () => {
  expect(violationsOf(textOrNumber, true)).toEqual([': anyOf']);
});

test.each([
  [
    'of another item of a list',
    { type: 'array', items: textOrNumber },
    ['', true, '', '', '', '', '', '', '', '', true],
    ['1: anyOf', '10: anyOf'],
  ],
  [
    'of a field whose name has the name of the field as a prefix',
    { type: 'object', properties: { amount: textOrNumber, amount_paid: { type: 'number' } } },
    { amount: true, amount_paid: 'none' },
    ['amount: anyOf', 'amount_paid: type'],
  ],
  [
    'of a rule beside the alternatives',
    { type: 'object', properties: { id: { ...textOrNumber, const: 1 } } },
    { id: true },
    ['id: const', 'id: anyOf'],
  ],
])('an error %s is reported, too', (_case, schema, value, violations) => {
  expect(violationsOf(schema, value)).toEqual(violations);
});

test('alternatives within an alternative are reported as part of the outer ones', () => {
  expect(
    violationsOf({ anyOf: [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'array' }] }, true),
  ).toEqual([': anyOf']);
});
