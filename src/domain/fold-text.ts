/**
 * Normalizes a text for comparison: ignores case, and whether accented letters are composed or decomposed. Converts to
 * upper case, which makes more letters equal than lower case would: `ß` and `SS`, `σ` and `ς`.
 */
export function foldText(text: string): string {
  return text.normalize('NFD').toUpperCase().normalize('NFC');
}
