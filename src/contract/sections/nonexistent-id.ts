/** An id that no record has: near the maximum of a 32-bit integer, so that it is still valid. */
export const nonexistentInteger = 2_147_483_600;

/**
 * Number of characters at the end of an id in which digits are changed. The earlier characters may include a version or
 * a time.
 */
const changedCharacters = 12;

/**
 * Returns an id that no record has, in the format of an existing id, because a service may have no route for an id in
 * another format; undefined if the format has no digits that could be changed.
 */
export function nonexistentIdLike(existingId: string): string | undefined {
  // A serial number, also one with a prefix: `17`, `dep_17`.
  if (/^\D*\d+$/.test(existingId)) return existingId.replace(/\d+$/, String(nonexistentInteger));
  // A random id, such as a UUID. Never changes a digit to 0, which some formats do not use.
  const start = Math.max(0, existingId.length - changedCharacters);
  const end = existingId.slice(start).replace(/\d/g, (digit) => String((Number(digit) % 9) + 1));
  const changedId = existingId.slice(0, start) + end;
  return changedId === existingId ? undefined : changedId;
}
