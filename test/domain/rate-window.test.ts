import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRequest, countUnlimited, type RateState, type RateVerdict } from '../../src/domain/rate-window.js';
import { resolveProfile } from '../../src/openapi/profile.js';

const minute = 60_000;
const standard = 60;
const burst = 100;
const bursts = ['after-calm', 'never', 'always'] as const;

interface RequestVerdict extends RateVerdict {
  /** Time of the request, in milliseconds. */
  readonly at: number;
}

/** Returns the verdicts on requests at these times. */
function verdictsOn(window: string, choice: string, times: readonly number[]): RequestVerdict[] {
  const profile = resolveProfile({ 'rate.window': window, 'rate.burst': choice });
  let state: RateState | undefined;
  return times.map((at) => {
    const counted = countRequest(state, profile, at);
    state = counted.state;
    return { at, ...counted.verdict };
  });
}

/** Times of groups of requests, with pauses between them that are often close to the length of a window. */
const times = fc
  .array(
    fc.record({
      pause: fc.oneof(
        fc.constantFrom(0, 1, minute - 1, minute, minute + 1, 2 * minute),
        fc.integer({ min: 0, max: 2 * minute }),
      ),
      apart: fc.constantFrom(0, 1, 500, 1000),
      requests: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 50, max: 130 })),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((groups) => {
    let now = Date.parse('2026-04-01T08:00:00Z');
    return groups.flatMap(({ pause, apart, requests }) => {
      now += pause;
      return Array.from({ length: requests }, (_, index) => {
        if (index > 0) now += apart;
        return now;
      });
    });
  });

/** Counts the accepted requests after `from` and until `to`. */
const countAllowed = (verdicts: readonly RequestVerdict[], from: number, to: number): number =>
  verdicts.filter(({ isAllowed, at }) => isAllowed && at > from && at <= to).length;

/** Expects a property of every verdict on random requests. */
function expectOfEveryVerdict(
  window: string,
  choice: string,
  holds: (verdict: RequestVerdict, all: readonly RequestVerdict[]) => boolean,
): void {
  fc.assert(
    fc.property(times, (requestTimes) => {
      const verdicts = verdictsOn(window, choice, requestTimes);
      expect(verdicts.filter((verdict) => !holds(verdict, verdicts))).toEqual([]);
    }),
    { numRuns: 40 },
  );
}

describe.each(['fixed', 'sliding', 'bucket'])('a %s window', (window) => {
  describe.each(bursts)('with a burst %s', (choice) => {
    it('has a limit of 60, or 100 for a burst', () => {
      const limits = { never: [standard], always: [burst], 'after-calm': [standard, burst] };
      expectOfEveryVerdict(window, choice, ({ limit }) => limits[choice].includes(limit));
    });

    it('has a reset time in the future, and not later than it takes to recover fully', () => {
      // A bucket that holds a burst of 100, but regains 60 a minute, needs 100 seconds.
      const longestWaitMs = window === 'bucket' && choice === 'after-calm' ? (burst / standard) * minute : minute;
      expectOfEveryVerdict(window, choice, ({ at, resetAt }) => resetAt > at && resetAt <= at + longestWaitMs + 1e-3);
    });

    it('counts Remaining down with every simultaneous request, to 0 and not below', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 130 }), (requests) => {
          const verdicts = verdictsOn(window, choice, Array(requests).fill(1000));
          const limit = choice === 'never' ? standard : burst;
          expect(verdicts.map(({ remaining }) => remaining)).toEqual(
            verdicts.map((_, index) => Math.max(0, limit - 1 - index)),
          );
        }),
      );
    });

    it('refuses requests only if none remain', () => {
      expectOfEveryVerdict(window, choice, ({ isAllowed, remaining }) => isAllowed || remaining === 0);
    });

    it('accepts the first request after its reset', () => {
      fc.assert(
        fc.property(times, (requestTimes) => {
          const { resetAt } = verdictsOn(window, choice, requestTimes).at(-1) ?? { resetAt: 0 };
          expect(verdictsOn(window, choice, [...requestTimes, resetAt]).at(-1)?.isAllowed).toBe(true);
        }),
        { numRuns: 40 },
      );
    });

    it('is full again after two minutes without requests', () => {
      fc.assert(
        fc.property(times, (requestTimes) => {
          const later = (requestTimes.at(-1) ?? 0) + 2 * minute;
          const [first] = verdictsOn(window, choice, [later]);
          expect(verdictsOn(window, choice, [...requestTimes, later]).at(-1)).toEqual(first);
        }),
        { numRuns: 40 },
      );
    });
  });
});

describe('a sliding window', () => {
  it.each(bursts)('accepts exactly its limit in any minute: %s', (choice) => {
    expectOfEveryVerdict('sliding', choice, ({ at, isAllowed, limit }, all) => {
      const inMinute = countAllowed(all, at - minute, at);
      // After a burst ends, the limit is lower than the number of requests already counted.
      return isAllowed ? inMinute <= limit : inMinute >= limit && inMinute <= burst;
    });
  });

  it('grants the burst if the previous minute had at most 60', () => {
    expectOfEveryVerdict('sliding', 'after-calm', ({ at, limit }, all) => {
      const before = countAllowed(all, at - 2 * minute, at - minute);
      return limit === (before <= standard ? burst : standard);
    });
  });

  it('whose burst is over reports when the next request is possible', () => {
    const seconds = (at: number, requests: number): number[] => Array(requests).fill(at * 1000);
    const [refused] = verdictsOn('sliding', 'after-calm', [
      ...seconds(0, 60),
      ...seconds(1, 1),
      ...seconds(60.5, 99),
      ...seconds(60.6, 1),
    ]).slice(-1);
    expect(refused).toMatchObject({ isAllowed: false, resetAt: 120_000 });
  });

  it('has room again a minute after the oldest request in it', () => {
    const early = Array.from({ length: standard }, (_, index) => index * 10);
    const verdicts = verdictsOn('sliding', 'never', [...early, 1000, minute - 1, minute]);
    expect(verdicts.slice(-3).map(({ isAllowed }) => isAllowed)).toEqual([false, false, true]);
  });
});

describe('a fixed window', () => {
  it.each(bursts)('accepts exactly its limit: %s', (choice) => {
    expectOfEveryVerdict('fixed', choice, ({ isAllowed, limit, resetAt }, all) => {
      const inWindow = all.filter((other) => other.resetAt === resetAt && other.isAllowed).length;
      return inWindow <= limit && (isAllowed || inWindow === limit);
    });
  });

  it('lasts a minute from its first request', () => {
    expectOfEveryVerdict('fixed', 'after-calm', ({ resetAt }, all) => {
      const [first, ...others] = all.filter((other) => other.resetAt === resetAt);
      return first?.at === resetAt - minute && others.every(({ at }) => at < resetAt);
    });
  });

  it('grants the burst if the window that ended within the last minute had at most 60', () => {
    expectOfEveryVerdict('fixed', 'after-calm', ({ limit, resetAt }, all) => {
      const starts = [...new Set(all.map((other) => other.resetAt))];
      const previous = starts[starts.indexOf(resetAt) - 1];
      const isRecent = previous !== undefined && resetAt - minute < previous + minute;
      const before = isRecent ? all.filter((other) => other.resetAt === previous && other.isAllowed).length : 0;
      return limit === (before <= standard ? burst : standard);
    });
  });
});

describe('a bucket', () => {
  it.each([
    ['after-calm', burst, standard],
    ['never', standard, standard],
    ['always', burst, burst],
  ] as const)('never accepts more than its capacity and refill: %s', (choice, size, perMinute) => {
    fc.assert(
      fc.property(times, (requestTimes) => {
        const allowedVerdicts = verdictsOn('bucket', choice, requestTimes).filter((verdict) => verdict.isAllowed);
        const times = allowedVerdicts.map(({ at }) => at);
        const excess = times.map((from, first) => {
          const allowedCounts = times.map((to, last) => last - first + 1 - ((to - from) * perMinute) / minute);
          return Math.max(...allowedCounts.slice(first));
        });
        expect(Math.max(0, ...excess)).toBeLessThanOrEqual(size + 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it('that is empty accepts one request per second', () => {
    const empty: number[] = Array(standard + 1).fill(0);
    const verdicts = verdictsOn('bucket', 'never', [...empty, 999, 1000, 1000, 2000]);
    expect(verdicts.slice(-5).map(({ isAllowed }) => isAllowed)).toEqual([false, false, true, false, true]);
  });
});

it.each(['fixed', 'sliding', 'bucket'])(
  'a %s window that refuses nothing counts down to half and starts over',
  (kind) => {
    const profile = resolveProfile({ 'rate.window': kind });
    let state: RateState | undefined;
    const remaining = Array.from({ length: 200 }, () => {
      const counted = countUnlimited(state, profile, 0);
      state = counted.state;
      return counted.verdict.remaining;
    });
    expect([remaining.slice(0, 2), Math.min(...remaining), Math.max(...remaining)]).toEqual([[99, 98], 50, 99]);
  },
);
