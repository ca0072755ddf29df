import { describe, expect, test } from 'vitest';
import { maxClockTimeMs } from '../../src/domain/dates.js';
import type { Effect } from '../../src/domain/faults.js';
import { messageDelayOf } from '../../src/domain/message-delays.js';

const now = Date.parse('2026-04-01T08:00:00Z');
const secondMs = 1_000;
const thousandYears = '365242d';

/** `[delay, wait]` of a message in seconds: its delay, and how long it then waits for the next message to overtake it. */
function delayAndWaitSeconds(effects: readonly Effect[], faultAgeMs = 0) {
  const { from, waitMs } = messageDelayOf([{ effects, created_at: new Date(now - faultAgeMs).toISOString() }], now);
  return [(from - now) / secondMs, waitMs / secondMs];
}

const delay: Effect = { name: 'delay', by: '5m' };
const burst: Effect = { name: 'burst', every: '10s' };
const reorder: Effect = { name: 'reorder' };

describe('a message is delayed', () => {
  // A burst counts its intervals from the creation of its fault, so the age of the fault matters.
  test.each<[title: string, effects: readonly Effect[], faultAgeMs: number, expected: readonly number[]]>([
    ['not at all by other effects', [{ name: 'duplicate' }], 0, [0, 0]],
    ['by a delay', [delay], 0, [300, 0]],
    ['by two delays, one after the other', [delay, { name: 'delay', by: '1s' }], 0, [301, 0]],
    ['by a burst, until its interval ends', [burst], 4_000, [6, 0]],
    ['by a burst whose interval ends now, until the end of the next interval', [burst], 20_000, [10, 0]],
    ['by a burst that was added just now', [burst], 0, [10, 0]],
    // In the other order, it would be delayed by 309 seconds.
    [
      'by a delay and then a burst, even if the burst is listed first',
      [burst, { name: 'delay', by: '303s' }],
      4_000,
      [306, 0],
    ],
    ['by reordering', [reorder], 0, [0, 2]],
    ['by reordering, for as long as its option says', [{ ...reorder, within: '1h' }], 0, [0, 3_600]],
    ['by two reorderings, for the longer of the two times', [reorder, { ...reorder, within: '3s' }], 0, [0, 3]],
    ['by all of them', [reorder, burst, delay], 4_000, [306, 2]],
  ])('%s', (_title, effects, faultAgeMs, expected) => {
    expect(delayAndWaitSeconds(effects, faultAgeMs)).toEqual(expected);
  });

  test('at most until the latest time that the clock can show', () => {
    const effects: Effect[] = [{ name: 'delay', by: thousandYears }, reorder];
    expect(messageDelayOf([{ effects, created_at: new Date(now).toISOString() }], maxClockTimeMs - 1)).toEqual({
      from: maxClockTimeMs,
      waitMs: 0,
    });
  });
});

test('a delay with an invalid duration throws an error', () => {
  expect(() => delayAndWaitSeconds([{ name: 'delay', by: 'soon' }])).toThrow(
    'the option `by` of the effect `delay` is not a duration',
  );
});
