import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/lib/did-you-mean.js';

const knownWords = ['authorize', 'capture', 'Release'];

test.each([
  ['captrue', 'capture'],
  ['CAPTURE', 'capture'],
  ['relaese', 'Release'],
  ['xyz', 'capture'],
])('the word nearest to %s is %s', (word, nearestWord) => {
  expect(nearest(word, knownWords)).toBe(nearestWord);
});

test.each([
  ['captrue', knownWords, '; did you mean `capture`?'],
  ['RELEASE', knownWords, '; did you mean `Release`?'],
  ['xyz', knownWords, '; available: `authorize`, `capture`, `Release`'],
  ['captxxxx', knownWords, '; did you mean `capture`?'],
  // More than half of the letters differ.
  ['capxxxxx', knownWords, '; available: `authorize`, `capture`, `Release`'],
  ['xyz', [], '; none are available here'],
  ['xyz', undefined, '; none are available here'],
])('for the unknown word %s among %j, the message ends with %j', (word, words, suggestion) => {
  expect(didYouMean(word, words)).toBe(suggestion);
});
