import { TZDate } from '@date-fns/tz';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  apiTimestamp,
  dateOf,
  daysBetween,
  formatInstant,
  isTimeZone,
  maxClockTimeMs,
  startOfNextDay,
} from '../../src/domain/dates.js';
import { maxDurationMs } from '../../src/lib/durations.js';

const dayMs = 86_400_000;
const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Africa/Cairo', 'Pacific/Apia'];
/** Random dates from 1970 to 2099. */
const dates = fc.integer({ min: 0, max: 47_481 }).map((days) => new Date(days * dayMs).toISOString().slice(0, 10));
/** Random dates with a four-digit year, from 0000 to 9999. */
const datesOfAllYears = fc
  .integer({ min: -719_528, max: 2_932_896 })
  .map((days) => new Date(days * dayMs).toISOString().slice(0, 10));

describe('the start of the next day', () => {
  it.each([
    ['UTC', '2026-03-28', '2026-03-29T00:00:00.000Z'],
    ['UTC', '2024-02-28', '2024-02-29T00:00:00.000Z'],
    ['UTC', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['Europe/Paris', '2026-03-28', '2026-03-28T23:00:00.000Z'],
    // Summer time begins: the 29th has 23 hours.
    ['Europe/Paris', '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['Europe/Paris', '2026-10-24', '2026-10-24T22:00:00.000Z'],
    // Summer time ends: the 25th has 25 hours.
    ['Europe/Paris', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-09T04:00:00.000Z'],
    // There is no midnight: summer time begins at 00:00, which becomes 01:00.
    ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00.000Z'],
    // There are two midnights: summer time ends at 01:00, which becomes 00:00.
    ['America/Havana', '2026-10-31', '2026-11-01T04:00:00.000Z'],
    // There are two midnights here, too.
    ['Europe/Paris', '1976-09-25', '1976-09-25T22:00:00.000Z'],
    // Clocks are set back by three hours at 02:00, and by half an hour at 00:30, so there are two midnights.
    ['Antarctica/Casey', '2010-03-04', '2010-03-04T13:00:00.000Z'],
    ['Asia/Colombo', '2006-04-14', '2006-04-14T18:00:00.000Z'],
    // Clocks are set forward by a quarter of an hour at 00:00.
    ['Asia/Kathmandu', '1985-12-31', '1985-12-31T18:30:00.000Z'],
    // There was no 30th: Samoa moved to the other side of the date line.
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00.000Z'],
  ])('in %s after %s is %s', (zone, date, expected) => {
    expect(formatInstant(startOfNextDay(date, zone))).toBe(expected);
  });

  it.each(zones)('is the first moment with a later date, in %s', (zone) => {
    fc.assert(
      fc.property(dates, (date) => {
        const start = startOfNextDay(date, zone);
        expect(Date.parse(dateOf(start, zone))).toBeGreaterThan(Date.parse(date));
        expect(Date.parse(dateOf(start - 1, zone))).toBeLessThanOrEqual(Date.parse(date));
      }),
    );
  });

  it('is midnight for every date of a year from 0000 to 9999, in UTC', () => {
    fc.assert(
      fc.property(datesOfAllYears, (date) => {
        expect(startOfNextDay(date, 'UTC')).toBe(Date.parse(date) + dayMs);
      }),
    );
  });
});

describe('the date of a time', () => {
  it.each([
    ['UTC', '2026-03-31T23:30:00Z', '2026-03-31'],
    ['Europe/Paris', '2026-03-31T23:30:00Z', '2026-04-01'],
    ['Europe/Paris', '2026-03-31T21:59:59Z', '2026-03-31'],
    ['America/New_York', '2026-04-01T03:59:59Z', '2026-03-31'],
  ])('in %s at %s is %s', (zone, at, expected) => {
    expect(dateOf(Date.parse(at), zone)).toBe(expected);
  });
});

// The built-in seeds use this time zone, so its offsets since 1996 are computed without Intl.
describe('in Europe/Paris', () => {
  // The Swedish locale formats dates as ISO 8601 does, such as 2026-03-28.
  const intl = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Paris', dateStyle: 'short' });
  const allDays = Array.from({ length: 110 * 365 }, (_, index) => addDays('1990-01-01', index));

  it('a time has the same date as according to Intl', () => {
    // Around midnight in Paris, in winter and in summer.
    const instants = allDays.flatMap((date) =>
      [21.5, 22, 22.5, 23, 23.5].map((hours) => Date.parse(date) + hours * 3_600_000),
    );
    expect(instants.filter((at) => dateOf(at, 'Europe/Paris') !== intl.format(at))).toEqual([]);
  });

  it('a day starts at the same time as according to Intl', () => {
    const startByIntl = (date: string): number => {
      const next = new Date(addDays(date, 1));
      return new TZDate(next.getUTCFullYear(), next.getUTCMonth(), next.getUTCDate(), 'Europe/Paris').getTime();
    };
    expect(allDays.filter((date) => startOfNextDay(date, 'Europe/Paris') !== startByIntl(date))).toEqual([]);
  });
});

it.each([
  ['UTC', true],
  ['Europe/Paris', true],
  ['America/New_York', true],
  ['Europe/Atlantis', false],
  ['', false],
])('%j is the name of a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

describe('the number of days', () => {
  it.each([
    ['2026-03-28', '2026-03-30', 2],
    ['2026-10-24', '2026-10-26', 2],
    ['2024-02-28', '2024-03-01', 2],
    ['2026-04-30', '2026-04-30', 0],
    ['2026-05-01', '2026-04-30', -1],
  ])('between %s and %s is %d', (from, to, days) => {
    expect(daysBetween(from, to)).toBe(days);
  });

  it('added to a date is the number of days between the date and the result', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
      }),
    );
  });
});

describe('a timestamp', () => {
  it('is ISO 8601 with a UTC offset, to the second', () => {
    expect(apiTimestamp(formatInstant(Date.parse('2026-03-01T10:30:00.999+01:00')))).toBe('2026-03-01T09:30:00+00:00');
  });
});

it('the last time of a clock plus the longest duration has a four-digit year, as stored times require', () => {
  expect(formatInstant(maxClockTimeMs + maxDurationMs)).toBe('9999-12-31T23:59:59.999Z');
});
