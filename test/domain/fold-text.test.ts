import { expect, test } from 'vitest';
import { foldText } from '../../src/domain/fold-text.js';

test.each([
  ['e\u0301te\u0301', '\u00e9t\u00e9'],
  ['ÉTÉ', 'e\u0301te\u0301'],
  ['ΟΔΟΣ', 'οδος'],
  ['ПРИВЕТ', 'привет'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'straße'],
  ['i\u0307', 'İ'],
])('%j and %j are folded to the same text', (a, b) => {
  expect(foldText(a)).toBe(foldText(b));
});

test('a text without accents is not part of one with accents', () => {
  expect(foldText('café')).not.toContain(foldText('cafe'));
});
