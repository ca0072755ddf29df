import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRequest, countUnlimited, type RateState, type RateVerdict } from '../../src/domain/rate-window.js';
import { resolveProfile } from '../../src/openapi/profile.js';

const minute = 60_000;
const standard = 60;
const burst = 100;
const bursts = ['after-calm', 'never', 'always'] as const;

interface Counted extends RateVerdict {
  /** When it was asked, in milliseconds. */
  readonly at: number;
}

/** The verdicts on requests at these times. */
function count(window: string, choice: string, times: readonly number[]): Counted[] {
  const profile = resolveProfile({ 'rate.window': window, 'rate.burst': choice });
  let state: RateState | undefined;
  return times.map((at) => {
    const counted = countRequest(state, profile, at);
    state = counted.state;
    return { at, ...counted.verdict };
  });
}

/** Crowds of requests with pauses between them, which are often near the length of a window. */
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
  .map((crowds) => {
    let now = Date.parse('2026-04-01T08:00:00Z');
    return crowds.flatMap(({ pause, apart, requests }) => {
      now += pause;
      return Array.from({ length: requests }, (_, index) => {
        if (index > 0) now += apart;
        return now;
      });
    });
  });

const passed = (verdicts: readonly Counted[], from: number, to: number): number =>
  verdicts.filter(({ allowed, at }) => allowed && at > from && at <= to).length;

/** Something holds of every verdict, whatever the requests. */
function always(window: string, choice: string, holds: (verdict: Counted, all: readonly Counted[]) => boolean): void {
  fc.assert(
    fc.property(times, (moments) => {
      const verdicts = count(window, choice, moments);
      expect(verdicts.filter((verdict) => !holds(verdict, verdicts))).toEqual([]);
    }),
    { numRuns: 40 },
  );
}

describe.each(['fixed', 'sliding', 'bucket'])('a %s window', (window) => {
  describe.each(bursts)('with a burst %s', (choice) => {
    it('announces 60, or 100 for a burst', () => {
      const limits = { never: [standard], always: [burst], 'after-calm': [standard, burst] };
      always(window, choice, ({ limit }) => limits[choice].includes(limit));
    });

    it('resets in the future, at the latest when it would be whole again', () => {
      // A bucket that holds a burst of 100, but regains 60 a minute, needs 100 seconds.
      const longest = window === 'bucket' && choice === 'after-calm' ? (burst / standard) * minute : minute;
      always(window, choice, ({ at, resetAt }) => resetAt > at && resetAt <= at + longest + 1e-3);
    });

    it('counts Remaining down with every simultaneous request, to 0 and not below', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 130 }), (requests) => {
          const verdicts = count(window, choice, Array(requests).fill(1000));
          const limit = choice === 'never' ? standard : burst;
          expect(verdicts.map(({ remaining }) => remaining)).toEqual(
            verdicts.map((_, index) => Math.max(0, limit - 1 - index)),
          );
        }),
      );
    });

    it('refuses only when nothing remains, and then says so', () => {
      always(window, choice, ({ allowed, remaining }) => allowed || remaining === 0);
    });

    it('accepts the first request after its reset', () => {
      fc.assert(
        fc.property(times, (moments) => {
          const { resetAt } = count(window, choice, moments).at(-1) ?? { resetAt: 0 };
          expect(count(window, choice, [...moments, resetAt]).at(-1)?.allowed).toBe(true);
        }),
        { numRuns: 40 },
      );
    });

    it('is full again after two minutes without requests', () => {
      fc.assert(
        fc.property(times, (moments) => {
          const later = (moments.at(-1) ?? 0) + 2 * minute;
          const [first] = count(window, choice, [later]);
          expect(count(window, choice, [...moments, later]).at(-1)).toEqual(first);
        }),
        { numRuns: 40 },
      );
    });
  });
});

describe('a sliding window', () => {
  it.each(bursts)('accepts exactly its limit in any minute: %s', (choice) => {
    always('sliding', choice, ({ at, allowed, limit }, all) => {
      const inMinute = passed(all, at - minute, at);
      // After a burst ends, the limit is lower than the number of requests already counted.
      return allowed ? inMinute <= limit : inMinute >= limit && inMinute <= burst;
    });
  });

  it('grants the burst if the previous minute had at most 60', () => {
    always('sliding', 'after-calm', ({ at, limit }, all) => {
      const before = passed(all, at - 2 * minute, at - minute);
      return limit === (before <= standard ? burst : standard);
    });
  });

  it('whose burst is over announces when the next request is possible', () => {
    const seconds = (at: number, requests: number): number[] => Array(requests).fill(at * 1000);
    const [refused] = count('sliding', 'after-calm', [
      ...seconds(0, 60),
      ...seconds(1, 1),
      ...seconds(60.5, 99),
      ...seconds(60.6, 1),
    ]).slice(-1);
    expect(refused).toMatchObject({ allowed: false, resetAt: 120_000 });
  });

  it('has room again a minute after the oldest request in it', () => {
    const early = Array.from({ length: standard }, (_, index) => index * 10);
    const verdicts = count('sliding', 'never', [...early, 1000, minute - 1, minute]);
    expect(verdicts.slice(-3).map(({ allowed }) => allowed)).toEqual([false, false, true]);
  });
});

describe('a fixed window', () => {
  it.each(bursts)('accepts exactly its limit: %s', (choice) => {
    always('fixed', choice, ({ allowed, limit, resetAt }, all) => {
      const inWindow = all.filter((other) => other.resetAt === resetAt && other.allowed).length;
      return inWindow <= limit && (allowed || inWindow === limit);
    });
  });

  it('lasts a minute from its first request', () => {
    always('fixed', 'after-calm', ({ resetAt }, all) => {
      const [first, ...others] = all.filter((other) => other.resetAt === resetAt);
      return first?.at === resetAt - minute && others.every(({ at }) => at < resetAt);
    });
  });

  it('grants the burst if the window that ended within the last minute had at most 60', () => {
    always('fixed', 'after-calm', ({ limit, resetAt }, all) => {
      const starts = [...new Set(all.map((other) => other.resetAt))];
      const previous = starts[starts.indexOf(resetAt) - 1];
      const recent = previous !== undefined && resetAt - minute < previous + minute;
      const before = recent ? all.filter((other) => other.resetAt === previous && other.allowed).length : 0;
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
      fc.property(times, (moments) => {
        const allowed = count('bucket', choice, moments).filter((verdict) => verdict.allowed);
        const times = allowed.map(({ at }) => at);
        const excess = times.map((from, first) => {
          const most = times.map((to, last) => last - first + 1 - ((to - from) * perMinute) / minute);
          return Math.max(...most.slice(first));
        });
        expect(Math.max(0, ...excess)).toBeLessThanOrEqual(size + 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it('that is empty accepts one request per second', () => {
    const empty: number[] = Array(standard + 1).fill(0);
    const verdicts = count('bucket', 'never', [...empty, 999, 1000, 1000, 2000]);
    expect(verdicts.slice(-5).map(({ allowed }) => allowed)).toEqual([false, false, true, false, true]);
  });
});

it.each(['fixed', 'sliding', 'bucket'])(
  'a %s window that refuses nothing counts down to half and starts over',
  (kind) => {
    const profile = resolveProfile({ 'rate.window': kind });
    let state: RateState | undefined;
    const left = Array.from({ length: 200 }, () => {
      const counted = countUnlimited(state, profile, 0);
      state = counted.state;
      return counted.verdict.remaining;
    });
    expect([left.slice(0, 2), Math.min(...left), Math.max(...left)]).toEqual([[99, 98], 50, 99]);
  },
);
