import { describe, expect, test } from 'vitest';
import { matchesPaymentFilters } from '../../src/contract/predicates/filters.js';
import { decimalOf, timestampOf } from '../../src/contract/predicates/matchers.js';

describe('decimalOf', () => {
  test.each([
    [19.9, 19.9],
    ['19.90', 19.9],
    ['-3', -3],
    // Integers beyond 2^53 are parsed as bigints.
    [2n ** 64n, 2 ** 64],
  ])('reads %s', (value, decimal) => {
    expect(decimalOf(value)).toBe(decimal);
  });

  test.each([[Number.POSITIVE_INFINITY], ['1,50'], [''], [null], [undefined]])('returns undefined for %j', (value) => {
    expect(decimalOf(value)).toBeUndefined();
  });
});

describe('timestampOf', () => {
  const halfPastNine = Date.UTC(2026, 2, 1, 9, 30);

  test.each([
    ['2026-03-01T09:30:00Z', halfPastNine],
    ['2026-03-01T09:30Z', halfPastNine],
    ['2026-03-01T11:30:00+02:00', halfPastNine],
    ['2026-03-01T11:30:00+0200', halfPastNine],
    ['2026-03-01T11:30:00+02', halfPastNine],
    ['2026-03-01T04:00:00-05:30', halfPastNine],
    ['2026-03-01T09:30:00.123456Z', halfPastNine + 123],
    ['2026-03-01T09:30:00,5+00:00', halfPastNine + 500],
    ['20260301T093000Z', halfPastNine],
    ['20260301T0930+00', halfPastNine],
  ])('reads %j', (text, at) => {
    expect(timestampOf(text)).toMatchObject({ at, date: '2026-03-01' });
  });

  test('returns the date in the time zone of the timestamp', () => {
    expect(timestampOf('2026-03-02T01:30:00+03:00')).toMatchObject({ date: '2026-03-02' });
    expect(timestampOf('20260302T013000+0300')).toMatchObject({ date: '2026-03-02' });
  });

  test.each([
    ['2026-03-01T09:30:00Z', true],
    ['2026-03-01T09:30Z', false],
    ['20260301T0930+00', false],
  ])('says whether %j has seconds', (text, hasSeconds) => {
    expect(timestampOf(text)).toMatchObject({ hasSeconds });
  });

  test.each([
    ['2026-03-01T09:30:00'],
    ['2026-03-01'],
    ['2026-03-01 09:30:00Z'],
    ['2026-13-01T09:30:00Z'],
    ['2026-02-30T09:30:00Z'],
    ['2026-03-01T25:30:00Z'],
    ['2026-0301T09:30:00Z'],
    ['2026-03-01T0930Z'],
    ['Sun, 01 Mar 2026 09:30:00 GMT'],
    ['1772357400'],
    [1_772_357_400],
    [null],
    [undefined],
  ])('returns undefined for %j', (value) => {
    expect(timestampOf(value)).toBeUndefined();
  });
});

describe('matchesPaymentFilters', () => {
  test.each([
    [{ description: 'Kayak Tour' }, true],
    [{ description: 'Sauna' }, false],
    [{ description: null }, false],
    // It is unknown whether the description of this payment matches.
    [{}, true],
  ])('finds %j with the description `kayak`: %s', (payment, isMatch) => {
    expect(matchesPaymentFilters(payment, { description: 'kayak' })).toBe(isMatch);
  });
});
