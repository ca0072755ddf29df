import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { Index, Lookup } from './table.js';

/** Two webhook messages that a `reorder` fault sends in reverse order. */
interface ReorderedPair {
  /** The message that is sent first, although it was created later. */
  readonly overtaker: Delivery;
  /** The message that is sent right after the overtaker; undefined if it was no longer waiting. */
  readonly overtaken: Delivery | undefined;
}

/** Webhook messages that wait until another message overtakes them, and messages that have been overtaken. */
export class ReorderedDeliveries implements Index<Delivery> {
  readonly #waiting = new Map<string, Delivery>();
  /** Keyed by the id of the overtaken message. */
  readonly #pairs = new Map<string, ReorderedPair>();

  add(delivery: Delivery, previous?: Delivery): void {
    if (previous) this.remove(previous);
    const { id, delay, overtakes = [] } = delivery;
    // `delay` faults set both times to the same, and `reorder` faults set `until` to the latest time to wait for an
    // overtaker.
    if (delay && delay.from !== delay.until && !this.#pairs.has(id)) this.#waiting.set(id, delivery);
    for (const overtakenId of overtakes) {
      this.#pairs.set(overtakenId, { overtaker: delivery, overtaken: this.#waiting.get(overtakenId) });
      this.#waiting.delete(overtakenId);
    }
  }

  remove({ id, overtakes = [] }: Delivery): void {
    this.#waiting.delete(id);
    for (const overtakenId of overtakes) {
      const overtaken = this.#pairs.get(overtakenId)?.overtaken;
      this.#pairs.delete(overtakenId);
      if (overtaken) this.#waiting.set(overtakenId, overtaken);
    }
  }

  /**
   * Returns the messages that were to wait until another one overtakes them, and have not been sent yet, in any order.
   * Forgets those that have been sent. Sent messages are recognized by `wasSent` and not by their times, since the clock
   * goes back if an advance cannot be stored.
   */
  unsent(wasSent: (id: string) => boolean): readonly Delivery[] {
    if (this.#waiting.size === 0) return [];
    for (const id of this.#waiting.keys()) if (wasSent(id)) this.#waiting.delete(id);
    return [...this.#waiting.values()];
  }

  /** Returns the message that overtook the message with this id; undefined if none did. */
  overtakerOf(id: string): Delivery | undefined {
    return this.#pairs.get(id)?.overtaker;
  }
}

/**
 * Status of a delivery. `unsent`: no webhook URL was set; `failed`: all attempts are used up, the receiver responded
 * with 410, or a fault lost the message.
 */
export type DeliveryStatus = 'unsent' | 'waiting' | 'retrying' | 'delivered' | 'failed';

/**
 * Computes the status of a delivery. Ignores attempts that only sent a copy added by a fault.
 * @param allAttempts all attempts of the delivery, earliest first
 */
export function statusFromAttempts({ url }: Delivery, allAttempts: readonly Attempt[]): DeliveryStatus {
  const attempts = allAttempts.filter(({ by }) => by !== 'fault');
  const last = attempts.at(-1);
  if (!last) return url === null ? 'unsent' : 'waiting';
  if (attempts.some(({ status }) => isDelivered(status))) return 'delivered';
  return last.next_attempt_at === null ? 'failed' : 'retrying';
}

/**
 * Number of deliveries by status, updated as deliveries and attempts change. The status depends on the lookup of
 * attempts. When an attempt is added, the old status is therefore subtracted before the lookup is updated, and the new
 * status is added afterwards.
 */
export class DeliveryTotals {
  readonly #counts = new Map<DeliveryStatus, number>();
  readonly #attempts: Lookup<Attempt>;
  readonly #findDelivery: (id: string) => Delivery | undefined;

  /** Index of the table of deliveries. */
  readonly deliveryIndex: Index<Delivery> = {
    add: (delivery, previous) => {
      if (previous) this.#count(previous, -1);
      this.#count(delivery, 1);
    },
    remove: (delivery) => this.#count(delivery, -1),
  };

  /**
   * Two indexes for the table of attempts, which must update the first before its lookup of attempts, and the second
   * after it.
   */
  readonly indexBeforeLookup: Index<Attempt> = this.#indexOfAttempts(-1);
  readonly indexAfterLookup: Index<Attempt> = this.#indexOfAttempts(1);

  /** @param findDelivery finds a delivery by its id */
  constructor(attempts: Lookup<Attempt>, findDelivery: (id: string) => Delivery | undefined) {
    this.#attempts = attempts;
    this.#findDelivery = findDelivery;
  }

  countWithStatus(status: DeliveryStatus): number {
    return this.#counts.get(status) ?? 0;
  }

  #indexOfAttempts(sign: 1 | -1): Index<Attempt> {
    const count = ({ delivery_id }: Attempt): void => {
      const delivery = this.#findDelivery(delivery_id);
      if (delivery) this.#count(delivery, sign);
    };
    return { add: count, remove: count };
  }

  #count(delivery: Delivery, sign: 1 | -1): void {
    const status = statusFromAttempts(delivery, this.#attempts.all(delivery.id));
    this.#counts.set(status, this.countWithStatus(status) + sign);
  }
}
