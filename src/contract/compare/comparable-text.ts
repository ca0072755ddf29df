/** Removes what differs from run to run from a text: the run's mark, numbers, digits of random names, the length of spaces. */
export function comparableText(text: string, mark: string): string {
  return text
    .replaceAll(new RegExp(mark, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ');
}
