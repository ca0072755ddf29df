import { unpaidPart } from './invoice-lifecycle.js';
import type { Invoice, PaymentLink } from './records.js';

/** A record that can be paid on a checkout page. */
export type Payable =
  | { readonly resource: 'payment_link'; readonly record: PaymentLink }
  | { readonly resource: 'invoice'; readonly record: Invoice };

/** Reason why a record cannot be paid now. */
export type UnpayableReason = 'inactive' | 'draft' | 'paid' | 'cancelled' | 'under-way';

/**
 * Why a record cannot be paid; undefined if it can. A second payment of an invoice while one is in progress would pay
 * it twice.
 * @param isUnderWay whether a payment of the record is in progress
 */
export function whyNotPayable({ resource, record }: Payable, isUnderWay: boolean): UnpayableReason | undefined {
  if (resource === 'payment_link') return record.is_active ? undefined : 'inactive';
  const { status } = record;
  if (status === 'draft' || status === 'paid' || status === 'cancelled') return status;
  return isUnderWay ? 'under-way' : undefined;
}

/** Amount that a guest has to pay. */
export function amountToPay({ resource, record }: Payable): number {
  return resource === 'invoice' ? unpaidPart(record) : record.amount;
}
