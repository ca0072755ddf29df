import type { EffectName, Fault } from './faults.js';

/**
 * Records of an account as they are stored. `http/service/views.ts` turns them into API responses.
 *
 * Records are immutable: a change replaces the record. Amounts are numbers with the decimal places of their currency
 * (see `money.ts`), dates are `YYYY-MM-DD`, times are ISO 8601 with milliseconds in UTC.
 */

export const scopes = ['billing.read', 'billing.write'] as const;
/** Permission of a token. */
export type Scope = (typeof scopes)[number];

export const invoiceStatuses = [
  'draft',
  'pending',
  'sent',
  'viewed',
  'paid',
  'partial',
  'overdue',
  'cancelled',
] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const paymentStatuses = ['open', 'pending', 'paid', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const depositStatuses = [
  'pending',
  'authorized',
  'partially_captured',
  'captured',
  'released',
  'expired',
  'failed',
] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** One transition in the history of a record. */
export interface StatusChange<Status extends string> {
  readonly at: string;
  readonly cause: string;
  readonly from: Status;
  readonly to: Status;
}

/** A customer who receives invoices. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly postal_code: string | null;
  readonly country: string | null;
  /**
   * Currency of the customer's invoices, used only with the choice `customer` of gap invoice.currency; null means the
   * currency of the account.
   */
  readonly currency: string | null;
}

export interface InvoiceItem {
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly tax_rate: number;
  readonly total: number;
}

export interface Subscription {
  readonly id: number;
  readonly name: string;
  readonly interval: string;
  readonly status: string;
}

export interface Invoice {
  readonly id: number;
  readonly invoice_number: string;
  readonly reference: string | null;
  readonly customer_id: number;
  readonly amount: number;
  readonly paid_amount: number;
  readonly currency: string;
  readonly status: InvoiceStatus;
  /**
   * True if the due date passed while the invoice was unpaid. `status` does not always show this (gap
   * invoice.overdue-moment).
   */
  readonly past_due: boolean;
  readonly date: string;
  readonly due_date: string;
  readonly notes: string | null;
  readonly items: readonly InvoiceItem[];
  readonly subscription: Subscription | null;
  readonly history: readonly StatusChange<InvoiceStatus>[];
  readonly created_at: string;
}

export interface PaymentLink {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly is_active: boolean;
  readonly payments_count: number;
  readonly revenue: number;
  readonly created_at: string;
}

export interface Payment {
  readonly id: number;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly payment_method: string;
  /** Link or invoice that is paid; one of the two is null. */
  readonly payment_link_id: number | null;
  readonly invoice_id: number | null;
  readonly reference: string;
  readonly customer: { readonly id: number; readonly name: string; readonly email: string };
  readonly paid_at: string | null;
  readonly history: readonly StatusChange<PaymentStatus>[];
  /** At the time `at`, the payment succeeds or fails, unless it has already ended. Omitted if nothing is scheduled. */
  readonly scheduled_end?: { readonly at: string; readonly cause: 'succeed' | 'fail' };
  /** Id of the checkout form that created the payment, if one did. A form that is sent twice creates one payment. */
  readonly form?: string;
  readonly created_at: string;
}

interface Capture {
  readonly amount: number;
  readonly description: string | null;
  readonly at: string;
}

export interface Deposit {
  /** A string with some choices for the gap deposit.id. */
  readonly id: number | string;
  readonly booking_reference: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly customer: { readonly name: string | null; readonly email: string | null } | null;
  readonly check_in_date: string | null;
  readonly check_out_date: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: DepositStatus;
  readonly captured_amount: number;
  readonly captures: readonly Capture[];
  readonly authorized_at: string | null;
  readonly expires_at: string | null;
  readonly released_at: string | null;
  readonly history: readonly StatusChange<DepositStatus>[];
  readonly created_at: string;
}

/** Response stored for an Idempotency-Key, to be replayed on a retry. Its id is made of the operation and the key. */
export interface KeyedResponse {
  readonly id: string;
  /** Fingerprint of the request body; empty for an error (gap deposit.key-failed), which is replayed for any body. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly created_at: string;
}

export interface Token {
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export const eventNames = [
  'payment.succeeded',
  'deposit.created',
  'deposit.authorized',
  'deposit.partially_captured',
  'deposit.captured',
  'deposit.released',
  'deposit.expired',
  'deposit.failed',
] as const;
/** Name of an event. */
export type EventName = (typeof eventNames)[number];
export type PaymentEventName = 'payment.succeeded';
export type DepositEventName = Exclude<EventName, PaymentEventName>;

/** Reference to the record that an event, a step in the report of a clock advance, or a scenario run is about. */
export interface Subject {
  readonly resource: 'deposit' | 'payment' | 'payment_link' | 'invoice';
  readonly id: number | string;
}

/** A delivery: a webhook message. The attempts to send it are separate rows (`Attempt`). */
export interface Delivery {
  /** Id of the event, `evt_…`; the same in every attempt (gap event.duplicate-id). */
  readonly id: string;
  readonly event: EventName;
  readonly subject: Subject;
  /** The body as it is sent and signed. */
  readonly body: string;
  /** Webhook URL at the time of the event. Null if none was set; the message is then never sent. */
  readonly url: string | null;
  readonly created_at: string;
  /** Faults that apply to the message; omitted if there are none. */
  readonly faults?: readonly Pick<Fault, 'id' | 'effects'>[];
  /**
   * Set if faults delay the message. For a plain delay, `from` and `until` are both the time of the first attempt. A
   * message that waits to be overtaken is sent right after the message that overtakes it, but not before `from`; if no
   * message overtakes it, it is sent at `until`.
   */
  readonly delay?: { readonly from: string; readonly until: string };
  /** Ids of the delayed messages that this one overtakes, and that are sent right after it. */
  readonly overtakes?: readonly string[];
}

/** An attempt to deliver a message. */
export interface Attempt {
  /** For example `evt_…/2` for the second one. */
  readonly id: string;
  readonly delivery_id: string;
  /** Counts from 1. */
  readonly number: number;
  /** `schedule`: a scheduled attempt; `manual`: a user resent the message; `fault`: a copy that a fault added. */
  readonly by: 'schedule' | 'manual' | 'fault';
  readonly at: string;
  readonly url: string;
  /** Headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body that was sent; omitted if it is the body of the delivery. */
  readonly body?: string;
  /** HTTP status of the response; null without a response, in which case `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** Duration in real time. */
  readonly milliseconds: number;
  /** First 20,000 bytes of the response. */
  readonly response_body: string;
  /** Time of the next attempt; null if there is none. */
  readonly next_attempt_at: string | null;
  /** Applied fault effects; omitted if there are none. */
  readonly applied_faults?: readonly EffectName[];
  /** Fault effects that could not be applied; omitted if there are none. */
  readonly skipped_faults?: readonly SkippedFault[];
}

/** A fault effect that could not be applied. The message was sent without it. */
export interface SkippedFault {
  readonly effect: EffectName;
  readonly reason: string;
}

/** An email that the service sends. It is stored, and also sent if an SMTP server is configured. */
export interface Mail {
  readonly id: number;
  readonly invoice_id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Attempts to send it; `error` is null for the successful one. */
  readonly attempts: readonly { readonly at: string; readonly error: string | null }[];
  /** Time of the next attempt; null if there is none. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}
