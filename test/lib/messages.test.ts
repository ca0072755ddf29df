import { expect, test } from 'vitest';
import { disjunction, quote, shellWord, shortenToLine, truncate } from '../../src/lib/messages.js';

test('quoted text is put on one line, and cut off after 80 characters', () => {
  expect(quote('two\n  lines\u0000')).toBe('`two lines `');
  expect(quote('x'.repeat(81))).toBe(`\`${'x'.repeat(80)}…\``);
});

test('text is cut off after a given number of characters', () => {
  expect(shortenToLine('x'.repeat(11), 10)).toBe(`${'x'.repeat(10)}…`);
  expect(shortenToLine('x'.repeat(10), 10)).toBe('x'.repeat(10));
});

test('an emoji at the end of the shown text is shown whole or not at all', () => {
  expect(truncate('a😀😀', 3)).toBe('a😀…');
  expect(truncate('a😀😀', 4)).toBe('a😀…');
  expect(shortenToLine('a😀😀', 4)).toBe('a😀…');
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('the alternatives %j become %j', (words, text) => {
  expect(disjunction(words)).toBe(text);
});

test.each([
  ['.billing-sim', 'linux', '.billing-sim'],
  ['/tmp/a-b_c=1', 'linux', '/tmp/a-b_c=1'],
  ['my data', 'linux', "'my data'"],
  ["it's", 'linux', "'it'\\''s'"],
  ['$HOME', 'linux', "'$HOME'"],
  ['', 'linux', "''"],
  ['C:\\data', 'win32', 'C:\\data'],
  ['C:\\my data', 'win32', '"C:\\my data"'],
] as const)('the argument %j of a command is written for a shell of %s as %s', (text, platform, word) => {
  expect(shellWord(text, platform)).toBe(word);
});
