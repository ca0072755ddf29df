import Big from 'big.js';

/** Decimal places of a number as JSON writes it: 19.99 has 2, 1e-7 has 7. */
export function decimalPlaces(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

const known = new Map<string, number>();

/** Whether a value has the format of an ISO 4217 code; the list of codes changes over the years. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

/** Decimal places of amounts in a currency: 2 in EUR, 0 in JPY, 3 in KWD. A string that is not a code has two. */
export function minorUnits(currency: string): number {
  if (!isCurrencyCode(currency)) return 2;
  const places =
    known.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2;
  known.set(currency, places);
  return places;
}
