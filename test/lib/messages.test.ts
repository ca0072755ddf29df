import { expect, test } from 'vitest';
import { errorMessage } from '../../src/lib/error-message.js';
import { disjunction, oneLine, quote } from '../../src/lib/messages.js';

test('a quoted word is one line, and cut off', () => {
  expect(quote('two\n  lines\u0000')).toBe('`two lines `');
  expect(quote('x'.repeat(81))).toBe(`\`${'x'.repeat(80)}…\``);
  expect(oneLine('x'.repeat(11), 10)).toBe('xxxxxxxxxx…');
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j is joined', (words, text) => {
  expect(disjunction(words)).toBe(text);
});

test.each([
  [new Error('broken'), 'broken'],
  ['broken', 'broken'],
  [undefined, 'undefined'],
])('the message of %o is %s', (error, message) => {
  expect(errorMessage(error)).toBe(message);
});
