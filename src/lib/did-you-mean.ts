import { closest, distance } from 'fastest-levenshtein';
import { quote } from './messages.js';

/** The known word that is nearest to a given word, ignoring case; empty if no words are known. */
export function nearest(word: string, known: readonly string[]): string {
  const lowerCaseWords = known.map((name) => name.toLowerCase());
  return known[lowerCaseWords.indexOf(closest(word.toLowerCase(), lowerCaseWords))] ?? '';
}

/** The known word that was probably meant: the nearest one, if at most half of the letters differ, ignoring case. */
export function probableWord(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  return distance(word.toLowerCase(), near.toLowerCase()) <= word.length / 2 ? near : undefined;
}

/**
 * Returns the end of an error message about an unknown word. It suggests the word that was probably meant; otherwise it
 * lists all known words, or says that there are none.
 */
export function didYouMean(word: string, known: unknown): string {
  const words = Array.isArray(known) ? known.map(String) : [];
  if (words.length === 0) return '; none are available here';
  const probable = probableWord(word, words);
  if (probable !== undefined) return `; did you mean ${quote(probable)}?`;
  return `; available: ${words.map(quote).join(', ')}`;
}
