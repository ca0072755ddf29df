/**
 * Removes the parts of a text that differ from run to run: the run id, random hex digits, numbers and repeated spaces.
 */
export function comparableText(text: string, runId: string): string {
  return text
    .replaceAll(new RegExp(runId, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ');
}
