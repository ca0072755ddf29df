import { expect, test } from 'vitest';
import { RateClock } from '../../src/domain/rate-window.js';

/**
 * Moves a rate clock through a series of steps. Each step is the time on the account's and the machine's clock.
 * @returns the time on the rate clock after each step; all times are in seconds
 */
function rateClockTimes(steps: readonly (readonly [account: number, machine: number])[]): number[] {
  const clock = new RateClock(0, 0);
  return steps.map(([account, machine]) => clock.moveTo(account * 1_000, machine * 1_000) / 1_000);
}

test.each<{ name: string; steps: [number, number][]; seen: number[] }>([
  {
    name: 'goes with a real clock',
    steps: [
      [0.5, 0.5],
      [61, 61],
      [200, 200],
    ],
    seen: [0.5, 61, 200],
  },
  {
    name: 'goes with a clock that is advanced',
    steps: [
      [60, 0],
      [3_600, 1],
      [3_600, 2],
    ],
    seen: [60, 3_600, 3_600],
  },
  {
    name: 'does not move with a frozen clock for less than a minute',
    steps: [
      [0, 1],
      [0, 59.999],
    ],
    seen: [0, 0],
  },
  {
    name: 'advances by whole minutes of the machine under a frozen clock',
    steps: [
      [0, 60],
      [0, 119],
      [0, 121],
    ],
    seen: [60, 60, 120],
  },
  {
    name: 'counts no second of the two clocks twice',
    steps: [
      [0, 50],
      [50, 50],
      [50, 109],
      [50, 110],
    ],
    seen: [0, 50, 50, 110],
  },
  {
    name: 'continues from where it is when a frozen clock is resumed',
    steps: [
      [0, 90],
      [30, 120],
      [90, 180],
    ],
    seen: [60, 120, 180],
  },
  {
    name: 'does not go back with a clock that was set back',
    steps: [
      [100, 100],
      [40, 100],
      [50, 110],
    ],
    seen: [100, 100, 110],
  },
  {
    name: 'does not go back with the clock of the machine',
    steps: [
      [0, -50],
      [10, -40],
    ],
    seen: [0, 10],
  },
])('$name', ({ steps, seen }) => {
  expect(rateClockTimes(steps)).toEqual(seen);
});
