import { unpaidPart } from './invoice-lifecycle.js';
import type { Invoice, PaymentLink } from './records.js';

/** A record that is paid on a page. */
export type Payable =
  | { readonly resource: 'payment_link'; readonly record: PaymentLink }
  | { readonly resource: 'invoice'; readonly record: Invoice };

/** Why something cannot be paid now. */
export type UnpayableReason = 'inactive' | 'draft' | 'paid' | 'cancelled' | 'under-way';

/** Why it cannot be paid; undefined if it can. While a payment of an invoice is under way, another one would pay it twice. */
export function whyNotPayable({ resource, record }: Payable, isUnderWay: boolean): UnpayableReason | undefined {
  if (resource === 'payment_link') return record.is_active ? undefined : 'inactive';
  const { status } = record;
  if (status === 'draft' || status === 'paid' || status === 'cancelled') return status;
  return isUnderWay ? 'under-way' : undefined;
}

/** The amount that a guest is asked for. */
export function amountToPay({ resource, record }: Payable): number {
  return resource === 'invoice' ? unpaidPart(record) : record.amount;
}
