import { expect, test } from 'vitest';
import { pointerParts } from '../../src/lib/json-pointer.js';

test.each([
  ['', []],
  ['/', ['']],
  ['/items/0/tax_rate', ['items', '0', 'tax_rate']],
  ['/paths/~1invoices~1{invoice}/get', ['paths', '/invoices/{invoice}', 'get']],
  ['/a~01', ['a~1']],
])('the pointer %j has the parts %j', (pointer, parts) => {
  expect(pointerParts(pointer)).toEqual(parts);
});
