import { expect, test } from 'vitest';
import { foldText } from '../../src/domain/fold-text.js';

test.each([
  ['e\u0301te\u0301', '\u00e9t\u00e9'],
  ['ÉTÉ', 'e\u0301te\u0301'],
  ['ΟΔΟΣ', 'οδος'],
  ['ПРИВЕТ', 'привет'],
  ['STRASSE', 'straße'],
  ['i\u0307', 'İ'],
])('%j and %j compare as equal', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test('an accent makes a difference', () => {
  expect(foldText('été')).not.toBe(foldText('ete'));
});
