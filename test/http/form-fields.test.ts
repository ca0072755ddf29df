import { expect, test } from 'vitest';
import { jsonBodyOf } from '../../src/http/dashboard/actions/parse-form.js';

/** The fields of a form as the JSON body of an operation. */

test.each([
  ['a=1&b:number=2&c:boolean=true', { a: '1', b: 2, c: true }],
  ['id:id=%208%20', { id: '8' }],
  ['list[]=x&list[]=y', { list: ['x', 'y'] }],
  ['match.nth:number=2&match.token=full', { match: { nth: 2, token: 'full' } }],
  ['items.0.name=a&items.1.name=b', { items: [{ name: 'a' }, { name: 'b' }] }],
  ['a=&b=1', { b: '1' }],
])('%s is read as %j', (text, body) => {
  expect(jsonBodyOf(new URLSearchParams(text))).toEqual(body);
});

test('a field that is nested 50,000 levels deep is refused', () => {
  const params = new URLSearchParams({ [`a${'.a'.repeat(50_000)}`]: 'x' });
  expect(() => jsonBodyOf(params)).toThrow('invalid');
});

test('a list of 200,000 values is read in linear time', () => {
  const params = new URLSearchParams('list[]=x&'.repeat(200_000));
  expect(jsonBodyOf(params)).toEqual({ list: Array.from({ length: 200_000 }, () => 'x') });
});
