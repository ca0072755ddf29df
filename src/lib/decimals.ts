import Big from 'big.js';

/** Decimal places of a number as JSON writes it: 19.99 has 2, 1e-7 has 7. */
export function decimalPlaces(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

/** Returns true if a value has the format of an ISO 4217 code. Does not use a list of codes, since it changes. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

/**
 * Currencies whose amounts do not have two decimal places according to ISO 4217. `Intl` has other values for some, such as HUF and
 * IQD; they differ between versions of Node. Units of account, such as CLF and UYW, are left out: nobody pays in them.
 */
const placesByCurrency: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code): [string, number] => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code): [string, number] => [code, 3]),
]);

/** Maximum number of decimal places of a currency. */
export const maxCurrencyDecimals = 3;

/** Decimal places of amounts in a currency: 2 in EUR, 0 in JPY, 3 in KWD. A string that is not a code has two. */
export function currencyDecimals(currency: string): number {
  return placesByCurrency.get(currency) ?? 2;
}
