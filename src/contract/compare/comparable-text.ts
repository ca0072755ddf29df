/**
 * Makes texts of two runs comparable: replaces the run id, sequences of at least eight hex digits, and numbers with
 * `#`, and whitespace with one space.
 */
export function comparableText(text: string, runId: string): string {
  return text
    .replaceAll(new RegExp(runId, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ');
}
