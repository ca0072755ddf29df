import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalPlacesOf,
  formatDecimal,
  invoiceAmount,
  lineTotal,
  minus,
  plus,
  round,
  shareOf,
} from '../../src/domain/money.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { divideHalfUp, exactGross, exactNet, roundToCents, toCents } from './exact.js';

/** Random amounts with two decimal places. */
const anyAmount = fc.integer({ min: -10_000_000_000_00, max: 10_000_000_000_00 }).map((cents) => cents / 100);
const anyPrice = fc.integer({ min: 0, max: 999_999_99 }).map((cents) => cents / 100);
const anyLine = fc.record({
  description: fc.constant('Night'),
  quantity: fc.integer({ min: 1, max: 999_999_99 }).map((hundredths) => hundredths / 100),
  unit_price: anyPrice,
  tax_rate: fc.integer({ min: 0, max: 100_00 }).map((hundredths) => hundredths / 100),
});

describe('sums', () => {
  it('are exact: 0.1 plus 0.2 is 0.3', () => {
    expect(plus(0.1, 0.2)).toBe(0.3);
    expect(minus(0.3, 0.1)).toBe(0.2);
  });

  it('are exact for any two amounts', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (a, b) => {
        expect(toCents(plus(a, b))).toBe(toCents(a) + toCents(b));
        expect(toCents(minus(a, b))).toBe(toCents(a) - toCents(b));
      }),
    );
  });

  it('return to the start when everything that was added is subtracted in reverse order', () => {
    fc.assert(
      fc.property(fc.array(anyAmount, { maxLength: 200 }), anyAmount, (amounts, start) => {
        const sum = amounts.reduce(plus, start);
        expect(amounts.toReversed().reduce(minus, sum)).toBe(start);
      }),
    );
  });
});

describe('the number of decimal places of an amount', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['an unknown currency', 2],
  ])('in %s is %d by default, and 2 under amount.minor-units: two', (currency, placesByDefault) => {
    expect(decimalPlacesOf(currency, resolveProfile({}))).toBe(placesByDefault);
    expect(decimalPlacesOf(currency, resolveProfile({ 'amount.minor-units': 'two' }))).toBe(2);
  });

  it.each([
    ['JPY', [1051, 2101], 3152],
    ['KWD', [1050.527, 2101.054], 3151.581],
    ['EUR', [1050.53, 2101.05], 3151.58],
  ])('in %s determines how the lines of an invoice are rounded', (currency, totals, amount) => {
    const item = { description: 'Night', quantity: 1, unit_price: 995.76, tax_rate: 5.5 };
    const items = [item, { ...item, unit_price: 1991.52 }];
    const profile = resolveProfile({});
    expect(items.map((invoiceLine) => lineTotal(invoiceLine, profile, currency))).toEqual(totals);
    expect(invoiceAmount(items, profile, currency)).toBe(amount);
  });

  it('is the number of digits after the point when the amount is formatted', () => {
    expect([formatDecimal(1200, 0), formatDecimal(1.5, 3), formatDecimal(1.5)]).toEqual(['1200', '1.500', '1.50']);
  });
});

describe('rounding', () => {
  it.each([
    [1.005, 1.01],
    [1.004999, 1],
    [2.675, 2.68],
    [0.005, 0.01],
    [0.0049, 0],
    [-1.005, -1],
    [-1.0051, -1.01],
    [-1.006, -1.01],
    [-0.005, 0],
    [-0.004, 0],
    [-0.006, -0.01],
    [999999.995, 1000000],
  ])('maps %d to %d', (value, rounded) => {
    expect(round(value)).toBe(rounded);
  });

  it('rounds half up for any number with three decimal places', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (thousandths) => {
        expect(toCents(round(thousandths / 1000))).toBe(divideHalfUp(BigInt(thousandths), 10n));
      }),
    );
  });
});

describe('a share of an amount', () => {
  it.each([
    // The products of these floating-point numbers are a little too small, such as 1.7149999999999999.
    [17.15, 0.1, 1.72],
    [0.35, 0.1, 0.04],
    [300, 0.1, 30],
  ])('is rounded half up: of %d, %d is %d', (amount, share, expected) => {
    expect(shareOf(amount, share, 2)).toBe(expected);
  });

  it('is exact for any number of cents and any percentage', () => {
    const anyCents = fc.integer({ min: 1, max: 999_999_99 });
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 1, max: 99 }), (cents, percent) => {
        const expected = divideHalfUp(BigInt(cents) * BigInt(percent), 100n);
        expect(toCents(shareOf(cents / 100, percent / 100, 2))).toBe(expected);
      }),
    );
  });
});

describe('a formatted decimal', () => {
  it('has two decimal places by default', () => {
    expect([19.9, 0, 5, 1234567.89].map((value) => formatDecimal(value))).toEqual([
      '19.90',
      '0.00',
      '5.00',
      '1234567.89',
    ]);
  });

  it('is parsed back to the same number', () => {
    fc.assert(
      fc.property(anyAmount, (value) => {
        expect(Number(formatDecimal(value))).toBe(value);
      }),
    );
  });
});

describe('three lines of 33.33 with 19.6% tax', () => {
  const lines = Array.from({ length: 3 }, () => ({
    description: 'Night',
    quantity: 1,
    unit_price: 33.33,
    tax_rate: 19.6,
  }));

  it.each([
    [119.58, 'taxed-lines'],
    [99.99, 'net'],
    [119.59, 'rounded-once'],
  ])('add up to %d under invoice.amount: %s', (expected, choice) => {
    expect(invoiceAmount(lines, resolveProfile({ 'invoice.amount': choice }), 'EUR')).toBe(expected);
  });

  it.each([
    [39.86, 'included'],
    [33.33, 'excluded'],
  ])('each have the total %d under invoice.line-total: %s', (expected, choice) => {
    const profile = resolveProfile({ 'invoice.line-total': choice });
    expect(lines.map((item) => lineTotal(item, profile, 'EUR'))).toEqual([expected, expected, expected]);
  });
});

describe('the total of a line', () => {
  it.each([
    ['included', exactGross],
    ['excluded', exactNet],
  ])('is rounded only once under invoice.line-total: %s', (choice, exact) => {
    const profile = resolveProfile({ 'invoice.line-total': choice });
    fc.assert(
      fc.property(anyLine, (item) => {
        expect(toCents(lineTotal(item, profile, 'EUR'))).toBe(roundToCents(exact(item)));
      }),
    );
  });
});

describe('the amount of an invoice', () => {
  const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 20 });
  const sum = (parts: bigint[]): bigint => parts.reduce((total, part) => total + part, 0n);

  it('is the sum of the rounded lines with tax by default', () => {
    const profile = resolveProfile({});
    fc.assert(
      fc.property(anyLines, (items) => {
        expect(toCents(invoiceAmount(items, profile, 'EUR'))).toBe(
          sum(items.map((item) => roundToCents(exactGross(item)))),
        );
      }),
    );
  });

  it('is the sum of the rounded lines without tax under invoice.amount: net', () => {
    const profile = resolveProfile({ 'invoice.amount': 'net' });
    fc.assert(
      fc.property(anyLines, (items) => {
        expect(toCents(invoiceAmount(items, profile, 'EUR'))).toBe(
          sum(items.map((item) => roundToCents(exactNet(item)))),
        );
      }),
    );
  });

  it('is the exact sum, rounded once, under invoice.amount: rounded-once', () => {
    const profile = resolveProfile({ 'invoice.amount': 'rounded-once' });
    fc.assert(
      fc.property(anyLines, (items) => {
        expect(toCents(invoiceAmount(items, profile, 'EUR'))).toBe(roundToCents(sum(items.map(exactGross))));
      }),
    );
  });

  it('is the sum of the line totals, if these include tax', () => {
    const profile = resolveProfile({});
    fc.assert(
      fc.property(anyLines, (items) => {
        const sumOfTotals = items.map((item) => lineTotal(item, profile, 'EUR')).reduce(plus);
        expect(invoiceAmount(items, profile, 'EUR')).toBe(sumOfTotals);
      }),
    );
  });
});
