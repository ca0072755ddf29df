import { expect, test } from 'vitest';
import { lazy } from '../../src/lib/lazy.js';

test.each([42, undefined])('a lazy value of %s is computed on the first call only', (expected) => {
  let computations = 0;
  const value = lazy(() => {
    computations += 1;
    return expected;
  });
  expect(computations).toBe(0);
  expect([value(), value()]).toEqual([expected, expected]);
  expect(computations).toBe(1);
});
