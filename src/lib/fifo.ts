/** A queue, first in, first out. Taking an item takes the same time for any number of items. */
export class Fifo<Item> {
  /** Items before `#first` have been taken. */
  #items: Item[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#first];
    if (this.#first < this.#items.length) this.#first += 1;
    // Drops the taken items from time to time: under a steady load the queue is never empty.
    if (this.#first > 1_000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }

  /** Items in order, without taking them. */
  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#first; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }
}
