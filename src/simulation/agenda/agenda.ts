import TinyQueue from 'tinyqueue';
import type { AgendaItem } from '../../domain/agenda-item.js';

type Entry = AgendaItem & { readonly order: number };

function inOrder(a: Entry, b: Entry): number {
  return a.at - b.at || a.order - b.order;
}

/** Agenda of an account: items by time; items of the same time in the order in which they were planned. */
export class Agenda {
  readonly #queue = new TinyQueue<Entry>([], inOrder);
  #order = 0;

  plan(item: AgendaItem): void {
    this.#order += 1;
    this.#queue.push({ ...item, order: this.#order });
  }

  /** Time of the next item. */
  get nextAt(): number | undefined {
    return this.#queue.peek()?.at;
  }

  take(): AgendaItem | undefined {
    return this.#queue.pop();
  }

  /** All items in order, found lazily. Includes items planned during the iteration. */
  *items(): Generator<AgendaItem> {
    const { data } = this.#queue;
    // A heap: children come after their parent, so only children of earlier items can be next.
    const places = new TinyQueue<{ readonly entry: Entry; readonly place: number }>([], (a, b) =>
      inOrder(a.entry, b.entry),
    );
    const open = (place: number): void => {
      const entry = data[place];
      if (entry) places.push({ entry, place });
    };
    open(0);
    for (let next = places.pop(); next; next = places.pop()) {
      yield next.entry;
      open(2 * next.place + 1);
      open(2 * next.place + 2);
    }
  }
}
