import type { RowsByTable } from '../simulation/state/changes.js';

/** Rows by table, as they are in a file. Rows that were read from a file are not yet validated. */
export type StoredTables = Readonly<Record<string, readonly unknown[]>>;

/** Returns the rows unchanged, but with the type that rows in a file have, which is less specific. */
export function tablesOf(rows: RowsByTable): StoredTables {
  const tables: readonly [string, readonly unknown[]][] = Object.entries(rows);
  return Object.fromEntries(tables);
}

/** An invalid row or table. */
export interface InvalidRow {
  readonly table: string;
  /** Counts from 0; undefined if the table is unknown or not an array. */
  readonly index: number | undefined;
  /** For example `invoices[3].amount must be number`. */
  readonly message: string;
}
