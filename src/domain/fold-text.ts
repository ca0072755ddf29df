/**
 * Normalizes text for a comparison that ignores case and Unicode composition. Converts to upper case, which makes
 * more letters equal than lower case would: `ß` and `SS`, `σ` and `ς`. Converts to lower case before that, since only
 * `ß`, and not `ẞ`, has the upper case `SS`.
 */
export function foldText(text: string): string {
  return text.normalize('NFD').toLowerCase().toUpperCase().normalize('NFC');
}
