import { expect, test } from 'vitest';
import { isRecord } from '../../src/lib/json.js';

test.each([{}, { a: 1 }, JSON.parse('{"__proto__": 1}')])('%j is a record', (value) => {
  expect(isRecord(value)).toBe(true);
});

test.each([null, undefined, [], [{}], 'text', 1, true])('%j is not a record', (value) => {
  expect(isRecord(value)).toBe(false);
});
