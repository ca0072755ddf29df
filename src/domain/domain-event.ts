import type { Deposit, DepositEventName, Invoice, Payment, PaymentEventName, PaymentLink } from './records.js';

/**
 * An event with its record. `invoice.created` and `payment_link.created` are internal: they can start scenarios, but
 * send no webhook.
 */
export type DomainEvent =
  | { readonly event: DepositEventName; readonly record: Deposit }
  | { readonly event: PaymentEventName; readonly record: Payment }
  | { readonly event: 'invoice.created'; readonly record: Invoice }
  | { readonly event: 'payment_link.created'; readonly record: PaymentLink };
