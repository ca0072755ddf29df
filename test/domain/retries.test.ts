import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isDelivered, nextAttemptAt, nextMailAttemptAt } from '../../src/domain/retries.js';
import { gapRegistry } from '../../src/generated/gap-registry.js';
import { parseDuration } from '../../src/lib/durations.js';
import { type Profile, resolveProfile } from '../../src/openapi/profile.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const defaultProfile = resolveProfile({});
const withoutRetries: Profile = { ...defaultProfile, 'event.retries': 'none' };
const now = Date.parse('2026-04-01T08:00:00Z');

/** Wait until the next attempt, in milliseconds; undefined if there is none. */
function waitAfter(attempt: number, status: number | null, retryAfter: string | null = null, profile = defaultProfile) {
  const at = nextAttemptAt(attempt, { status, retryAfter, date: null }, profile, now);
  return at === undefined ? undefined : at - now;
}

/** Number of each attempt, and the wait after it, as in gap `event.retries`. */
const retryPlan = [
  [1, 5 * secondMs],
  [2, 5 * minuteMs],
  [3, 30 * minuteMs],
  [4, 2 * hourMs],
  [5, 5 * hourMs],
  [6, 10 * hourMs],
  [7, 10 * hourMs],
] as const;

describe('a failed delivery', () => {
  it.each(retryPlan)('is retried after attempt %d with a wait of %d ms', (attempt, wait) => {
    for (const status of [null, 199, 300, 301, 400, 404, 409, 411, 429, 500, 503]) {
      expect(waitAfter(attempt, status), `${status}`).toBe(wait);
    }
  });

  it('is retried after the waits that the gap registry documents', () => {
    const [, waits = ''] =
      /then after (.+?);/.exec(gapRegistry['event.retries'].choices['backoff']?.description ?? '') ?? [];
    expect(waits.split(', ').map(parseDuration)).toEqual(retryPlan.map(([, wait]) => wait));
  });

  it('is not retried after the eighth attempt', () => {
    expect(waitAfter(8, 500)).toBeUndefined();
    expect(waitAfter(8, null)).toBeUndefined();
    expect(waitAfter(8, 503, '60')).toBeUndefined();
  });

  it('is not retried after a 410, even with Retry-After', () => {
    for (const [attempt] of retryPlan) expect(waitAfter(attempt, 410, '60')).toBeUndefined();
  });

  it('is not retried under event.retries: none', () => {
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
  ])('of %s is a success: %s', (status, isSuccess) => {
    expect(isDelivered(status)).toBe(isSuccess);
    expect(waitAfter(1, status)).toBe(isSuccess ? undefined : 5 * secondMs);
  });
});

describe('Retry-After', () => {
  it.each([
    // Seconds.
    ['60', 60 * secondMs],
    ['0', 5 * secondMs],
    ['4', 5 * secondMs],
    ['5', 5 * secondMs],
    ['6', 6 * secondMs],
    ['007', 7 * secondMs],
    ['86400', 24 * hourMs],
    // Longer waits are limited to a day.
    ['86401', 24 * hourMs],
    ['99999999999999999999', 24 * hourMs],
    ['9'.repeat(400), 24 * hourMs],
    // The three forms of a date (RFC 9110, 5.6.7), all in GMT.
    ['Wed, 01 Apr 2026 08:10:00 GMT', 10 * minuteMs],
    ['Wednesday, 01-Apr-26 08:10:00 GMT', 10 * minuteMs],
    ['Wed Apr  1 08:10:00 2026', 10 * minuteMs],
    ['Wed, 01 Apr 2026 08:00:02 GMT', 5 * secondMs],
    ['Wed, 01 Apr 2026 08:00:00 GMT', 5 * secondMs],
    ['Tue, 31 Mar 2026 08:00:00 GMT', 5 * secondMs],
    ['Thu, 01 Apr 2027 08:00:00 GMT', 24 * hourMs],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * hourMs],
  ])('with the value %s after the first attempt leads to a wait of %d ms', (retryAfter, wait) => {
    expect(waitAfter(1, 503, retryAfter)).toBe(wait);
    expect(waitAfter(1, 429, retryAfter)).toBe(wait);
    expect(waitAfter(1, 404, retryAfter)).toBe(wait);
  });

  // `Date.parse` would read some of these values as a date.
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
  ])('with the value %j is ignored', (retryAfter) => {
    expect(waitAfter(1, 503, retryAfter)).toBe(5 * secondMs);
    expect(waitAfter(7, 503, retryAfter)).toBe(10 * hourMs);
  });

  it('is read in GMT, whatever the time zone of the machine', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(now).getHours()).toBe(4);
    expect(waitAfter(1, 503, 'Wed, 01 Apr 2026 08:10:00 GMT')).toBe(10 * minuteMs);
    expect(waitAfter(1, 503, 'Wed Apr  1 08:10:00 2026')).toBe(10 * minuteMs);
  });

  it("as a date is relative to the response's Date header, since the account's clock may differ from the receiver's", () => {
    const retryAfter = 'Wed, 01 Apr 2020 00:10:00 GMT';
    const attemptAt = (date: string) => nextAttemptAt(1, { status: 503, retryAfter, date }, defaultProfile, now);
    expect(attemptAt('Wed, 01 Apr 2020 00:00:00 GMT')).toBe(now + 10 * minuteMs);
    expect(attemptAt('Wed, 01 Apr 2020 00:20:00 GMT')).toBe(now + 5 * secondMs);
    expect(attemptAt('yesterday')).toBe(now + 5 * secondMs);
  });

  it('does not shorten the planned wait', () => {
    expect(waitAfter(2, 503, '60')).toBe(5 * minuteMs);
    expect(waitAfter(2, 503, '301')).toBe(301 * secondMs);
    expect(waitAfter(7, 503, '3600')).toBe(10 * hourMs);
  });

  it('is ignored on a success', () => {
    expect(waitAfter(1, 200, '60')).toBeUndefined();
    expect(waitAfter(1, 299, '60')).toBeUndefined();
  });

  it('with any value leads to a wait between the planned wait and a day', () => {
    const retryAfterValues = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), retryAfterValues, (attempt, retryAfter) => {
        const wait = waitAfter(attempt, 503, retryAfter) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(retryPlan[attempt - 1]?.[1] ?? Number.NaN);
        expect(wait).toBeLessThanOrEqual(24 * hourMs);
      }),
    );
  });
});

describe('an email that could not be sent', () => {
  it.each(retryPlan)('is sent again after attempt %d with a wait of %d ms', (attempt, wait) => {
    expect(nextMailAttemptAt(attempt, now)).toBe(now + wait);
  });

  it('is not sent again after the eighth attempt', () => {
    expect(nextMailAttemptAt(8, now)).toBeUndefined();
  });
});
