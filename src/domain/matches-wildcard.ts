/** Whether a string, number or boolean matches a pattern, in which `*` matches anything. */
export function matchesWildcard(pattern: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  // Fast path: every request is matched with every pattern.
  const star = pattern.indexOf('*');
  if (star === -1) return text === pattern;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!text.endsWith(last) || text.length < first.length + last.length) return false;
  // Takes the first match of each part; a regular expression would backtrack.
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
