import { describe, expect, test } from 'vitest';
import { compareTemplates, fillPath, pathPattern, withoutTrailingSlashes } from '../../src/lib/path-template.js';

describe('the pattern of a path template', () => {
  test.each([
    ['/deposits', '/deposits', {}],
    ['/deposits/{id}', '/deposits/8', { id: '8' }],
    ['/deposits/{id}/capture', '/deposits/BK%2F1/capture', { id: 'BK%2F1' }],
    ['/accounts/{account}/tokens/{token}', '/accounts/hotel/tokens/2', { account: 'hotel', token: '2' }],
  ])('%s matches %s, and names its parameters', (template, path, parameters) => {
    expect({ ...pathPattern(template).exec(path)?.groups }).toEqual(parameters);
    expect(pathPattern(template).test(path)).toBe(true);
  });

  test.each(['/deposits/', '/deposits/8/capture', '/deposit/8', '/v1/deposits/8'])(
    '/deposits/{id} does not match %s',
    (path) => {
      expect(path).not.toMatch(pathPattern('/deposits/{id}'));
    },
  );
});

test.each([
  ['/deposits//', '/deposits'],
  ['/deposits', '/deposits'],
  ['//a//b/', '//a//b'],
  ['//', ''],
  ['', ''],
])('%j without trailing slashes is %j', (path, shortened) => {
  expect(withoutTrailingSlashes(path)).toBe(shortened);
});

test('a path template is filled with encoded values', () => {
  const values = new Map([
    ['account', 'hotel'],
    ['name', 'a/b ü'],
  ]);
  expect(fillPath('/accounts/{account}/snapshots/{name}', (name) => values.get(name))).toBe(
    '/accounts/hotel/snapshots/a%2Fb%20%C3%BC',
  );
});

test('path templates with fewer parameters come first', () => {
  const templates = ['/a/{b}/c/{d}', '/a/{b}', '/a/x', '/a/{c}/d'];
  expect(templates.toSorted(compareTemplates)).toEqual(['/a/x', '/a/{b}', '/a/{c}/d', '/a/{b}/c/{d}']);
});
