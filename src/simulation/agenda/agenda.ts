import TinyQueue from 'tinyqueue';

export type AgendaKind =
  | 'invoice-falls-due'
  | 'deposit-expires'
  | 'payment-ends'
  | 'key-forgotten'
  | 'delivery-attempt'
  | 'mail-attempt'
  | 'scenario-step';

/** Something that falls due by itself. What it does is decided when it is due, from the record as it is then. */
export interface AgendaItem {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: AgendaKind;
  readonly id: number | string;
}

type Entry = AgendaItem & { readonly order: number };

function inOrder(a: Entry, b: Entry): number {
  return a.at - b.at || a.order - b.order;
}

/** What is due in the future of one account, soonest first; of one moment, in the order it was planned. */
export class Agenda {
  readonly #queue = new TinyQueue<Entry>([], inOrder);
  #order = 0;

  plan(due: AgendaItem): void {
    this.#order += 1;
    this.#queue.push({ ...due, order: this.#order });
  }

  /** When the next item is due. */
  get nextAt(): number | undefined {
    return this.#queue.peek()?.at;
  }

  take(): AgendaItem | undefined {
    return this.#queue.pop();
  }

  /** All items in their order, each sought when it is asked for. What has been planned otherwise since is among them. */
  *items(): Generator<AgendaItem> {
    const { data } = this.#queue;
    // A heap: what stands below a place comes after it, so that only those below the items so far can be next.
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
