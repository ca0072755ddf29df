import { expect, test } from 'vitest';
import { lazy } from '../../src/lib/lazy.js';

test('computes its value on the first call only, also an undefined one', () => {
  let calls = 0;
  const value = lazy(() => {
    calls += 1;
    return undefined;
  });
  expect(calls).toBe(0);
  value();
  value();
  expect(calls).toBe(1);
});
