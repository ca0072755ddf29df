import TinyQueue from 'tinyqueue';

/** Something that falls due by itself. What it does is decided when it is due, from the record as it is then. */
export interface Due {
  /** Milliseconds since 1970 on the account's clock. */
  readonly at: number;
  readonly kind: 'invoice-falls-due' | 'deposit-expires' | 'key-forgotten';
  readonly id: number | string;
}

/** What is due in the future of one account, soonest first; of one moment, in the order it was planned. */
export class Agenda {
  readonly #queue = new TinyQueue<Due & { order: number }>([], (a, b) => a.at - b.at || a.order - b.order);
  #order = 0;

  plan(due: Due): void {
    this.#order += 1;
    this.#queue.push({ ...due, order: this.#order });
  }

  /** Takes the next item that is due at the latest at this moment. */
  takeDue(now: number): Due | undefined {
    const next = this.#queue.peek();
    return next && next.at <= now ? this.#queue.pop() : undefined;
  }
}
