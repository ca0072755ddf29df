/** Parses an integer, such as an id; returns other text unchanged. */
export function integerOrText(text: string): number | string {
  const number = parseInteger(text);
  // Beyond 2^53 the number would differ from the one sent.
  return number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER ? text : number;
}

/**
 * Parses an integer that is compared with limits, such as the number of a page; returns other text unchanged. An integer
 * beyond 2^53 becomes the last one before it, which is beyond the same limits.
 */
export function limitedIntegerOrText(text: string): number | string {
  const number = parseInteger(text);
  if (number === undefined) return text;
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** Parses an integer as JSON writes it: each has one text, so `007` is not one. */
function parseInteger(text: string): number | undefined {
  return /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}
