import type { Delivery } from '../../domain/records.js';
import type { Index } from './table.js';

interface Released {
  /** The message to be sent right before it. */
  readonly leader: Delivery;
  /** Undefined if it was not held. */
  readonly message: Delivery | undefined;
}

/** Messages that faults hold until the next message was sent, and those that have found their next one. */
export class HeldMessages implements Index<Delivery> {
  readonly #waiting = new Map<string, Delivery>();
  readonly #released = new Map<string, Released>();

  add(delivery: Delivery, previous?: Delivery): void {
    if (previous) this.remove(previous);
    const { id, held, releases = [] } = delivery;
    if (held && held.from !== held.until) this.#waiting.set(id, delivery);
    for (const each of releases) {
      this.#released.set(each, { leader: delivery, message: this.#waiting.get(each) });
      this.#waiting.delete(each);
    }
  }

  remove({ id, releases = [] }: Delivery): void {
    this.#waiting.delete(id);
    for (const each of releases) {
      const message = this.#released.get(each)?.message;
      this.#released.delete(each);
      if (message) this.#waiting.set(each, message);
    }
  }

  /** Messages that wait for the next one at a time, oldest first. Drops those whose wait has ended. */
  waitingAt(now: number): readonly Delivery[] {
    if (this.#waiting.size === 0) return [];
    for (const { id, held } of this.#waiting.values()) {
      if (held && Date.parse(held.until) <= now) this.#waiting.delete(id);
    }
    return [...this.#waiting.values()];
  }

  /** The message that one is sent right after, if it was found. */
  leaderOf(id: string): Delivery | undefined {
    return this.#released.get(id)?.leader;
  }
}
