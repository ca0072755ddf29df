/**
 * Normalizes a text for comparison, ignoring case and the Unicode form of accents. Upper case unites more letters than
 * lower case: `ß` and `SS`, `σ` and `ς`.
 */
export function foldText(text: string): string {
  return text.normalize('NFD').toUpperCase().normalize('NFC');
}
