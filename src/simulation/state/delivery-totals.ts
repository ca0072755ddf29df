import type { Attempt, Delivery } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { Index, Lookup } from './table.js';

/**
 * `unsent`: no webhook URL was set; `failed`: all attempts are used up, the receiver responded with 410, or a fault
 * lost the message.
 */
export type DeliveryStatus = 'unsent' | 'waiting' | 'retrying' | 'delivered' | 'failed';

/** Status of a delivery. Additional copies sent by faults do not count. @param all attempts of the delivery */
export function statusAfter({ url }: Delivery, all: readonly Attempt[]): DeliveryStatus {
  const attempts = all.filter(({ by }) => by !== 'fault');
  const last = attempts.at(-1);
  if (!last) return url === null ? 'unsent' : 'waiting';
  if (attempts.some(({ status }) => isDelivered(status))) return 'delivered';
  return last.next_at === null ? 'failed' : 'retrying';
}

/**
 * Number of deliveries by status, updated as deliveries and attempts change. Each has an index of its own; the status also depends
 * on the attempts that the look-up has, so it is subtracted before the look-up changes and added after.
 */
export class DeliveryTotals {
  readonly #counts = new Map<DeliveryStatus, number>();
  readonly #attempts: Lookup<Attempt>;
  readonly #find: (id: string) => Delivery | undefined;

  /** Index of the table of deliveries. */
  readonly ofDeliveries: Index<Delivery> = {
    add: (delivery, previous) => {
      if (previous) this.#count(previous, -1);
      this.#count(delivery, 1);
    },
    remove: (delivery) => this.#count(delivery, -1),
  };

  /** Indexes of the table of attempts, before and after their look-up. */
  readonly beforeAttempts: Index<Attempt> = this.#indexOfAttempts(-1);
  readonly afterAttempts: Index<Attempt> = this.#indexOfAttempts(1);

  /** @param find finds a delivery by its id */
  constructor(attempts: Lookup<Attempt>, find: (id: string) => Delivery | undefined) {
    this.#attempts = attempts;
    this.#find = find;
  }

  countOf(status: DeliveryStatus): number {
    return this.#counts.get(status) ?? 0;
  }

  #indexOfAttempts(sign: 1 | -1): Index<Attempt> {
    const count = ({ delivery_id }: Attempt): void => {
      const delivery = this.#find(delivery_id);
      if (delivery) this.#count(delivery, sign);
    };
    return { add: count, remove: count };
  }

  #count(delivery: Delivery, sign: 1 | -1): void {
    const status = statusAfter(delivery, this.#attempts.all(delivery.id));
    this.#counts.set(status, this.countOf(status) + sign);
  }
}
