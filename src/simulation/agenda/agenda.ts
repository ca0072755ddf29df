import TinyQueue from 'tinyqueue';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { Fifo } from '../../lib/fifo.js';

/** The items of one time, in the order in which they were planned. */
interface Moment {
  readonly at: number;
  readonly items: Fifo<AgendaItem>;
}

function byTime(a: { readonly at: number }, b: { readonly at: number }): number {
  return a.at - b.at;
}

/**
 * Agenda of an account: items by time; items of the same time in the order in which they were planned. A heap of times
 * with a queue each, since many items often share one.
 */
export class Agenda {
  readonly #heap = new TinyQueue<Moment>([], byTime);
  readonly #moments = new Map<number, Moment>();

  plan(item: AgendaItem): void {
    let moment = this.#moments.get(item.at);
    if (!moment) {
      moment = { at: item.at, items: new Fifo() };
      this.#moments.set(item.at, moment);
      this.#heap.push(moment);
    }
    moment.items.push(item);
  }

  /** Time of the next item. */
  get nextAt(): number | undefined {
    return this.#heap.peek()?.at;
  }

  take(): AgendaItem | undefined {
    const moment = this.#heap.peek();
    const item = moment?.items.shift();
    if (moment?.items.size === 0) {
      this.#heap.pop();
      this.#moments.delete(moment.at);
    }
    return item;
  }

  /** All items in order, found lazily. */
  *items(): Generator<AgendaItem> {
    const { data } = this.#heap;
    // A heap: children come after their parent, so only children of earlier moments can be next.
    const places = new TinyQueue<Moment & { readonly place: number }>([], byTime);
    const open = (place: number): void => {
      const moment = data[place];
      if (moment) places.push({ ...moment, place });
    };
    open(0);
    for (let next = places.pop(); next; next = places.pop()) {
      yield* next.items;
      open(2 * next.place + 1);
      open(2 * next.place + 2);
    }
  }
}
