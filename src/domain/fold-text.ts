/**
 * A text for comparison: the same for texts that differ in case or in how Unicode writes their accents. In upper case
 * more letters meet than in lower case: `ß` and `SS`, `σ` and `ς`.
 */
export function foldText(text: string): string {
  return text.normalize('NFD').toUpperCase().normalize('NFC');
}
