import TinyQueue from 'tinyqueue';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { Fifo } from '../../lib/fifo.js';

/** The agenda items of one point in time, in the order in which they were planned. */
interface TimeSlot {
  readonly at: number;
  readonly items: Fifo<AgendaItem>;
}

function byTime(a: { readonly at: number }, b: { readonly at: number }): number {
  return a.at - b.at;
}

/**
 * Agenda of an account: items by time; items of the same time in the order in which they were planned. It is a heap of
 * times, each with a queue of items, since many items often share a time.
 */
export class Agenda {
  readonly #heap = new TinyQueue<TimeSlot>([], byTime);
  readonly #slots = new Map<number, TimeSlot>();

  plan(item: AgendaItem): void {
    let slot = this.#slots.get(item.at);
    if (!slot) {
      slot = { at: item.at, items: new Fifo() };
      this.#slots.set(item.at, slot);
      this.#heap.push(slot);
    }
    slot.items.push(item);
  }

  /** Time of the next item; undefined if the agenda is empty. */
  get nextAt(): number | undefined {
    return this.#heap.peek()?.at;
  }

  /** Removes the next item and returns it. */
  takeNext(): AgendaItem | undefined {
    const slot = this.#heap.peek();
    const item = slot?.items.shift();
    if (slot?.items.size === 0) {
      this.#heap.pop();
      this.#slots.delete(slot.at);
    }
    return item;
  }

  /** Yields all items in order. The order is computed lazily, for callers that need only the first ones. */
  *items(): Generator<AgendaItem> {
    const { data } = this.#heap;
    // In a heap, children come after their parent: the next slot is the root, or a child of a slot that was already
    // yielded.
    const candidates = new TinyQueue<TimeSlot & { readonly position: number }>([], byTime);
    const addCandidate = (position: number): void => {
      const slot = data[position];
      if (slot) candidates.push({ ...slot, position });
    };
    addCandidate(0);
    for (let next = candidates.pop(); next; next = candidates.pop()) {
      yield* next.items;
      addCandidate(2 * next.position + 1);
      addCandidate(2 * next.position + 2);
    }
  }
}
