import type { Profile } from '../domain/gaps.js';
import { isUnpaid, outstanding } from '../domain/invoice-lifecycle.js';
import { minus, plus } from '../domain/money.js';
import type { Invoice } from '../domain/records.js';
import type { Index } from './table.js';

/** The invoice statistics, kept as invoices change, so that reading them costs the same at any number of invoices. */
export class InvoiceTotals implements Index<Invoice> {
  total = 0;
  pending = 0;
  paid = 0;
  outstanding = 0;
  overdueAmount = 0;
  /** The invoices past due, by id. */
  readonly overdue = new Map<number, Invoice>();
  readonly #profile: Profile;
  readonly #currency: string;

  constructor(profile: Profile, currency: string) {
    this.#profile = profile;
    this.#currency = currency;
  }

  add(invoice: Invoice): void {
    if (isOverdue(invoice)) this.overdue.set(invoice.id, invoice);
    this.#count(invoice, 1, plus);
  }

  remove(invoice: Invoice): void {
    this.overdue.delete(invoice.id);
    this.#count(invoice, -1, minus);
  }

  #count(invoice: Invoice, step: 1 | -1, accumulate: (sum: number, amount: number) => number): void {
    this.total += step;
    if (invoice.status === 'paid') this.paid += step;
    if (!isUnpaid(invoice)) return;
    const late = isOverdue(invoice);
    if (!late || this.#profile['invoice.pending-count'] === 'with-overdue') this.pending += step;
    // One sum has one currency: what is billed in another is counted, not added.
    if (invoice.currency !== this.#currency) return;
    const amount = outstanding(invoice, this.#profile);
    this.outstanding = accumulate(this.outstanding, amount);
    if (late) this.overdueAmount = accumulate(this.overdueAmount, amount);
  }
}

function isOverdue(invoice: Invoice): boolean {
  return invoice.past_due && isUnpaid(invoice);
}
