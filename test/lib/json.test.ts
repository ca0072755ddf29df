import { expect, test } from 'vitest';
import { copyJson, isRecord } from '../../src/lib/json.js';

test.each([{}, { a: 1 }, JSON.parse('{"__proto__": 1}')])('%j is a record', (value) => {
  expect(isRecord(value)).toBe(true);
});

test.each([null, undefined, [], [{}], 'text', 1, true])('%j is not a record', (value) => {
  expect(isRecord(value)).toBe(false);
});

test.each([
  null,
  'text',
  [1, [2, { a: 3 }]],
  { a: { b: [{ c: null }] }, d: undefined },
  JSON.parse('{"__proto__": {"a": 1}}'),
])('copyJson(%j) returns an equal value', (value) => {
  expect(copyJson(value)).toStrictEqual(value);
});

test('copyJson copies arrays and objects at every level', () => {
  const value = { list: [{ a: 1 }] };
  const copy = copyJson(value);
  copy.list.push({ a: 2 });
  Object.assign(copy.list[0] ?? {}, { a: 3 });
  expect(value).toEqual({ list: [{ a: 1 }] });
});
