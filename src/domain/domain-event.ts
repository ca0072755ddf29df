import type { Deposit, EventName, Invoice, Payment, PaymentLink } from './records.js';

/** An event of the service with its record, or one of two internal events that start scenarios and send no message. */
export type DomainEvent =
  | { readonly event: Exclude<EventName, 'payment.succeeded'>; readonly record: Deposit }
  | { readonly event: 'payment.succeeded'; readonly record: Payment }
  | { readonly event: 'invoice.created'; readonly record: Invoice }
  | { readonly event: 'payment_link.created'; readonly record: PaymentLink };
