import { closest, distance } from 'fastest-levenshtein';
import { quote } from './messages.js';

/**
 * The known word that was probably meant, ignoring case: the nearest one, if at most half of the letters differ or it
 * begins with the given word.
 */
export function probableWord(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lowerCaseWords = known.map((name) => name.toLowerCase());
  const given = word.toLowerCase();
  const near = closest(given, lowerCaseWords);
  const isProbable = distance(given, near) <= given.length / 2 || (given.length >= 3 && near.startsWith(given));
  return isProbable ? known[lowerCaseWords.indexOf(near)] : undefined;
}

/**
 * Returns the end of an error message about an unknown word. It suggests the word that was probably meant.
 * @param options.listKnown when all known words are listed: `otherwise`, if no word is suggested; `always`; or `never`,
 *   for long lists, so that the result may be empty
 */
export function didYouMean(
  word: string,
  known: unknown,
  { listKnown = 'otherwise' }: { readonly listKnown?: 'otherwise' | 'always' | 'never' } = {},
): string {
  const words = Array.isArray(known) ? known.map(String) : [];
  if (words.length === 0) return '; none are available here';
  const probable = probableWord(word, words);
  const available = words.map(quote).join(', ');
  if (probable === undefined) return listKnown === 'never' ? '' : `; available: ${available}`;
  return `; did you mean ${quote(probable)}?${listKnown === 'always' ? ` Available: ${available}` : ''}`;
}
