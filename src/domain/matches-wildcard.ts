/** Whether a value is a text, number or boolean that a pattern matches, in which `*` stands for anything. */
export function matchesWildcard(pattern: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  // Each request meets each pattern, and most end here.
  const star = pattern.indexOf('*');
  if (star === -1) return text === pattern;
  if (!text.startsWith(pattern.slice(0, star))) return false;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!text.endsWith(last) || text.length < first.length + last.length) return false;
  // Each part at the first place behind the one before: a regular expression would try all of them.
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
