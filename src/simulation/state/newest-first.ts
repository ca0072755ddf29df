/**
 * Copies rows into the order of their time, the newest first; of the same time, the one that was added last comes first.
 * Ids do not tell: a seed may number its rows in any order.
 * @param timeOf ISO 8601 in UTC, as all instants are stored
 */
export function newestFirst<Row>(rows: readonly Row[], timeOf: (row: Row) => string): Row[] {
  return rows.toReversed().sort((a, b) => compare(timeOf(b), timeOf(a)));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
