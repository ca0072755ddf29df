import { currencyDecimals, decimalPlaces } from '../lib/decimals.js';

/** Maximum number of decimal places that `Intl` supports in all versions of Node. */
const maxPlaces = 20;

// Formatters are created when they are first used, because creating the first one is slow and would delay every start.

/**
 * Returns a function that formats amounts of a currency: `€1,234.50`, `¥1,235`, `KWD 1.500`. Additional decimal places
 * are kept, so that a unit price of 0.005 does not become 0.01.
 * @param currency three letters; an unknown code is written before the amount
 * @param locale a language tag: `de` formats `1.234,50 €`
 * @returns text that does not wrap, because the space after a code is U+00A0 (no-break space)
 */
export function moneyIn(currency: string, locale = 'en'): (amount: number) => string {
  const places = currencyDecimals(currency);
  const formatWith = (maximumFractionDigits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      // XXX, the code for no currency, has a symbol that readers would not understand.
      currencyDisplay: currency === 'XXX' ? 'code' : 'symbol',
      // Set explicitly, because `Intl` has fewer for some currencies.
      minimumFractionDigits: places,
      maximumFractionDigits,
      // No sign for -0, which JSON allows.
      signDisplay: 'negative',
    });
  const defaultFormat = formatWith(places);
  return (amount) => {
    const actualPlaces = Math.min(decimalPlaces(amount), maxPlaces);
    return (actualPlaces > places ? formatWith(actualPlaces) : defaultFormat).format(amount);
  };
}

/** Like `moneyIn`, for several currencies. Caches their formatters, which take longer to create than to use. */
export function moneyInAnyCurrency(): (amount: number, currency: string) => string {
  const formatters = new Map<string, (amount: number) => string>();
  return (amount, currency) => {
    const money = formatters.get(currency) ?? moneyIn(currency);
    formatters.set(currency, money);
    return money(amount);
  };
}

/** Formats an amount without its currency, with at least the decimal places of that currency: `1234.50`. */
export function plainAmount(amount: number, currency: string): string {
  return amount.toFixed(Math.max(currencyDecimals(currency), decimalPlaces(amount)));
}

/** Formats a number with all its decimal places: `1,234.5`. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: maxPlaces, signDisplay: 'negative' }).format(value);
}
