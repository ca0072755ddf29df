import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyDecimals, decimalPlaces } from '../../src/lib/decimals.js';

describe('the number of decimal places', () => {
  it.each([
    [0, 0],
    [100, 0],
    [1e21, 0],
    [19.9, 1],
    [19.99, 2],
    [-19.99, 2],
    [0.001, 3],
    [1e-7, 7],
    [1.5e-7, 8],
    [5e-324, 324],
    [0.1 + 0.2, 17],
  ])('of %d is %d', (value, places) => {
    expect(decimalPlaces(value)).toBe(places);
  });

  it('is the number of digits after the point in JSON', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 6 }), (integer, places) => {
        const value = integer / 10 ** places;
        const [, fraction = ''] = JSON.stringify(value).split('.');
        fc.pre(!fraction.includes('e'));
        expect(decimalPlaces(value)).toBe(fraction.length);
      }),
    );
  });
});

it.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['eur', 2],
  ['not a currency', 2],
])('amounts in %s have %d decimal places', (currency, places) => {
  expect(currencyDecimals(currency)).toBe(places);
});

it('amounts in each currency have the decimal places of ISO 4217, even where Intl has others', () => {
  const currencies = Intl.supportedValuesOf('currency');
  const currenciesWith = (places: number) => currencies.filter((code) => currencyDecimals(code) === places).join(' ');
  expect(currenciesWith(0)).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF');
  expect(currenciesWith(3)).toBe('BHD IQD JOD KWD LYD OMR TND');
  expect(['AFN', 'COP', 'HUF', 'IDR', 'LBP', 'MGA', 'PKR'].map(currencyDecimals)).toEqual([2, 2, 2, 2, 2, 2, 2]);
});
