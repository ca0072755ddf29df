import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/lib/durations.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('a duration', () => {
  it.each([
    ['8d', 8 * day],
    ['2h 30m', 2 * hour + 30 * minute],
    ['1d12h', day + 12 * hour],
    ['8 days, 3 hours', 8 * day + 3 * hour],
    ['1.5h', 90 * minute],
    ['90s', 90 * second],
    ['250ms', 250],
    ['2w', 14 * day],
    ['0d', 0],
    [' 8d ', 8 * day],
    ['P8D', 8 * day],
    ['P2W', 14 * day],
    ['PT15M', 15 * minute],
    ['PT36H', 36 * hour],
    ['PT0.5S', 500],
    ['P1DT12H', day + 12 * hour],
    ['P3DT4H5M6S', 3 * day + 4 * hour + 5 * minute + 6 * second],
  ])('%j is read', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['P1M', 'P1Y', 'P1Y2M', 'P1MT1M', '1mo', '2 months', '1y', '1 Year', '3 yrs', '1d 1mo'])(
    'of months or years is refused, since these differ in length: %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([
    ...['', ' ', '8', '-8d', '+8d', 'd', '8x', '8 d bogus', 'bogus', '1,5h', '1h30', '1.2.3d', 'Infinity d', 'NaN'],
    ...['P', 'PT', 'P1', 'PD', 'P1DT', 'P-1D', 'P1H', 'PT1D', 'PT8H30', 'P1.2.3D', 'P1D1D', 'P1S', '1e3s', 'PP1D'],
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('of several units is their sum, as words and in ISO 8601', () => {
    const part = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(part, part, part, part, (days, hours, minutes, seconds) => {
        const expected = days * day + hours * hour + minutes * minute + seconds * second;
        expect(parseDuration(`${days}d ${hours}h ${minutes}m ${seconds}s`)).toBe(expected);
        expect(parseDuration(`P${days}DT${hours}H${minutes}M${seconds}S`)).toBe(expected);
      }),
    );
  });

  it('is never anything but a number from 0 up, or refused', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.-+ ,PTYMWDHSdhmswoyearinutx') });
    fc.assert(
      fc.property(text, (candidate) => {
        const milliseconds = parseDuration(candidate);
        expect(milliseconds === undefined || (Number.isInteger(milliseconds) && milliseconds >= 0)).toBe(true);
      }),
    );
  });
});
