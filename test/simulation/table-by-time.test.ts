import { expect, test } from 'vitest';
import { Table } from '../../src/simulation/state/table.js';

interface Row {
  readonly id: number;
  readonly at: string;
}

const timeOf = ({ at }: Row): string => at;

/** Returns a time on this day of a month. */
const day = (number: number): string => `2026-03-0${number}T09:00:00.000Z`;

/** Creates a table of rows with these days as times; their ids count from 1. */
function tableOf(...days: readonly number[]): Table<Row> {
  const table = new Table<Row>();
  for (const [index, number] of days.entries()) table.put({ id: index + 1, at: day(number) });
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
])('rows of the days %j are in the order of the positions %j', (days, positions) => {
  expect(tableOf(...days).positionsByTime(timeOf)).toEqual(positions);
});

test('the order is updated when rows are added, changed or undone', () => {
  const table = tableOf(2, 3);
  table.positionsByTime(timeOf);
  table.put({ id: 3, at: day(4) });
  expect(table.positionsByTime(timeOf)).toEqual([0, 1, 2]);
  const early = { id: 4, at: day(1) };
  table.put(early);
  expect(table.positionsByTime(timeOf)).toEqual([3, 0, 1, 2]);
  table.put({ id: 2, at: day(3) });
  expect(table.positionsByTime(timeOf)).toEqual([3, 0, 1, 2]);
  table.undoPut(early, undefined);
  table.put({ id: 5, at: day(2) });
  expect(table.positionsByTime(timeOf)).toEqual([0, 3, 1, 2]);
});
