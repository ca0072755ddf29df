import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countRequest,
  countUnlimited,
  currentWindow,
  type RateReport,
  type RateState,
} from '../../src/domain/rate-window.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { sampledRunsUnlessFull } from '../support/sample.js';

const minuteMs = 60_000;
const standardLimit = 60;
const burstLimit = 100;
/** The choices of gap rate.burst. */
const burstChoices = ['after-calm', 'never', 'always'] as const;
/** Enough random sequences, since each may have hundreds of requests. */
const numRuns = sampledRunsUnlessFull(40, { oneIn: 4 });

interface RequestReport extends RateReport {
  /** Time of the request, in milliseconds. */
  readonly at: number;
}

/** Returns the reports on requests at these times. */
function reportsOn(window: string, choice: string, times: readonly number[]): RequestReport[] {
  const profile = resolveProfile({ 'rate.window': window, 'rate.burst': choice });
  let state: RateState | undefined;
  return times.map((at) => {
    const counted = countRequest(state, profile, at);
    state = counted.state;
    return { at, ...counted.report };
  });
}

/** Random times of groups of requests. The pauses between groups are often close to the length of a window. */
const anyTimes = fc
  .array(
    fc.record({
      pauseMs: fc.oneof(
        fc.constantFrom(0, 1, minuteMs - 1, minuteMs, minuteMs + 1, 2 * minuteMs),
        fc.integer({ min: 0, max: 2 * minuteMs }),
      ),
      intervalMs: fc.constantFrom(0, 1, 500, 1000),
      count: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 50, max: 130 })),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((groups) => {
    let now = Date.parse('2026-04-01T08:00:00Z');
    return groups.flatMap(({ pauseMs, intervalMs, count }) => {
      now += pauseMs;
      return Array.from({ length: count }, (_, index) => {
        if (index > 0) now += intervalMs;
        return now;
      });
    });
  });

/** Counts the allowed requests after `from` and until `to`. */
const countAllowed = (reports: readonly RequestReport[], from: number, to: number): number =>
  reports.filter(({ isAllowed, at }) => isAllowed && at > from && at <= to).length;

/** Expects that a condition holds for every report on requests at random times. */
function expectForEveryReport(
  window: string,
  choice: string,
  holds: (report: RequestReport, all: readonly RequestReport[]) => boolean,
): void {
  fc.assert(
    fc.property(anyTimes, (requestTimes) => {
      const reports = reportsOn(window, choice, requestTimes);
      expect(reports.filter((report) => !holds(report, reports))).toEqual([]);
    }),
    { numRuns },
  );
}

describe.each(['fixed', 'sliding', 'bucket'])('a window under rate.window: %s', (window) => {
  describe.each(burstChoices)('and rate.burst: %s', (choice) => {
    it('has a limit of 60, or of 100 where a burst is allowed', () => {
      const limits = { never: [standardLimit], always: [burstLimit], 'after-calm': [standardLimit, burstLimit] };
      expectForEveryReport(window, choice, ({ limit }) => limits[choice].includes(limit));
    });

    it('has a reset time in the future, at most as far away as a full recovery takes', () => {
      // A bucket that holds a burst of 100, but regains 60 a minute, needs 100 seconds.
      const longestWaitMs =
        window === 'bucket' && choice === 'after-calm' ? (burstLimit / standardLimit) * minuteMs : minuteMs;
      expectForEveryReport(window, choice, ({ at, resetAt }) => resetAt > at && resetAt <= at + longestWaitMs);
    });

    it('counts the remaining requests down to 0 and not below, even if requests are simultaneous', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 130 }), (requests) => {
          const reports = reportsOn(window, choice, Array(requests).fill(1000));
          const limit = choice === 'never' ? standardLimit : burstLimit;
          expect(reports.map(({ remaining }) => remaining)).toEqual(
            reports.map((_, index) => Math.max(0, limit - 1 - index)),
          );
        }),
      );
    });

    it('refuses a request only if none remain', () => {
      expectForEveryReport(window, choice, ({ isAllowed, remaining }) => isAllowed || remaining === 0);
    });

    it('allows the first request after its reset', () => {
      fc.assert(
        fc.property(anyTimes, (requestTimes) => {
          const { resetAt } = reportsOn(window, choice, requestTimes).at(-1) ?? { resetAt: 0 };
          expect(reportsOn(window, choice, [...requestTimes, resetAt]).at(-1)?.isAllowed).toBe(true);
        }),
        { numRuns },
      );
    });

    it('allows a request at the `allowedAt` that it reports', () => {
      fc.assert(
        fc.property(anyTimes, (requestTimes) => {
          const { allowedAt } = reportsOn(window, choice, requestTimes).at(-1) ?? { allowedAt: 0 };
          expect(reportsOn(window, choice, [...requestTimes, allowedAt]).at(-1)?.isAllowed).toBe(true);
        }),
        { numRuns },
      );
    });

    it('has its full limit again after two minutes without requests', () => {
      fc.assert(
        fc.property(anyTimes, (requestTimes) => {
          const afterPause = (requestTimes.at(-1) ?? 0) + 2 * minuteMs;
          const [first] = reportsOn(window, choice, [afterPause]);
          expect(reportsOn(window, choice, [...requestTimes, afterPause]).at(-1)).toEqual(first);
        }),
        { numRuns },
      );
    });
  });
});

describe('a sliding window', () => {
  const requestsAt = (second: number, count: number): number[] => Array(count).fill(second * 1000);

  it.each(burstChoices)('allows exactly its limit in any minute under rate.burst: %s', (choice) => {
    expectForEveryReport('sliding', choice, ({ at, isAllowed, limit }, all) => {
      const inMinute = countAllowed(all, at - minuteMs, at);
      // After a burst ends, the limit is lower than the number of requests already counted.
      return isAllowed ? inMinute <= limit : inMinute >= limit && inMinute <= burstLimit;
    });
  });

  it('allows a burst if the previous minute had at most 60 requests', () => {
    expectForEveryReport('sliding', 'after-calm', ({ at, limit }, all) => {
      const previousCount = countAllowed(all, at - 2 * minuteMs, at - minuteMs);
      return limit === (previousCount <= standardLimit ? burstLimit : standardLimit);
    });
  });

  it('after a burst, reports when the next request will be allowed', () => {
    // At 61 s the previous minute has 61 requests, so the limit drops to 60. At 120 s the first 60 no longer count.
    const [refused] = reportsOn('sliding', 'after-calm', [
      ...requestsAt(0, 60),
      ...requestsAt(1, 1),
      ...requestsAt(60.5, 99),
      ...requestsAt(60.6, 1),
    ]).slice(-1);
    expect(refused).toMatchObject({ isAllowed: false, resetAt: 120_000 });
  });

  it('reports a reset at which the next request is allowed, even if requests remain and the limit drops before it', () => {
    const burst = [...requestsAt(0, 60), ...requestsAt(50, 1), ...requestsAt(70, 70)];
    // At 110 s the burst is over, and 70 of 60 requests are used; at 120 s the first 60 no longer matter.
    expect(reportsOn('sliding', 'after-calm', burst).at(-1)).toMatchObject({ remaining: 29, resetAt: 120_000 });
    expect(reportsOn('sliding', 'after-calm', [...burst, 110_000]).at(-1)).toMatchObject({ isAllowed: false });
    expect(reportsOn('sliding', 'after-calm', [...burst, 120_000]).at(-1)).toMatchObject({ isAllowed: true });
  });

  it.each(burstChoices)('reports the first reset that a search of all times finds under rate.burst: %s', (choice) => {
    const profile = resolveProfile({ 'rate.window': 'sliding', 'rate.burst': choice });
    const limitAfter = (previousCount: number): number =>
      choice === 'always' || (choice === 'after-calm' && previousCount <= standardLimit) ? burstLimit : standardLimit;
    const searchedReset = ({ hits, used, limit, startedAt }: RateState, now: number): number => {
      const oldestExpiresAt = startedAt + minuteMs;
      if (choice !== 'after-calm') return oldestExpiresAt;
      const earliest = used + 1 <= limit ? oldestExpiresAt : now + 1;
      const countAfter = (time: number): number => hits.filter((hit) => hit > time).length;
      const expiryTimes = [oldestExpiresAt, ...hits.flatMap((hit) => [hit + minuteMs, hit + 2 * minuteMs])];
      const resetAt = expiryTimes
        .filter((at) => at >= earliest)
        .sort((a, b) => a - b)
        .find((at) => {
          const usedAt = countAfter(at - minuteMs);
          return usedAt + 1 <= limitAfter(countAfter(at - 2 * minuteMs) - usedAt);
        });
      return resetAt ?? oldestExpiresAt;
    };
    /** The window at a time, without a request. */
    const windowAt = ({ hits }: RateState, now: number): RateState => {
      const recentHits = hits.filter((hit) => hit > now - 2 * minuteMs);
      const previousCount = recentHits.filter((hit) => hit <= now - minuteMs).length;
      const used = recentHits.length - previousCount;
      return { startedAt: recentHits[previousCount] ?? now, used, limit: limitAfter(previousCount), hits: recentHits };
    };
    fc.assert(
      fc.property(anyTimes, fc.integer({ min: 0, max: 2 * minuteMs }), (requestTimes, pauseMs) => {
        let state: RateState | undefined;
        for (const now of requestTimes) {
          const counted = countRequest(state, profile, now);
          state = counted.state;
          expect(counted.report.resetAt).toBe(searchedReset(counted.state, now));
          const later = now + pauseMs;
          expect(currentWindow(state, profile, later).resetAt).toBe(searchedReset(windowAt(state, later), later));
        }
      }),
      { numRuns },
    );
  });

  it('allows another request a minute after its oldest request', () => {
    const firstRequests = Array.from({ length: standardLimit }, (_, index) => index * 10);
    const reports = reportsOn('sliding', 'never', [...firstRequests, 1000, minuteMs - 1, minuteMs]);
    expect(reports.slice(-3).map(({ isAllowed }) => isAllowed)).toEqual([false, false, true]);
  });
});

describe('a fixed window', () => {
  it.each(burstChoices)('allows exactly its limit under rate.burst: %s', (choice) => {
    expectForEveryReport('fixed', choice, ({ isAllowed, limit, resetAt }, all) => {
      const inWindow = all.filter((other) => other.resetAt === resetAt && other.isAllowed).length;
      return inWindow <= limit && (isAllowed || inWindow === limit);
    });
  });

  it('lasts a minute from its first request', () => {
    expectForEveryReport('fixed', 'after-calm', ({ resetAt }, all) => {
      const [first, ...others] = all.filter((other) => other.resetAt === resetAt);
      return first?.at === resetAt - minuteMs && others.every(({ at }) => at < resetAt);
    });
  });

  it('allows a burst if the window that ended within the last minute had at most 60 requests', () => {
    expectForEveryReport('fixed', 'after-calm', ({ limit, resetAt }, all) => {
      const resetTimes = [...new Set(all.map((other) => other.resetAt))];
      const previousReset = resetTimes[resetTimes.indexOf(resetAt) - 1];
      const isRecent = previousReset !== undefined && resetAt - minuteMs < previousReset + minuteMs;
      const previousCount = isRecent
        ? all.filter((other) => other.resetAt === previousReset && other.isAllowed).length
        : 0;
      return limit === (previousCount <= standardLimit ? burstLimit : standardLimit);
    });
  });
});

describe('a bucket', () => {
  it.each([
    ['after-calm', burstLimit, standardLimit],
    ['never', standardLimit, standardLimit],
    ['always', burstLimit, burstLimit],
  ] as const)(
    'never allows more requests than its size plus its refill under rate.burst: %s',
    (choice, size, refillPerMinute) => {
      fc.assert(
        fc.property(anyTimes, (requestTimes) => {
          const allowedReports = reportsOn('bucket', choice, requestTimes).filter((report) => report.isAllowed);
          const allowedTimes = allowedReports.map(({ at }) => at);
          const largestCounts = allowedTimes.map((from, first) => {
            // The requests from one time to another, less the refill in between, must fit into a full bucket.
            const countsMinusRefill = allowedTimes.map(
              (to, last) => last - first + 1 - ((to - from) * refillPerMinute) / minuteMs,
            );
            return Math.max(...countsMinusRefill.slice(first));
          });
          const roundingError = 1e-6;
          expect(Math.max(0, ...largestCounts)).toBeLessThanOrEqual(size + roundingError);
        }),
        { numRuns },
      );
    },
  );

  it('that is used up allows one request a second', () => {
    const simultaneousRequests: number[] = Array(standardLimit + 1).fill(0);
    const reports = reportsOn('bucket', 'never', [...simultaneousRequests, 999, 1000, 1000, 2000]);
    expect(reports.slice(-5).map(({ isAllowed }) => isAllowed)).toEqual([false, false, true, false, true]);
    expect(reports.at(-4)).toMatchObject({ isAllowed: false, allowedAt: 1000, resetAt: 60_000 });
  });
});

// With the rate limit off, the headers count down as usual, but never get close to 0, where clients would slow down.
it.each(['fixed', 'sliding', 'bucket'])(
  'a window under rate.window: %s that is not limited counts down to half and starts again',
  (window) => {
    const profile = resolveProfile({ 'rate.window': window });
    let state: RateState | undefined;
    const remaining = Array.from({ length: 200 }, () => {
      const counted = countUnlimited(state, profile, 0);
      state = counted.state;
      return counted.report.remaining;
    });
    const half = burstLimit / 2;
    expect(remaining).toEqual(remaining.map((_, index) => burstLimit - 1 - (index % half)));
  },
);
