import { expect, test } from 'vitest';
import { Lookup, Table } from '../../src/simulation/state/table.js';

interface Row {
  readonly id: number;
  readonly color: string | null;
}

const colorOf = ({ color }: Row): string | null => color;

/** A table with two lookups by color: one is read before rows are added, the other only afterwards. */
function tableWithLookups() {
  const readFirst: Lookup<Row> = new Lookup(colorOf, () => table.rows);
  const readLater: Lookup<Row> = new Lookup(colorOf, () => table.rows);
  const table: Table<Row> = new Table<Row>(readFirst, readLater);
  readFirst.has('red');
  return { table, readFirst, readLater };
}

const red = { id: 1, color: 'red' };
const rows: readonly Row[] = [red, { id: 2, color: 'blue' }, { id: 3, color: 'red' }, { id: 4, color: null }];

test.each<[change: string, change: (table: Table<Row>) => void]>([
  ['rows are only added', () => undefined],
  ['a row is replaced', (table) => table.put({ ...red })],
  ['a row gets another key', (table) => table.put({ id: 2, color: 'green' })],
  ['a row loses its key', (table) => table.put({ id: 3, color: null })],
  ['the addition of a row is undone', (table) => table.undoPut({ id: 4, color: null }, undefined)],
  ['a replacement is undone', (table) => table.undoPut({ ...red }, table.put({ ...red }))],
])('a lookup that is first read afterwards finds the same rows if %s', (_change, change) => {
  const read = (lookup: Lookup<Row>) =>
    ['red', 'blue', 'green'].map((color) => ({
      has: lookup.has(color),
      all: lookup.all(color),
      last: lookup.last(color),
    }));
  const { table, readFirst, readLater } = tableWithLookups();
  for (const row of rows) table.put(row);
  change(table);
  expect(read(readLater)).toEqual(read(readFirst));
});
