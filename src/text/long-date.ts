/** Formats a date such as `2026-03-01` in words: `1 March 2026`, in French `1er mars 2026`. */
export function longDate(date: string, locale = 'en-GB'): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatToParts(Date.parse(date));
  return parts
    .map(({ type, value }) => {
      // `Intl` formats the year 0000 as 1, since it is 1 BC.
      if (type === 'year') return Number(date.slice(0, 4));
      // French has an ordinal number for the first day of a month, which `Intl` lacks.
      return type === 'day' && value === '1' && locale === 'fr' ? '1er' : value;
    })
    .join('');
}
