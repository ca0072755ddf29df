/**
 * Removes from a text what differs from run to run: the mark of the run, numbers, random digits and the length of
 * spaces.
 */
export function comparableText(text: string, mark: string): string {
  return text
    .replaceAll(new RegExp(mark, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ');
}
