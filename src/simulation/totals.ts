import type { Profile } from '../domain/gaps.js';
import { isUnpaid, outstanding } from '../domain/invoice-lifecycle.js';
import { fromCents, toCents } from '../domain/money.js';
import type { Invoice } from '../domain/records.js';
import type { Index } from './table.js';

/** The invoice statistics, kept as invoices change, so that reading them costs the same at any number of invoices. */
export class InvoiceTotals implements Index<Invoice> {
  total = 0;
  pending = 0;
  paid = 0;
  #outstanding = 0;
  #overdue = 0;
  /** The invoices past due, by id. */
  readonly overdue = new Map<number, Invoice>();
  readonly #profile: Profile;
  readonly #currency: string;

  constructor(profile: Profile, currency: string) {
    this.#profile = profile;
    this.#currency = currency;
  }

  /** Sum of what is unpaid, and of what is overdue, in the account's currency. */
  get outstanding(): number {
    return fromCents(this.#outstanding);
  }

  get overdueAmount(): number {
    return fromCents(this.#overdue);
  }

  add(invoice: Invoice): void {
    if (isOverdue(invoice)) this.overdue.set(invoice.id, invoice);
    this.#count(invoice, 1);
  }

  remove(invoice: Invoice): void {
    this.overdue.delete(invoice.id);
    this.#count(invoice, -1);
  }

  #count(invoice: Invoice, step: 1 | -1): void {
    this.total += step;
    if (invoice.status === 'paid') this.paid += step;
    if (!isUnpaid(invoice)) return;
    const late = isOverdue(invoice);
    if (!late || this.#profile['invoice.pending-count'] === 'with-overdue') this.pending += step;
    // One sum has one currency: what is billed in another is counted, not added.
    if (invoice.currency !== this.#currency) return;
    const cents = toCents(outstanding(invoice, this.#profile));
    this.#outstanding += step * cents;
    if (late) this.#overdue += step * cents;
  }
}

function isOverdue(invoice: Invoice): boolean {
  return invoice.past_due && isUnpaid(invoice);
}
