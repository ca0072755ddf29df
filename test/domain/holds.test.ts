import { describe, expect, test } from 'vitest';
import { endOfTime } from '../../src/domain/dates.js';
import type { Effect } from '../../src/domain/faults.js';
import { holdOf } from '../../src/domain/holds.js';

const now = Date.parse('2026-04-01T08:00:00Z');
const second = 1_000;

/** Delay of a message that is created a number of milliseconds after its fault was added. */
function hold(effects: readonly Effect[], age = 0) {
  const { from, within } = holdOf([{ effects, created_at: new Date(now - age).toISOString() }], now);
  return [(from - now) / second, within / second];
}

const delay: Effect = { name: 'delay', by: '5m' };
const burst: Effect = { name: 'burst', every: '10s' };
const reorder: Effect = { name: 'reorder' };

describe('a message is held', () => {
  test.each<[string, readonly Effect[], number, readonly number[]]>([
    ['by nothing', [{ name: 'duplicate' }], 0, [0, 0]],
    ['by a delay', [delay], 0, [300, 0]],
    ['by two delays, one after the other', [delay, { name: 'delay', by: '1s' }], 0, [301, 0]],
    ['by a burst, until its interval ends', [burst], 4_000, [6, 0]],
    ['by a burst, of which an interval ends just now, until the next', [burst], 20_000, [10, 0]],
    ['by a burst that was added just now', [burst], 0, [10, 0]],
    ['by a delay and then a burst', [burst, delay], 4_000, [306, 0]],
    ['by reordering', [reorder], 0, [0, 2]],
    ['by reordering, as long as it says', [{ ...reorder, within: '1h' }], 0, [0, 3_600]],
    ['by two reorderings, the longer of both', [reorder, { ...reorder, within: '3s' }], 0, [0, 3]],
    ['by all of them', [reorder, burst, delay], 4_000, [306, 2]],
  ])('%s', (_what, effects, age, expected) => {
    expect(hold(effects, age)).toEqual(expected);
  });

  test('no longer than clocks go', () => {
    const effects: Effect[] = [{ name: 'delay', by: '365250d' }, reorder];
    expect(holdOf([{ effects, created_at: '8999-12-31T00:00:00.000Z' }], endOfTime - 1)).toEqual({
      from: endOfTime,
      within: 0,
    });
  });

  test('never by an option that is no duration', () => {
    expect(() => hold([{ name: 'delay', by: 'soon' }])).toThrow('the option by of the effect delay is not a duration');
  });
});
