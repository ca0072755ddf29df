import { expect, test } from 'vitest';
import { Table } from '../../src/simulation/state/table.js';

interface Row {
  readonly id: number;
  readonly created_at: string;
}

/** Returns a time on the given day in March. */
const march = (day: number): string => `2026-03-0${day}T09:00:00.000Z`;

/** Creates a table of rows that were created on these days in March; their ids start at 1. */
function tableOf(...days: readonly number[]): Table<Row> {
  const table = new Table<Row>();
  for (const [index, day] of days.entries()) table.put({ id: index + 1, created_at: march(day) });
  return table;
}

test.each([
  [
    [1, 2, 3],
    [0, 1, 2],
  ],
  [
    [3, 1, 2],
    [1, 2, 0],
  ],
  [
    [2, 2, 1, 2],
    [2, 0, 1, 3],
  ],
  [[], []],
])(
  'if rows are created on the days %j, the positions of the rows from earliest to latest are %j',
  (days, positions) => {
    expect(tableOf(...days).rowPositionsInTimeOrder()).toEqual(positions);
  },
);

test('the order is updated when a row is added or replaced, or its addition is undone', () => {
  const table = tableOf(2, 3);
  // Builds the order, so that the changes below update it.
  table.rowPositionsInTimeOrder();
  table.put({ id: 3, created_at: march(4) });
  expect(table.rowPositionsInTimeOrder()).toEqual([0, 1, 2]);
  table.put({ id: 2, created_at: march(3) });
  expect(table.rowPositionsInTimeOrder()).toEqual([0, 1, 2]);
  const earliest = { id: 4, created_at: march(1) };
  table.put(earliest);
  expect(table.rowPositionsInTimeOrder()).toEqual([3, 0, 1, 2]);
  table.undoPut(earliest, undefined);
  table.put({ id: 5, created_at: march(2) });
  expect(table.rowPositionsInTimeOrder()).toEqual([0, 3, 1, 2]);
});
