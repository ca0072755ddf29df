import { expect, test } from 'vitest';
import { isSameValue } from '../../src/contract/sections/same-values.js';

test.each<[one: unknown, other: unknown, isSame: boolean]>([
  ['text', 'text', true],
  ['text', 'Text', false],
  [19.9, '19.90', true],
  [19.9, '19.91', false],
  ['2026-03-01T09:30:00Z', '2026-03-01T10:30:00.400+01:00', true],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:02Z', false],
  // Ids of 64 bits, which a number cannot tell apart.
  [2n ** 53n + 1n, 2n ** 53n + 1n, true],
  [2n ** 53n + 1n, '9007199254740993', true],
  [2n ** 53n + 1n, 2n ** 53n, false],
  ['9007199254740993', '9007199254740992', false],
])('isSameValue(%s, %s) is %s', (one, other, isSame) => {
  expect(isSameValue(one, other)).toBe(isSame);
});
