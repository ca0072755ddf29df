/** Control characters, and what turns the direction of the text that follows. */
const disruptive = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text that somebody else set, as one line that can neither end a header nor upset the text around it: what is
 * disruptive becomes a space, and so does every run of white space.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(disruptive, ' ').replace(/\s+/g, ' ').trim();
}
