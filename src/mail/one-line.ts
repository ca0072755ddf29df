/** Control characters, and characters that change the text direction. */
const disruptiveCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Turns text from users into one line that can neither end a header nor affect the text around it: replaces disruptive
 * characters and runs of white space with a space.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(disruptiveCharacters, ' ').replace(/\s+/g, ' ').trim();
}
