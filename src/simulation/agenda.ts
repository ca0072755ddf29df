import TinyQueue from 'tinyqueue';

export type DueKind =
  | 'invoice-falls-due'
  | 'deposit-expires'
  | 'key-forgotten'
  | 'delivery-attempt'
  | 'mail-attempt'
  | 'scenario-step';

/** Something that falls due by itself. What it does is decided when it is due, from the record as it is then. */
export interface Due {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: DueKind;
  readonly id: number | string;
}

type Entry = Due & { readonly order: number };

function inOrder(a: Entry, b: Entry): number {
  return a.at - b.at || a.order - b.order;
}

/** What is due in the future of one account, soonest first; of one moment, in the order it was planned. */
export class Agenda {
  readonly #queue = new TinyQueue<Entry>([], inOrder);
  #order = 0;

  plan(due: Due): void {
    this.#order += 1;
    this.#queue.push({ ...due, order: this.#order });
  }

  /** When the next item is due. */
  get nextAt(): number | undefined {
    return this.#queue.peek()?.at;
  }

  take(): Due | undefined {
    return this.#queue.pop();
  }

  /** All items in their order. What has been planned otherwise since is among them. */
  items(): Due[] {
    return [...this.#queue.data].sort(inOrder);
  }
}
