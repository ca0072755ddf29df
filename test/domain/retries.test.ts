import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDelivered, nextAttemptAt, nextMailAttemptAt } from '../../src/domain/retries.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { parseDuration } from '../../src/lib/durations.js';
import type { Profile } from '../../src/openapi/gaps.js';
import { resolveProfile } from '../../src/openapi/profile.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const byDefault = resolveProfile({});
const withoutRetries: Profile = { ...byDefault, 'event.retries': 'none' };
const now = Date.parse('2026-04-01T08:00:00Z');

/** Returns the wait until the next attempt in milliseconds, or undefined if there is none. */
function waitAfter(tries: number, status: number | null, retryAfter: string | null = null, profile = byDefault) {
  const at = nextAttemptAt(tries, { status, retryAfter }, profile, now);
  return at === undefined ? undefined : at - now;
}

/** Waits after each attempt, from the gap `event.retries`. */
const schedule = [
  [1, 5 * second],
  [2, 5 * minute],
  [3, 30 * minute],
  [4, 2 * hour],
  [5, 5 * hour],
  [6, 10 * hour],
  [7, 10 * hour],
] as const;

describe('a delivery that has failed', () => {
  it.each(schedule)('(attempt %d) is retried after %d ms', (tries, wait) => {
    for (const status of [null, 199, 300, 301, 400, 404, 409, 411, 429, 500, 503]) {
      expect(waitAfter(tries, status), `${status}`).toBe(wait);
    }
  });

  it('is retried after the waits in the gap registry', () => {
    const [, waits = ''] = /then after (.+?);/.exec(String(gapRegistry['event.retries'].choices['backoff'])) ?? [];
    expect(waits.split(', ').map(parseDuration)).toEqual(schedule.map(([, wait]) => wait));
  });

  it('eight times is abandoned', () => {
    expect(waitAfter(8, 500)).toBeUndefined();
    expect(waitAfter(8, null)).toBeUndefined();
    expect(waitAfter(8, 503, '60')).toBeUndefined();
  });

  it('is abandoned at once if the receiver is gone (410), even with Retry-After', () => {
    for (const [tries] of schedule) expect(waitAfter(tries, 410, '60')).toBeUndefined();
  });

  it('is abandoned at once under event.retries: none', () => {
    for (const status of [null, 404, 500]) expect(waitAfter(1, status, '60', withoutRetries)).toBeUndefined();
  });
});

describe('a status', () => {
  it.each([
    [null, false],
    [100, false],
    [199, false],
    [200, true],
    [201, true],
    [204, true],
    [299, true],
    [300, false],
    [304, false],
    [400, false],
    [500, false],
  ])('of %s is a success: %s', (status, delivered) => {
    expect(isDelivered(status)).toBe(delivered);
    expect(waitAfter(1, status)).toBe(delivered ? undefined : 5 * second);
  });
});

describe('Retry-After', () => {
  it.each([
    // Seconds.
    ['60', 60 * second],
    ['0', 5 * second],
    ['4', 5 * second],
    ['5', 5 * second],
    ['6', 6 * second],
    ['007', 7 * second],
    ['86400', 24 * hour],
    // Longer waits are limited to a day.
    ['86401', 24 * hour],
    ['99999999999999999999', 24 * hour],
    ['9'.repeat(400), 24 * hour],
    // The three forms of a date (RFC 9110, 5.6.7), all in GMT.
    ['Wed, 01 Apr 2026 08:10:00 GMT', 10 * minute],
    ['Wednesday, 01-Apr-26 08:10:00 GMT', 10 * minute],
    ['Wed Apr  1 08:10:00 2026', 10 * minute],
    ['Wed, 01 Apr 2026 08:00:02 GMT', 5 * second],
    ['Wed, 01 Apr 2026 08:00:00 GMT', 5 * second],
    ['Tue, 31 Mar 2026 08:00:00 GMT', 5 * second],
    ['Thu, 01 Apr 2027 08:00:00 GMT', 24 * hour],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * hour],
  ])('%s after the first attempt delays the next one by %d ms', (retryAfter, wait) => {
    expect(waitAfter(1, 503, retryAfter)).toBe(wait);
    expect(waitAfter(1, 429, retryAfter)).toBe(wait);
    expect(waitAfter(1, 404, retryAfter)).toBe(wait);
  });

  it.each([
    '',
    ' ',
    'soon',
    '-5',
    '-86400',
    '+60',
    '1.5',
    '1e3',
    '0x10',
    '60s',
    '120, 60',
    'Infinity',
    'NaN',
    'after 2099',
    'never before 1 2099',
    '2099-01-01',
    '2099-01-01T00:00:00Z',
    '1 Jan 2099',
    'Wed, 01 Apr 2099 08:10:00',
    'Wed, 01 Apr 2099 08:10:00 +0200',
    'Wed, 99 Apr 2099 08:10:00 GMT',
    'Wed, 01 Foo 2099 08:10:00 GMT',
  ])('%j is ignored', (retryAfter) => {
    expect(waitAfter(1, 503, retryAfter)).toBe(5 * second);
    expect(waitAfter(7, 503, retryAfter)).toBe(10 * hour);
  });

  it('is read in GMT, whatever the time zone of the machine', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(now).getHours()).toBe(4);
    expect(waitAfter(1, 503, 'Wed, 01 Apr 2026 08:10:00 GMT')).toBe(10 * minute);
    expect(waitAfter(1, 503, 'Wed Apr  1 08:10:00 2026')).toBe(10 * minute);
  });

  it('never shortens the wait of the schedule', () => {
    expect(waitAfter(2, 503, '60')).toBe(5 * minute);
    expect(waitAfter(2, 503, '301')).toBe(301 * second);
    expect(waitAfter(7, 503, '3600')).toBe(10 * hour);
  });

  it('is ignored on a success', () => {
    expect(waitAfter(1, 200, '60')).toBeUndefined();
    expect(waitAfter(1, 299, '60')).toBeUndefined();
  });

  it('with any value never makes the wait shorter than in the schedule or longer than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.string(), (tries, text) => {
        const wait = waitAfter(tries, 503, text) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(schedule[tries - 1]?.[1] ?? Number.NaN);
        expect(wait).toBeLessThanOrEqual(24 * hour);
      }),
    );
  });
});

describe('an email that could not be sent', () => {
  it.each(schedule)('(attempt %d) is retried after %d ms', (tries, wait) => {
    expect(nextMailAttemptAt(tries, now)).toBe(now + wait);
  });

  it('eight times is abandoned', () => {
    expect(nextMailAttemptAt(8, now)).toBeUndefined();
  });
});
