import type { GapChoices } from './gaps.js';
import { unpaidAmount } from './invoice-lifecycle.js';
import { plus } from './money.js';
import type { Invoice, PaymentLink } from './records.js';

/** A record that can be paid on a checkout page. */
export type Payable =
  | { readonly resource: 'payment_link'; readonly record: PaymentLink }
  | { readonly resource: 'invoice'; readonly record: Invoice };

/** Reason why a record cannot be paid now. */
export type UnpayableReason = 'inactive' | 'draft' | 'paid' | 'cancelled' | 'payment-in-progress';

/**
 * Returns the reason why a record cannot be paid; undefined if it can. An invoice with a payment in progress cannot be
 * paid, because a second payment could pay it twice.
 * @param hasPaymentInProgress true if a payment of the invoice is in progress; ignored for a link, which can be paid any
 *   number of times
 */
export function whyNotPayable(
  { resource, record }: Payable,
  hasPaymentInProgress: boolean,
): UnpayableReason | undefined {
  if (resource === 'payment_link') return record.is_active ? undefined : 'inactive';
  const { status } = record;
  if (status === 'draft' || status === 'paid' || status === 'cancelled') return status;
  return hasPaymentInProgress ? 'payment-in-progress' : undefined;
}

/** Amount that the payer has to pay. */
export function amountToPay({ resource, record }: Payable): number {
  return resource === 'invoice' ? unpaidAmount(record) : record.amount;
}

/** Adds a successful payment to a link, which may become inactive (gap link.deactivation). */
export function payLink(link: PaymentLink, amount: number, profile: GapChoices): PaymentLink {
  return {
    ...link,
    payments_count: link.payments_count + 1,
    revenue: plus(link.revenue, amount),
    is_active: link.is_active && profile['link.deactivation'] === 'never',
  };
}
