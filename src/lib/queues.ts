/** A queue, first in, first out. `shift` takes amortized constant time. */
export class Fifo<Item> {
  /** Items before `#firstIndex` have been taken. */
  #items: Item[] = [];
  #firstIndex = 0;

  get size(): number {
    return this.#items.length - this.#firstIndex;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#firstIndex];
    if (this.#firstIndex < this.#items.length) this.#firstIndex += 1;
    // Drops the taken items from time to time. Waiting for an empty queue would not do: under a steady load, it may never
    // be empty.
    if (this.#firstIndex > 1_000 && this.#firstIndex * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#firstIndex);
      this.#firstIndex = 0;
    }
    return item;
  }

  /** Sorts the items; equal ones keep their order. */
  sort(compare: (a: Item, b: Item) => number): void {
    this.#items = this.#items.slice(this.#firstIndex).sort(compare);
    this.#firstIndex = 0;
  }

  clear(): void {
    this.#items = [];
    this.#firstIndex = 0;
  }

  /** Items in order, without taking them. */
  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#firstIndex; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }
}

/** The latest items, up to a maximum number. Adding one to a full ring drops the oldest. */
export class Ring<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  /** Index for the next item. If the ring is full, the oldest item is there. */
  #nextIndex = 0;
  #lastDropped: Item | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The latest of the items that have been dropped; undefined if none has. */
  get lastDropped(): Item | undefined {
    return this.#lastDropped;
  }

  add(item: Item): void {
    if (this.#items.length === this.#capacity) this.#lastDropped = this.#items[this.#nextIndex];
    this.#items[this.#nextIndex] = item;
    this.#nextIndex = this.#nextIndex + 1 === this.#capacity ? 0 : this.#nextIndex + 1;
  }

  /** All items, oldest first. */
  items(): Item[] {
    return this.#items.length < this.#capacity
      ? [...this.#items]
      : [...this.#items.slice(this.#nextIndex), ...this.#items.slice(0, this.#nextIndex)];
  }

  /** Removes the items for which `shouldRemove` returns true. */
  remove(shouldRemove: (item: Item) => boolean): void {
    this.#items = this.items().filter((item) => !shouldRemove(item));
    this.#nextIndex = this.#items.length % this.#capacity;
  }
}
