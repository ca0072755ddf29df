import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationHint, parseDuration } from '../../src/lib/durations.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a duration', () => {
  it.each([
    ['8d', 8 * dayMs],
    ['2h 30m', 2 * hourMs + 30 * minuteMs],
    ['1d12h', dayMs + 12 * hourMs],
    ['8 days, 3 hours', 8 * dayMs + 3 * hourMs],
    ['1.5h', 90 * minuteMs],
    ['90s', 90 * secondMs],
    ['250ms', 250],
    ['2w', 14 * dayMs],
    ['0d', 0],
    [' 8d ', 8 * dayMs],
    ['P8D', 8 * dayMs],
    ['P2W', 14 * dayMs],
    ['PT15M', 15 * minuteMs],
    ['PT36H', 36 * hourMs],
    ['PT0.5S', 500],
    ['P1DT12H', dayMs + 12 * hourMs],
    ['P3DT4H5M6S', 3 * dayMs + 4 * hourMs + 5 * minuteMs + 6 * secondMs],
  ])('%j is read as %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['P1M', 'P1Y', 'P1Y2M', 'P1MT1M', '1mo', '2 months', '1y', '1 Year', '3 yrs', '1d 1mo'])(
    'of months or years is refused, since these differ in length: %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([
    ...[
      '',
      ' ',
      '8',
      '-8d',
      '+8d',
      'd',
      '8x',
      '8 d bogus',
      '1d 5x',
      '2h 30mn',
      '5x 1d',
      '1 e3s',
      'bogus',
      '1,5h',
      '1h30',
      '1.2.3d',
      'Infinity d',
      'NaN',
    ],
    ...['P', 'PT', 'P1', 'PD', 'P1DT', 'P-1D', 'P1H', 'PT1D', 'PT8H30', 'P1.2.3D', 'P1D1D', 'P1S', '1e3s', 'PP1D'],
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('is at most a thousand years', () => {
    expect([parseDuration('365242d'), parseDuration('365243d')]).toEqual([365_242 * dayMs, undefined]);
  });

  it('of several units is their sum, as words and in ISO 8601', () => {
    const count = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(count, count, count, count, (days, hours, minutes, seconds) => {
        const expected = days * dayMs + hours * hourMs + minutes * minuteMs + seconds * secondMs;
        expect(parseDuration(`${days}d ${hours}h ${minutes}m ${seconds}s`)).toBe(expected);
        expect(parseDuration(`P${days}DT${hours}H${minutes}M${seconds}S`)).toBe(expected);
      }),
    );
  });

  it('is read as a whole number of milliseconds that is not negative, or is refused, for any text', () => {
    const durationLikeText = fc.string({ unit: fc.constantFrom(...'0123456789.-+ ,PTYMWDHSdhmswoyearinutx') });
    fc.assert(
      fc.property(durationLikeText, (text) => {
        const milliseconds = parseDuration(text) ?? 0;
        expect(milliseconds).toBeGreaterThanOrEqual(0);
        expect(milliseconds).toSatisfy(Number.isInteger);
      }),
    );
  });
});

describe('the hint about an invalid duration', () => {
  it.each(['365243d', 'P9000000D', '99999999999 weeks'])('names the longest duration: %j', (text) => {
    expect(durationHint('x-duration', text)).toBe('; the longest is 365242d');
  });

  it.each(['P1M', '2 months'])('says that months and years differ in length: %j', (text) => {
    expect(durationHint('x-duration', text)).toBe('; months and years differ in length, so write them in days');
  });

  it.each([
    ['x-duration', '8x'],
    ['x-duration', 'P1X'],
    ['pattern', 'P1M'],
  ])('is empty if the keyword %s rejects %j', (keyword, text) => {
    expect(durationHint(keyword, text)).toBe('');
  });
});
