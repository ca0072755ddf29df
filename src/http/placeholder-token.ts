/**
 * Returns true for a short text or a plain word, such as `x` or `invalid`, which tests send as wrong tokens. Masking
 * it wherever it occurs would make texts unreadable, and change names that the simulator uses.
 */
export function isPlaceholder(token: string): boolean {
  return token.length < 6 || /^[a-z]+$/.test(token);
}
