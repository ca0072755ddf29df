/** Something that follows the rows of a table: a look-up, a running total. */
export interface Index<Row> {
  add(row: Row): void;
  remove(row: Row): void;
}

/** The rows of one kind in the order of their creation. No row is ever removed but by taking back its creation. */
export class Table<Row extends { readonly id: number | string }> {
  readonly #rows: Row[] = [];
  readonly #positions = new Map<number | string, number>();
  readonly #indexes: readonly Index<Row>[];
  #highest = 0;

  constructor(...indexes: Index<Row>[]) {
    this.#indexes = indexes;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Oldest first. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  get(id: number | string): Row | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#rows[position];
  }

  /** The number that a new row may have as its id. */
  nextId(): number {
    return Math.max(this.#highest, this.#rows.length) + 1;
  }

  /** Puts a row in place of the one with its id, which it returns, or behind all others. */
  put(row: Row): Row | undefined {
    const position = this.#positions.get(row.id);
    const previous = position === undefined ? undefined : this.#rows[position];
    if (previous) for (const index of this.#indexes) index.remove(previous);
    if (typeof row.id === 'number' && row.id > this.#highest) this.#highest = row.id;
    this.#positions.set(row.id, position ?? this.#rows.length);
    this.#rows[position ?? this.#rows.length] = row;
    for (const index of this.#indexes) index.add(row);
    return previous;
  }

  /** Takes back a `put` that returned `previous`; puts are taken back in the reverse of their order. */
  takeBack(row: Row, previous: Row | undefined): void {
    if (previous) {
      this.put(previous);
      return;
    }
    for (const index of this.#indexes) index.remove(row);
    this.#rows.pop();
    this.#positions.delete(row.id);
    if (row.id === this.#highest)
      this.#highest = this.#rows.reduce((highest, { id }) => Math.max(highest, typeof id === 'number' ? id : 0), 0);
  }

  /** One page of the rows that match, and how many match in all. Pages count from 1. */
  page(query: Page, matches?: (row: Row) => boolean): { rows: Row[]; total: number } {
    const first = (query.page - 1) * query.size;
    const rows: Row[] = [];
    if (!matches) {
      const end = Math.min(first + query.size, this.#rows.length);
      for (let place = first; place < end; place++) {
        const row = this.#rows[query.newestFirst ? this.#rows.length - 1 - place : place];
        if (row) rows.push(row);
      }
      return { rows, total: this.#rows.length };
    }
    let total = 0;
    for (let place = 0; place < this.#rows.length; place++) {
      const row = this.#rows[query.newestFirst ? this.#rows.length - 1 - place : place];
      if (!row || !matches(row)) continue;
      if (total >= first && rows.length < query.size) rows.push(row);
      total += 1;
    }
    return { rows, total };
  }
}

export interface Page {
  readonly page: number;
  readonly size: number;
  readonly newestFirst: boolean;
}

/** Finds rows by a key. Rows whose key is null are not in it. */
export class Lookup<Row extends { readonly id: number | string }> implements Index<Row> {
  /** Most keys have one row, which stands for itself: a hundred thousand small maps would be slow to make. */
  readonly #rows = new Map<string | number, Row | Map<Row['id'], Row>>();
  readonly #key: (row: Row) => string | number | null;

  constructor(key: (row: Row) => string | number | null) {
    this.#key = key;
  }

  add(row: Row): void {
    const key = this.#key(row);
    if (key === null) return;
    const known = this.#rows.get(key);
    if (known === undefined) this.#rows.set(key, row);
    else if (known instanceof Map) known.set(row.id, row);
    else this.#rows.set(key, new Map([known, row].map((each) => [each.id, each])));
  }

  remove(row: Row): void {
    const key = this.#key(row);
    if (key === null) return;
    const known = this.#rows.get(key);
    if (known instanceof Map) known.delete(row.id);
    if (!(known instanceof Map) || known.size === 0) this.#rows.delete(key);
  }

  has(key: string | number): boolean {
    return this.#rows.has(key);
  }

  /** In the order of their last change. */
  all(key: string | number): Row[] {
    const known = this.#rows.get(key);
    if (known === undefined) return [];
    return known instanceof Map ? [...known.values()] : [known];
  }
}
