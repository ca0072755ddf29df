/** Formats a date such as `2026-03-01` in words: `1 March 2026`. */
export function longDate(date: string, locale = 'en-GB'): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatToParts(Date.parse(date));
  // `Intl` formats the year 0000 as 1, since it is 1 BC.
  return parts.map(({ type, value }) => (type === 'year' ? Number(date.slice(0, 4)) : value)).join('');
}
