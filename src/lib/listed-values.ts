/** A pattern that lists the values it matches: `^(?:EUR|USD)$`. */
const listPattern = /^\^\(\?:(\w+(?:\|\w+)*)\)\$$/;

/**
 * The values that a pattern of a JSON Schema lists; undefined for any other pattern. A pattern that lists values means
 * the same as an `enum`. It is used for long lists, since client generators would create a type with all values of an
 * `enum`.
 */
export function listedValues(pattern: unknown): readonly string[] | undefined {
  return typeof pattern === 'string' ? listPattern.exec(pattern)?.[1]?.split('|') : undefined;
}
