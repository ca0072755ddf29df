import { expect, test } from 'vitest';
import { RateLimitClock } from '../../src/domain/rate-window.js';

// The rate-limit clock advances with the account clock or the machine clock, whichever advances more. A client that
// waits in real time is therefore allowed again even if the account clock is frozen.

/**
 * Returns the time on the rate-limit clock after each reading of the account clock and the machine clock. All clocks
 * start at 0, and all times are in seconds.
 */
function rateClockTimes(readings: readonly (readonly [account: number, machine: number])[]): number[] {
  const clock = new RateLimitClock(0, 0);
  return readings.map(([account, machine]) => clock.moveTo(account * 1_000, machine * 1_000) / 1_000);
}

const testCases: readonly { title: string; readings: [account: number, machine: number][]; expectedTimes: number[] }[] =
  [
    {
      title: 'follows the account clock if it runs in real time',
      readings: [
        [0.5, 0.5],
        [61, 61],
        [200, 200],
      ],
      expectedTimes: [0.5, 61, 200],
    },
    {
      title: 'follows the account clock if it is advanced',
      readings: [
        [60, 0],
        [3_600, 1],
        [3_600, 2],
      ],
      expectedTimes: [60, 3_600, 3_600],
    },
    {
      title: 'does not move within the first minute of real time if the account clock is frozen',
      readings: [
        [0, 1],
        [0, 59.999],
      ],
      expectedTimes: [0, 0],
    },
    {
      title: 'advances by whole minutes of real time if the account clock is frozen',
      readings: [
        [0, 60],
        [0, 119],
        [0, 121],
      ],
      expectedTimes: [60, 60, 120],
    },
    {
      title: 'does not count the same time on both clocks twice',
      readings: [
        [0, 50],
        [50, 50],
        [50, 109],
        [50, 110],
      ],
      expectedTimes: [0, 50, 50, 110],
    },
    {
      title: 'also counts the incomplete minute of real time before a frozen account clock was resumed',
      readings: [
        [0, 90],
        [30, 120],
        [90, 180],
      ],
      expectedTimes: [60, 120, 180],
    },
    {
      title: 'does not go back if a restored snapshot set the account clock back',
      readings: [
        [100, 100],
        [40, 100],
        [50, 110],
      ],
      expectedTimes: [100, 100, 110],
    },
    {
      title: 'does not go back if the machine clock was set back',
      readings: [
        [0, -50],
        [10, -40],
      ],
      expectedTimes: [0, 10],
    },
  ];

test.each(testCases.map((testCase) => [testCase.title, testCase] as const))(
  'the rate-limit clock %s',
  (_title, { readings, expectedTimes }) => {
    expect(rateClockTimes(readings)).toEqual(expectedTimes);
  },
);

test('the rate-limit clock counts an incomplete minute of real time only if it then reaches the end of a window', () => {
  const clock = new RateLimitClock(0, 0);
  expect(clock.moveTo(30_000, 0)).toBe(30_000);
  expect([clock.reach(60_000, 29_999), clock.moveTo(30_000, 29_999)]).toEqual([false, 30_000]);
  expect([clock.reach(60_000, 30_000), clock.moveTo(30_000, 30_000)]).toEqual([true, 60_000]);
  // The next whole minute begins there.
  expect([clock.moveTo(30_000, 89_999), clock.moveTo(30_000, 90_000)]).toEqual([60_000, 120_000]);
});
