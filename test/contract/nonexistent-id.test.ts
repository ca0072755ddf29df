import { expect, test } from 'vitest';
import { nonexistentIdLike } from '../../src/contract/sections/nonexistent-id.js';

const cases: readonly (readonly [format: string, existingId: string, nonexistentId: string])[] = [
  ['an integer', '17', '2147483600'],
  ['a serial number with a prefix', 'dep_17', 'dep_2147483600'],
  ['a UUID', '0190a5c4-7b1e-7c3d-9f00-a8b9c0d1e2f3', '0190a5c4-7b1e-7c3d-9f00-a9b1c1d2e3f4'],
  ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ71G6FAV'],
  ['a prefixed id with a punctuation character at its end', 'dep_8fA2-k_', 'dep_9fA3-k_'],
  ['base64', 'Zm9vYmFy_w==', 'Zm1vYmFy_w=='],
  ['a year and a number', 'D-2026-17', 'D-3137-28'],
];

test.each(cases)('a nonexistent id has the format of the existing one: %s', (_format, existingId, expected) => {
  expect(nonexistentIdLike(existingId)).toBe(expected);
});

test('no nonexistent id can be derived from an id without digits', () => {
  expect(nonexistentIdLike('abcdef')).toBeUndefined();
});
