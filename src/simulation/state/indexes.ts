import {
  type Fault,
  type FaultStage,
  type FaultTarget,
  faultStatus,
  matcherOf,
  shouldFire,
} from '../../domain/faults.js';
import { isUnpaid, outstandingAmount } from '../../domain/invoice-lifecycle.js';
import { fromThousandths, placesOf, round, toThousandths } from '../../domain/money.js';
import type { Attempt, Delivery, Invoice, InvoiceStatus } from '../../domain/records.js';
import { isDelivered } from '../../domain/retries.js';
import type { Profile } from '../../openapi/gaps.js';
import type { Index, Lookup } from './table.js';

/**
 * Invoice statistics, updated as invoices change, so that reading them takes the same time for any number of invoices.
 */
export class InvoiceTotals implements Index<Invoice> {
  total = 0;
  /** Number of unpaid invoices, with or without the overdue ones (gap invoice.pending-count). */
  pending = 0;
  paid = 0;
  readonly #byStatus = new Map<InvoiceStatus, number>();
  /** Unpaid amounts in thousandths, by currency. */
  readonly #outstandingSums = new Map<string, bigint>();
  /** Overdue amounts in thousandths, by currency. */
  readonly #overdueSums = new Map<string, bigint>();
  /** Overdue invoices, by id. */
  readonly overdue = new Map<number, Invoice>();
  readonly #profile: Profile;
  readonly #currency: string;

  constructor(profile: Profile, currency: string) {
    this.#profile = profile;
    this.#currency = currency;
  }

  countOf(status: InvoiceStatus): number {
    return this.#byStatus.get(status) ?? 0;
  }

  /** Sum of unpaid amounts, as the service returns it (gap invoice.other-currencies). */
  get outstanding(): number {
    return this.#sumOf(this.#outstandingSums);
  }

  /** Like `outstanding`, for overdue invoices. */
  get overdueAmount(): number {
    return this.#sumOf(this.#overdueSums);
  }

  /** Unpaid and overdue sums of the account's currency, then of each other currency in which something is unpaid. */
  get byCurrency(): readonly { readonly currency: string; readonly outstanding: number; readonly overdue: number }[] {
    const otherCurrencies = [...this.#outstandingSums].filter(
      ([currency, sum]) => currency !== this.#currency && sum !== 0n,
    );
    return [this.#currency, ...otherCurrencies.map(([currency]) => currency).sort()].map((currency) => ({
      currency,
      outstanding: fromThousandths(this.#outstandingSums.get(currency) ?? 0n),
      overdue: fromThousandths(this.#overdueSums.get(currency) ?? 0n),
    }));
  }

  add(invoice: Invoice, previous?: Invoice): void {
    if (previous) this.remove(previous);
    if (isOverdue(invoice)) this.overdue.set(invoice.id, invoice);
    this.#count(invoice, 1);
  }

  remove(invoice: Invoice): void {
    this.overdue.delete(invoice.id);
    this.#count(invoice, -1);
  }

  #count(invoice: Invoice, sign: 1 | -1): void {
    this.total += sign;
    this.#byStatus.set(invoice.status, this.countOf(invoice.status) + sign);
    if (invoice.status === 'paid') this.paid += sign;
    if (!isUnpaid(invoice)) return;
    const isLate = isOverdue(invoice);
    if (!isLate || this.#profile['invoice.pending-count'] === 'with-overdue') this.pending += sign;
    const unpaid = BigInt(sign) * toThousandths(outstandingAmount(invoice, this.#profile));
    add(this.#outstandingSums, invoice.currency, unpaid);
    if (isLate) add(this.#overdueSums, invoice.currency, unpaid);
  }

  #sumOf(sums: ReadonlyMap<string, bigint>): number {
    if (this.#profile['invoice.other-currencies'] === 'left-out')
      return fromThousandths(sums.get(this.#currency) ?? 0n);
    const sum = fromThousandths([...sums.values()].reduce((total, amount) => total + amount, 0n));
    return round(sum, placesOf(this.#currency, this.#profile));
  }
}

function add(sums: Map<string, bigint>, currency: string, amount: bigint): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + amount);
}

function isOverdue(invoice: Invoice): boolean {
  return invoice.past_due && isUnpaid(invoice);
}

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
    // If the times are equal, the message is only delayed, and does not wait for another one.
    if (delay && delay.from !== delay.until) this.#waiting.set(id, delivery);
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

  /** Returns the messages that wait to be overtaken at `now`, in any order. Removes those whose wait has ended. */
  waitingAt(now: number): readonly Delivery[] {
    if (this.#waiting.size === 0) return [];
    for (const { id, delay } of this.#waiting.values()) {
      if (delay && Date.parse(delay.until) <= now) this.#waiting.delete(id);
    }
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
   * Two indexes for the table of attempts. It must update the first before its lookup of attempts, and the second after
   * that.
   */
  readonly indexBeforeLookup: Index<Attempt> = this.#indexOfAttempts(-1);
  readonly indexAfterLookup: Index<Attempt> = this.#indexOfAttempts(1);

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

/** Result of matching a request or message against the faults of a stage. */
export interface FaultMatch {
  readonly firingFaults: readonly Fault[];
  /** The faults that were tried and matched, with their new counts, for the caller to store. */
  readonly rows: readonly Fault[];
}

const noMatch: FaultMatch = { firingFaults: [], rows: [] };

/** Stages at which a fault replaces the outcome, so that only one can fire, and the faults after it are not tried. */
const stagesWithOneFault: ReadonlySet<FaultStage> = new Set(['request', 'attempt']);

/** A fault that has not been cleared, with its compiled matcher. It may have ended (see `FaultStatus`). */
interface IndexedFault {
  readonly fault: Fault;
  readonly matches: ReturnType<typeof matcherOf>;
}

/** Faults that have not been cleared, by stage (see `FaultStage`), in the order in which they were added. */
export class FaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, IndexedFault[]>> = {
    request: [],
    response: [],
    message: [],
    attempt: [],
  };

  add(fault: Fault, previous?: Fault): void {
    if (previous) this.remove(previous);
    if (fault.cleared_at !== null) return;
    const faultsOfStage = this.#faults[fault.stage];
    faultsOfStage.splice(positionOf(fault.id, faultsOfStage), 0, { fault, matches: matcherOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const faultsOfStage = this.#faults[stage];
    const position = positionOf(id, faultsOfStage);
    if (faultsOfStage[position]?.fault.id === id) faultsOfStage.splice(position, 1);
  }

  /**
   * Matches a request or message against the faults of a stage.
   * @param targetOf called only if there are faults of the stage
   * @param account the account of the faults, for the time and for faults that fire by chance
   */
  match(
    stage: FaultStage,
    targetOf: () => FaultTarget,
    account: { now(): number; seededNumber(label: string): number },
  ): FaultMatch {
    const indexed = this.#faults[stage];
    if (indexed.length === 0) return noMatch;
    const target = targetOf();
    const now = account.now();
    const rows: Fault[] = [];
    const firingFaults: Fault[] = [];
    for (const { fault, matches } of indexed) {
      if (!matches(target) || faultStatus(fault, now) === 'ended') continue;
      const timesMatched = fault.times_matched + 1;
      const isFiring = shouldFire(fault.match, timesMatched, () =>
        account.seededNumber(`fault ${fault.id} ${timesMatched}`),
      );
      const row = { ...fault, times_matched: timesMatched, times_fired: fault.times_fired + (isFiring ? 1 : 0) };
      rows.push(row);
      if (!isFiring) continue;
      firingFaults.push(row);
      if (stagesWithOneFault.has(stage)) break;
    }
    return { firingFaults, rows };
  }

  all(): Fault[] {
    return Object.values(this.#faults).flatMap((faultsOfStage) => faultsOfStage.map(({ fault }) => fault));
  }
}

/**
 * Returns the position of a fault, or where to insert it. A binary search, since every match updates the fault, and so
 * must be fast.
 */
function positionOf(id: number, faultsOfStage: readonly IndexedFault[]): number {
  let [start, end] = [0, faultsOfStage.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((faultsOfStage[middle]?.fault.id ?? id) < id) start = middle + 1;
    else end = middle;
  }
  return start;
}
