import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/lib/did-you-mean.js';

const known = ['authorize', 'capture', 'Release'];

test.each([
  ['captrue', 'capture'],
  ['CAPTURE', 'capture'],
  ['relaese', 'Release'],
  ['xyz', 'capture'],
])('the word nearest to %s is %s', (word, near) => {
  expect(nearest(word, known)).toBe(near);
});

test.each([
  ['captrue', known, '; did you mean `capture`?'],
  ['RELEASE', known, '; did you mean `Release`?'],
  ['xyz', known, '; available: `authorize`, `capture`, `Release`'],
  ['xyz', [], '; none are available here'],
  ['xyz', undefined, '; none are available here'],
])('%s among %j', (word, words, suggestion) => {
  expect(didYouMean(word, words)).toBe(suggestion);
});
