import { expect, test } from 'vitest';
import { repeatedKeys } from '../../src/lib/repeated-keys.js';

test.each([
  ['a key that an inner object has, too', '{"a": 1, "b": {"a": 2}}'],
  ['a key that is a value elsewhere', '{"a": "b", "b": "a"}'],
  ['a key of another object of the same depth', '{"a": {"c": 1}, "b": {"c": 2}}'],
  ['a key in the objects of an array', '{"a": [{"b": 1, "b": 2}, [{"b": 3}]], "b": 4}'],
  ['text in a string that looks like a key', String.raw`{"a": "\"a\": {", "b": "\\"}`],
])('repeatedKeys does not list %s', (_name, json) => {
  expect(repeatedKeys(json, { inArrays: false })).toEqual([]);
});

test.each([
  ['a key on the same line', '{"a": 1, "a": 2}', [{ key: 'a', line: 1 }]],
  ['a key in JSON without spaces', '{"a":"b","c":"","a":"d"}', [{ key: 'a', line: 1 }]],
  ['a key of an inner object', '{"a": {"b": 1,\n"b" : 2}}', [{ key: 'b', line: 2 }]],
  ['a key after an array', '{"a": [{\n}],\n"a": []}', [{ key: 'a', line: 3 }]],
  ['a key that is written with an escape', String.raw`{"a": 1, "\u0061": 2}`, [{ key: 'a', line: 1 }]],
  [
    'a key that occurs three times',
    '{"a": 1,\n"a": 2,\n"a": 3}',
    [
      { key: 'a', line: 2 },
      { key: 'a', line: 3 },
    ],
  ],
])('repeatedKeys lists %s', (_name, json, expected) => {
  expect(repeatedKeys(json, { inArrays: false })).toEqual(expected);
});

test('repeatedKeys with `inArrays` lists the repeated keys of objects in arrays, too', () => {
  const json = '{"a": [{"b": 1,\n"b": 2}, {"b": 3}, [{"c": 1, "c": 2}]],\n"a": 4}';
  expect(repeatedKeys(json, { inArrays: true })).toEqual([
    { key: 'b', line: 2 },
    { key: 'c', line: 2 },
    { key: 'a', line: 3 },
  ]);
});
