import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { Index, Lookup } from './table.js';

/**
 * Status of a delivery. `unsent`: no webhook URL was set; `failed`: all attempts are used up, the receiver responded
 * with 410, or a fault lost the message.
 */
export type DeliveryStatus = 'unsent' | 'waiting' | 'retrying' | 'delivered' | 'failed';

/** Status of a delivery. Copies that faults added do not count. @param allAttempts all attempts of the delivery */
export function statusFromAttempts({ url }: Delivery, allAttempts: readonly Attempt[]): DeliveryStatus {
  const attempts = allAttempts.filter(({ by }) => by !== 'fault');
  const last = attempts.at(-1);
  if (!last) return url === null ? 'unsent' : 'waiting';
  if (attempts.some(({ status }) => isDelivered(status))) return 'delivered';
  return last.next_at === null ? 'failed' : 'retrying';
}

/**
 * Number of deliveries by status, updated as deliveries and attempts change. The status depends on the attempts in the
 * look-up. When an attempt is added, the old status is therefore subtracted before the look-up changes, and the new
 * status is added afterwards.
 */
export class DeliveryTotals {
  readonly #counts = new Map<DeliveryStatus, number>();
  readonly #attempts: Lookup<Attempt>;
  readonly #findDelivery: (id: string) => Delivery | undefined;

  /** Index of the table of deliveries. */
  readonly ofDeliveries: Index<Delivery> = {
    add: (delivery, previous) => {
      if (previous) this.#count(previous, -1);
      this.#count(delivery, 1);
    },
    remove: (delivery) => this.#count(delivery, -1),
  };

  /** Indexes of the table of attempts: the table updates them before and after the look-up. */
  readonly beforeAttempts: Index<Attempt> = this.#indexOfAttempts(-1);
  readonly afterAttempts: Index<Attempt> = this.#indexOfAttempts(1);

  /** @param findDelivery finds a delivery by its id */
  constructor(attempts: Lookup<Attempt>, findDelivery: (id: string) => Delivery | undefined) {
    this.#attempts = attempts;
    this.#findDelivery = findDelivery;
  }

  countOf(status: DeliveryStatus): number {
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
    this.#counts.set(status, this.countOf(status) + sign);
  }
}
