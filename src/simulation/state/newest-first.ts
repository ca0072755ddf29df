/**
 * Sorts a copy of rows by time, newest first. Among rows with the same time, the one added last comes first. Sorting by
 * id would be wrong, since a seed may number its rows in any order.
 * @param timeOf returns the time of a row, ISO 8601 in UTC
 */
export function newestFirst<Row>(rows: readonly Row[], timeOf: (row: Row) => string): Row[] {
  return rows.toReversed().sort((a, b) => compare(timeOf(b), timeOf(a)));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
