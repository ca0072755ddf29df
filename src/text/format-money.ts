import { decimalPlaces } from '../lib/decimals.js';

/** More places than this `Intl` refuses to write in some of the versions of Node that run this. */
const mostPlaces = 20;

// Formats are made where they are used: made here, the first of them would add to every start.

/**
 * Writes amounts of a currency, with as many places as it has: `€1,234.50`, `¥1,235`, `KWD 1.500`. An amount with more
 * places keeps them, for a unit price of 0.005 is not one of 0.01.
 * @param currency three letters; a code that is not in use is written before the amount, as one without a symbol is
 * @returns text in which lines do not break: the space behind a code is U+00A0
 */
export function moneyIn(currency: string): (amount: number) => string {
  const style = {
    style: 'currency',
    currency,
    // XXX, for no currency, has a symbol that tells nothing.
    currencyDisplay: currency === 'XXX' ? 'code' : 'symbol',
  } as const;
  const usual = new Intl.NumberFormat('en', style);
  const places = usual.resolvedOptions().maximumFractionDigits ?? 2;
  return (amount) => {
    const actual = Math.min(decimalPlaces(amount), mostPlaces);
    const format = actual > places ? new Intl.NumberFormat('en', { ...style, maximumFractionDigits: actual }) : usual;
    return format.format(amount);
  };
}

/** As `moneyIn`, for amounts of several currencies: the format of each is made once, which costs more than to write with it. */
export function moneyInAny(): (amount: number, currency: string) => string {
  const known = new Map<string, (amount: number) => string>();
  return (amount, currency) => {
    const money = known.get(currency) ?? moneyIn(currency);
    known.set(currency, money);
    return money(amount);
  };
}

/** `1,234.5` */
export function quantity(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: mostPlaces }).format(value);
}

/** A date `2026-03-01` written out: `1 March 2026`. */
export function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date));
}
