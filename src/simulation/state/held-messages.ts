import type { Delivery } from '../../domain/records.js';
import type { Index } from './table.js';

interface Overtaking {
  /** The message that is sent first, although it was created later. */
  readonly overtaker: Delivery;
  /** The message that is sent right after the overtaker; undefined if it was no longer waiting. */
  readonly overtaken: Delivery | undefined;
}

/**
 * Webhook messages that faults hold back until another message overtakes them, and messages that have been overtaken.
 */
export class HeldMessages implements Index<Delivery> {
  readonly #waiting = new Map<string, Delivery>();
  /** By the id of the overtaken message. */
  readonly #overtakings = new Map<string, Overtaking>();

  add(delivery: Delivery, previous?: Delivery): void {
    if (previous) this.remove(previous);
    const { id, held, releases = [] } = delivery;
    // The times are equal for a message that is only delayed and does not wait for another one.
    if (held && held.from !== held.until) this.#waiting.set(id, delivery);
    for (const releasedId of releases) {
      this.#overtakings.set(releasedId, { overtaker: delivery, overtaken: this.#waiting.get(releasedId) });
      this.#waiting.delete(releasedId);
    }
  }

  remove({ id, releases = [] }: Delivery): void {
    this.#waiting.delete(id);
    for (const releasedId of releases) {
      const overtaken = this.#overtakings.get(releasedId)?.overtaken;
      this.#overtakings.delete(releasedId);
      if (overtaken) this.#waiting.set(releasedId, overtaken);
    }
  }

  /** Returns the messages that wait to be overtaken at `now`, oldest first. Removes those whose wait has ended. */
  waitingAt(now: number): readonly Delivery[] {
    if (this.#waiting.size === 0) return [];
    for (const { id, held } of this.#waiting.values()) {
      if (held && Date.parse(held.until) <= now) this.#waiting.delete(id);
    }
    return [...this.#waiting.values()];
  }

  /** Returns the message that overtook the message with this id; undefined if none did. */
  overtakerOf(id: string): Delivery | undefined {
    return this.#overtakings.get(id)?.overtaker;
  }
}
