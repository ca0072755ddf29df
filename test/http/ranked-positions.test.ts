import { expect, test } from 'vitest';
import { rankedPositions } from '../../src/http/dashboard/data/ranked-positions.js';

/** Lists of numbers, most of them in orders that are hard for a partial sort. */
const lists: Readonly<Record<string, readonly number[]>> = {
  empty: [],
  single: [5],
  ascending: Array.from({ length: 1_000 }, (_, index) => index),
  descending: Array.from({ length: 1_000 }, (_, index) => -index),
  equal: Array.from({ length: 1_000 }, () => 7),
  'with few different values': Array.from({ length: 1_000 }, (_, index) => (index * 7_919) % 5),
  mixed: Array.from({ length: 1_000 }, (_, index) => (index * 7_919) % 1_009),
  'up and down': Array.from({ length: 1_000 }, (_, index) => Math.min(index, 1_000 - index)),
};

test.each(Object.keys(lists))(
  'finding a page of a sorted list of up to 1,000 numbers takes under 12,000 comparisons: %s',
  (name) => {
    const numbers = lists[name] ?? [];
    let comparisons = 0;
    const compare = (a: number, b: number): number => {
      comparisons += 1;
      return (numbers[a] ?? 0) - (numbers[b] ?? 0) || b - a;
    };
    const sortedPositions = numbers.map((_, index) => index).sort(compare);
    for (const [from, to] of [
      [0, 25],
      [25, 50],
      [487, 512],
      [975, 1_000],
      [990, 1_015],
      [2_000, 2_025],
    ] as const) {
      comparisons = 0;
      expect(rankedPositions(numbers.length, compare, from, to)).toEqual(sortedPositions.slice(from, to));
      // Sorting the whole list takes up to 10,000 comparisons, a partial sort in quadratic time up to 500,000.
      expect(comparisons).toBeLessThan(12_000);
    }
  },
);
