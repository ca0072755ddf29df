/**
 * Returns true for a bearer token of visible ASCII characters. HTTP clients cannot send other characters in a header,
 * and a space would end the token.
 */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Describes a valid bearer token in error messages. */
export const expectedBearerToken = 'ASCII characters without spaces';
