import { closest, distance } from 'fastest-levenshtein';
import { quote } from './messages.js';

/** The known word that is nearest to a given word, ignoring case; empty if no words are known. */
export function nearest(word: string, known: readonly string[]): string {
  const lowerCaseWords = known.map((name) => name.toLowerCase());
  return known[lowerCaseWords.indexOf(closest(word.toLowerCase(), lowerCaseWords))] ?? '';
}

/**
 * Returns the end of an error message about an unknown word. It suggests the nearest known word, ignoring case, if less
 * than half of the letters differ; otherwise it lists all known words, or says that there are none.
 */
export function didYouMean(word: string, known: unknown): string {
  const words = Array.isArray(known) ? known.map(String) : [];
  if (words.length === 0) return '; none are available here';
  const near = nearest(word, words);
  if (distance(word.toLowerCase(), near.toLowerCase()) < word.length / 2) return `; did you mean ${quote(near)}?`;
  return `; available: ${words.map(quote).join(', ')}`;
}
