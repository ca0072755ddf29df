import { expect, test } from 'vitest';
import { Table } from '../../src/simulation/state/table.js';

interface Row {
  readonly id: number;
  readonly at: string;
}

const timeOf = ({ at }: Row): string => at;

/** Creates a table of rows with these times; their ids count from 1. */
function tableOf(...times: readonly string[]): Table<Row> {
  const table = new Table<Row>();
  for (const [index, at] of times.entries()) table.put({ id: index + 1, at });
  return table;
}

test.each([
  [
    ['a', 'b', 'c'],
    [0, 1, 2],
  ],
  [
    ['c', 'a', 'b'],
    [1, 2, 0],
  ],
  [
    ['b', 'b', 'a', 'b'],
    [2, 0, 1, 3],
  ],
  [[], []],
])('rows with the times %j are in the order of the positions %j', (times, positions) => {
  expect(tableOf(...times).positionsByTime(timeOf)).toEqual(positions);
});

test('the order is updated when rows are added, changed or undone', () => {
  const table = tableOf('b', 'c');
  table.positionsByTime(timeOf);
  table.put({ id: 3, at: 'd' });
  expect(table.positionsByTime(timeOf)).toEqual([0, 1, 2]);
  const early = { id: 4, at: 'a' };
  table.put(early);
  expect(table.positionsByTime(timeOf)).toEqual([3, 0, 1, 2]);
  table.put({ id: 2, at: 'c' });
  expect(table.positionsByTime(timeOf)).toEqual([3, 0, 1, 2]);
  table.undoPut(early, undefined);
  table.put({ id: 5, at: 'b' });
  expect(table.positionsByTime(timeOf)).toEqual([0, 3, 1, 2]);
});
