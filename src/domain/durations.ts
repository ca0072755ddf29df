import parse from 'parse-duration';

/** A number with a unit, possibly several of them, or ISO 8601; the parser alone would take `8` and `1 d bogus` too. */
const form = /^\s*(?:P(?=.)[\dYMWDTHS.]+|(?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*)+)\s*$/i;

/** Milliseconds of a duration such as `8d`, `2h 30m` or `P8D`; undefined if it is none, or negative. */
export function parseDuration(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const milliseconds = parse(text);
  return milliseconds === null || !Number.isFinite(milliseconds) ? undefined : Math.round(milliseconds);
}
