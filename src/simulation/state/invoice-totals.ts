import { isUnpaid, outstandingAmount } from '../../domain/invoice-lifecycle.js';
import { decimalPlacesOf, fromThousandths, round, toThousandths } from '../../domain/money.js';
import type { Invoice, InvoiceStatus } from '../../domain/records.js';
import type { Profile } from '../../openapi/profile.js';
import type { Index } from './table.js';

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

  countWithStatus(status: InvoiceStatus): number {
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

  /** True for the invoices that `pending` counts. */
  countsAsPending(invoice: Invoice): boolean {
    const includesOverdue = this.#profile['invoice.pending-count'] === 'with-overdue';
    return isUnpaid(invoice) && (includesOverdue || !countsAsOverdue(invoice));
  }

  add(invoice: Invoice, previous?: Invoice): void {
    if (previous) this.remove(previous);
    if (countsAsOverdue(invoice)) this.overdue.set(invoice.id, invoice);
    this.#count(invoice, 1);
  }

  remove(invoice: Invoice): void {
    this.overdue.delete(invoice.id);
    this.#count(invoice, -1);
  }

  #count(invoice: Invoice, sign: 1 | -1): void {
    this.total += sign;
    this.#byStatus.set(invoice.status, this.countWithStatus(invoice.status) + sign);
    if (invoice.status === 'paid') this.paid += sign;
    if (!isUnpaid(invoice)) return;
    if (this.countsAsPending(invoice)) this.pending += sign;
    const unpaid = BigInt(sign) * toThousandths(outstandingAmount(invoice, this.#profile));
    add(this.#outstandingSums, invoice.currency, unpaid);
    if (countsAsOverdue(invoice)) add(this.#overdueSums, invoice.currency, unpaid);
  }

  #sumOf(sums: ReadonlyMap<string, bigint>): number {
    if (this.#profile['invoice.other-currencies'] === 'left-out')
      return fromThousandths(sums.get(this.#currency) ?? 0n);
    const sum = fromThousandths([...sums.values()].reduce((total, amount) => total + amount, 0n));
    return round(sum, decimalPlacesOf(this.#currency, this.#profile));
  }
}

function add(sums: Map<string, bigint>, currency: string, amount: bigint): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + amount);
}

function countsAsOverdue(invoice: Invoice): boolean {
  return invoice.past_due && isUnpaid(invoice);
}
