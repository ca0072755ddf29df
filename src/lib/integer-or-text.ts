/** Parses an integer; returns other text as it is. */
export function integerOrText(text: string): number | string {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  // Beyond 2^53 the number would differ from the one sent.
  return Number.isNaN(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER ? text : number;
}
