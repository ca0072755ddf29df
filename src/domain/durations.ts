import parse from 'parse-duration';

/** A number with a unit, possibly several of them; the parser alone would take `8`, `1e3s` and `1 d bogus` too. */
const form = /^\s*(?:\d+(?:\.\d+)?(?!e\d)\s*[a-z]+[\s,]*)+$/i;

/** ISO 8601. The parser would drop the days of `P1DT12H` and take the month of `P1M` for a minute. */
const iso =
  /^P(?=.)(?:(?<y>[\d.]+)Y)?(?:(?<mo>[\d.]+)M)?(?:(?<w>[\d.]+)W)?(?:(?<d>[\d.]+)D)?(?:T(?=.)(?:(?<h>[\d.]+)H)?(?:(?<m>[\d.]+)M)?(?:(?<s>[\d.]+)S)?)?$/i;

/** A thousand years: what is added to a time has to stay one that ISO 8601 can write. */
const longest = 1_000 * 365.25 * 86_400_000;

/** Milliseconds of a duration such as `8d`, `2h 30m` or `P8D`; undefined if it is none, negative, or beyond 1,000 years. */
export function parseDuration(text: string): number | undefined {
  const units = iso.exec(text.trim())?.groups;
  const words = units ? inWords(units) : text;
  if (!form.test(words)) return undefined;
  const milliseconds = parse(words);
  return milliseconds === null || !(milliseconds <= longest) ? undefined : Math.round(milliseconds);
}

function inWords(units: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(units).filter(([, count]) => count !== undefined);
  return given.map(([unit, count]) => `${count}${unit}`).join(' ');
}
