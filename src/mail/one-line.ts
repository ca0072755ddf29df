/** Control characters, and characters that change the text direction. */
const disruptiveCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Turns text from users into one line by replacing disruptive characters and white space with single spaces. The result
 * cannot inject an email header or change how the text around it is shown.
 */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(disruptiveCharacters, ' ').replace(/\s+/g, ' ').trim();
}
