/** True if a string, number or boolean matches a pattern, in which `*` stands for any characters, or none. */
export function matchesWildcard(pattern: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  // Fast path, since every request is matched against every pattern.
  const star = pattern.indexOf('*');
  if (star === -1) return text === pattern;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  const [first = '', ...middleParts] = pattern.split('*');
  const last = middleParts.pop() ?? '';
  if (!text.endsWith(last) || text.length < first.length + last.length) return false;
  // The first match of each part is enough; a regular expression would backtrack.
  let from = first.length;
  for (const part of middleParts) {
    const index = text.indexOf(part, from);
    if (index === -1) return false;
    from = index + part.length;
  }
  return from <= text.length - last.length;
}
