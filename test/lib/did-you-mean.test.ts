import { expect, test } from 'vitest';
import { didYouMean, probableWord } from '../../src/lib/did-you-mean.js';

const knownWords = ['authorize', 'capture', 'Release'];

test.each([
  ['captrue', 'capture'],
  ['CAPTURE', 'capture'],
  ['relaese', 'Release'],
  ['cap', 'capture'],
  ['ca', undefined],
  ['xyz', undefined],
])('the word that is probably meant by %s is %s', (word, probable) => {
  expect(probableWord(word, knownWords)).toBe(probable);
});

test('without known words, none is probable', () => {
  expect(probableWord('capture', [])).toBeUndefined();
});

test.each([
  ['captrue', 'always', '; did you mean `capture`? Available: `authorize`, `capture`, `Release`'],
  ['xyz', 'always', '; available: `authorize`, `capture`, `Release`'],
  ['captrue', 'never', '; did you mean `capture`?'],
  ['xyz', 'never', ''],
] as const)('for %s, with the list of known words %s, the message ends with %j', (word, listKnown, suggestion) => {
  expect(didYouMean(word, knownWords, { listKnown })).toBe(suggestion);
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
