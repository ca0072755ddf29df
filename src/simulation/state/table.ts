import { parseInstant } from '../../domain/dates.js';

/** Data derived from the rows of a table, such as a lookup or a running total. The table keeps it up to date. */
export interface Index<Row> {
  /** Adds a row. @param previous the indexed row that `row` replaces, if any */
  add(row: Row, previous?: Row): void;
  remove(row: Row): void;
}

/** Rows of one kind, in the order in which they were added. A row is removed only to undo its addition. */
export class Table<Row extends { readonly id: number | string }> {
  readonly #rows: Row[] = [];
  readonly #positions = new Map<number | string, number>();
  readonly #indexes: readonly Index<Row>[];
  #highestId = 0;
  /** Cache of `rowPositionsInTimeOrder`. Rows added since its last call are missing. */
  #byTime: number[] = [];

  constructor(...indexes: Index<Row>[]) {
    this.#indexes = indexes;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** All rows, in the order in which they were added. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  has(id: number | string): boolean {
    return this.#positions.has(id);
  }

  /**
   * Positions of the rows in `rows`, sorted by time of creation, earliest first; rows with the same time stay in the
   * order of `rows`. Sorts only if rows were not added in order of time. Only for rows with a time of creation, which
   * must be the same in every version of a row.
   */
  rowPositionsInTimeOrder(this: Table<Row & { readonly created_at: string }>): readonly number[] {
    const order = this.#byTime;
    const timeAt = (position: number | undefined): string => {
      const row = position === undefined ? undefined : this.#rows[position];
      return row === undefined ? '' : row.created_at;
    };
    let previousTime = timeAt(order.at(-1));
    let isSorted = true;
    for (let position = order.length; position < this.#rows.length; position++) {
      const time = timeAt(position);
      if (time < previousTime) isSorted = false;
      previousTime = time;
      order.push(position);
    }
    if (isSorted) return order;
    // Numbers are compared three times as fast as strings.
    const times = this.#rows.map(({ created_at }) => parseInstant(created_at));
    return order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  }

  get(id: number | string): Row | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#rows[position];
  }

  /** Position of a row in `rows`; -1 if there is none with this id. */
  positionOf(id: number | string): number {
    return this.#positions.get(id) ?? -1;
  }

  /** Id for a new row. If ids are strings, its ordinal number instead, from which the caller may make an id. */
  nextId(): number {
    return Math.max(this.#highestId, this.#rows.length) + 1;
  }

  /** Appends a row, or puts it in place of the row with the same id. @returns the replaced row */
  put(row: Row): Row | undefined {
    const position = this.#positions.get(row.id);
    const previous = position === undefined ? undefined : this.#rows[position];
    if (position === undefined) {
      if (typeof row.id === 'number' && row.id > this.#highestId) this.#highestId = row.id;
      this.#positions.set(row.id, this.#rows.length);
      this.#rows.push(row);
    } else this.#rows[position] = row;
    for (const index of this.#indexes) index.add(row, previous);
    return previous;
  }

  /** Undoes a `put` that returned `previous`. Several puts must be undone in reverse order. */
  undoPut(row: Row, previous: Row | undefined): void {
    if (previous) {
      this.put(previous);
      return;
    }
    for (const index of this.#indexes) index.remove(row);
    this.#rows.pop();
    this.#byTime = [];
    this.#positions.delete(row.id);
    if (row.id === this.#highestId)
      this.#highestId = this.#rows.reduce((highest, { id }) => Math.max(highest, typeof id === 'number' ? id : 0), 0);
  }

  /** Returns a page of the matching rows, and the total number of matches. */
  page(query: PageQuery, matches?: (row: Row) => boolean): ListPage<Row> {
    return pageOfRows(this.#rows, query, matches);
  }
}

/** Which page of a list to return. */
export interface PageQuery {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Number of rows on a page. */
  readonly size: number;
  readonly newestFirst: boolean;
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Number of rows on all pages. */
  readonly total: number;
}

/**
 * Returns a page of the matching rows, and the total number of matches.
 * @param all in the order in which they were added
 */
export function pageOfRows<Row>(all: readonly Row[], query: PageQuery, matches?: (row: Row) => boolean): ListPage<Row> {
  const start = (query.page - 1) * query.size;
  const rows: Row[] = [];
  if (!matches) {
    const end = Math.min(start + query.size, all.length);
    for (let index = start; index < end; index++) {
      const row = all[query.newestFirst ? all.length - 1 - index : index];
      if (row) rows.push(row);
    }
    return { rows, total: all.length };
  }
  let total = 0;
  for (let index = 0; index < all.length; index++) {
    const row = all[query.newestFirst ? all.length - 1 - index : index];
    if (!row || !matches(row)) continue;
    if (total >= start && rows.length < query.size) rows.push(row);
    total += 1;
  }
  return { rows, total };
}

/**
 * Index that finds the rows with a key, such as the payments of an invoice. Rows with a null key are not included.
 * Indexes the rows when it is first read: most processes never read the lookup of invoice numbers, and filling it took
 * 6% of the start with 100,000 invoices.
 */
export class Lookup<Row extends { readonly id: number | string }> implements Index<Row> {
  /** The row of a key, or a map of several rows. Most keys have one row, and a map for each would be slow to create. */
  #rows: Map<string | number, Row | Map<Row['id'], Row>> | undefined;
  readonly #keyOf: (row: Row) => string | number | null;
  readonly #allRows: () => readonly Row[];

  /** @param allRows returns all rows of the table */
  constructor(keyOf: (row: Row) => string | number | null, allRows: () => readonly Row[]) {
    this.#keyOf = keyOf;
    this.#allRows = allRows;
  }

  add(row: Row, previous?: Row): void {
    if (!this.#rows) return;
    const key = this.#keyOf(row);
    if (previous && this.#keyOf(previous) !== key) this.remove(previous);
    if (key === null) return;
    const entry = this.#rows.get(key);
    if (entry === undefined || entry === previous) this.#rows.set(key, row);
    else if (entry instanceof Map) entry.set(row.id, row);
    else this.#rows.set(key, new Map([entry, row].map((rowOfKey) => [rowOfKey.id, rowOfKey])));
  }

  remove(row: Row): void {
    const key = this.#keyOf(row);
    if (!this.#rows || key === null) return;
    const entry = this.#rows.get(key);
    if (entry instanceof Map) entry.delete(row.id);
    if (!(entry instanceof Map) || entry.size === 0) this.#rows.delete(key);
  }

  has(key: string | number): boolean {
    return this.#indexed().has(key);
  }

  /** The row with a key; if there are several, the one added last. */
  last(key: string | number): Row | undefined {
    const entry = this.#indexed().get(key);
    return entry instanceof Map ? [...entry.values()].at(-1) : entry;
  }

  /**
   * The rows with a key, in the order in which they were added. A changed row keeps its place, as it does in the table.
   */
  all(key: string | number): Row[] {
    const entry = this.#indexed().get(key);
    if (entry === undefined) return [];
    return entry instanceof Map ? [...entry.values()] : [entry];
  }

  #indexed(): Map<string | number, Row | Map<Row['id'], Row>> {
    if (this.#rows) return this.#rows;
    const rows = new Map<string | number, Row | Map<Row['id'], Row>>();
    this.#rows = rows;
    for (const row of this.#allRows()) this.add(row);
    return rows;
  }
}
