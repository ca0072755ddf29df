import type { EffectName, Fault } from './faults.js';

/**
 * The records of an account, as they are stored. What clients see of them is made by `http/views.ts`.
 *
 * Records are values: they are replaced, never changed. Decimals are numbers with at most two places (see `money.ts`),
 * dates are `YYYY-MM-DD`, instants are ISO 8601 with milliseconds in UTC.
 */

export const scopes = ['billing.read', 'billing.write'] as const;
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

/** One step of a record along its lifecycle. */
export interface Change<Status extends string> {
  readonly at: string;
  readonly cause: string;
  readonly from: Status;
  readonly to: Status;
}

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
  /** The currency of invoices under `invoice.currency: customer`; null for the account's. */
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
  /** Whether the due date has passed while the invoice was unpaid; `status` need not say so (gap invoice.overdue-moment). */
  readonly past_due: boolean;
  readonly date: string;
  readonly due_date: string;
  readonly notes: string | null;
  readonly items: readonly InvoiceItem[];
  readonly subscription: Subscription | null;
  readonly history: readonly Change<InvoiceStatus>[];
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
  /** The link or the invoice that the payment is for; one of the two is null. */
  readonly payment_link_id: number | null;
  readonly invoice_id: number | null;
  readonly reference: string;
  readonly customer: { readonly id: number; readonly name: string; readonly email: string };
  readonly paid_at: string | null;
  readonly history: readonly Change<PaymentStatus>[];
  /** How and when it ends by itself, unless it was ended before; left out where it does not. */
  readonly ends?: { readonly at: string; readonly cause: 'succeed' | 'fail' };
  /** The form on a page that it was made with; left out where there was none. Of one form comes one payment. */
  readonly form?: string;
  readonly created_at: string;
}

interface Capture {
  readonly amount: number;
  readonly description: string | null;
  readonly at: string;
}

export interface Deposit {
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
  readonly history: readonly Change<DepositStatus>[];
  readonly created_at: string;
}

/** The answer kept for an Idempotency-Key. Its id is the operation and the key. */
export interface Replay {
  readonly id: string;
  /** Tells one request body from another. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly created_at: string;
}

export interface Token {
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the token, in hex. The token itself is stored nowhere. */
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
export type EventName = (typeof eventNames)[number];

/** A record that something happens to. */
export interface Subject {
  readonly resource: 'deposit' | 'payment' | 'payment_link' | 'invoice';
  readonly id: number | string;
}

/** One webhook message: what is told of an event, over however many attempts. */
export interface Delivery {
  /** Id of the event, `evt_…`; the same in every attempt (gap event.duplicate-id). */
  readonly id: string;
  readonly event: EventName;
  readonly subject: Subject;
  /** The body, to the byte. */
  readonly body: string;
  /** Where webhooks went when the event came about; null if nowhere, and then it is never sent. */
  readonly url: string | null;
  readonly created_at: string;
  /** The faults that take place on it; left out where there are none. */
  readonly faults?: readonly Pick<Fault, 'id' | 'effects'>[];
  /** When faults let it go out for the first time: not before `from`, then right after the next message, or else at `until`. */
  readonly held?: { readonly from: string; readonly until: string };
  /** Ids of the messages that have waited for this one, and go out right after it. */
  readonly releases?: readonly string[];
}

/** One try to hand a delivery to its receiver. */
export interface Attempt {
  /** `evt_…/2` for the second one. */
  readonly id: string;
  readonly delivery_id: string;
  /** Counts from 1. */
  readonly number: number;
  /** Whether the schedule or a person had it made, or it is a further copy that a fault has sent. */
  readonly by: 'schedule' | 'hand' | 'fault';
  readonly at: string;
  readonly url: string;
  /** The headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body that was sent; left out where it is that of the delivery. */
  readonly body?: string;
  /** HTTP status of the answer; null if there was none, and then `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** How long it took in real time. */
  readonly milliseconds: number;
  /** The first 20,000 bytes of the answer. */
  readonly answer: string;
  /** When the next attempt is due; null if there is none. */
  readonly next_at: string | null;
  /** Applied fault effects (`applied_faults` in the control API); omitted if there are none. */
  readonly done?: readonly EffectName[];
  /** Effects that could not be applied, and why (`skipped_faults` in the control API); omitted if there are none. */
  readonly undone?: readonly SkippedFault[];
}

/** An effect that could not be applied, so that the message was sent without it. */
export interface SkippedFault {
  readonly effect: EffectName;
  readonly reason: string;
}

/** A mail that the service has sent: kept, and handed to an SMTP server where there is one. */
export interface Mail {
  readonly id: number;
  readonly invoice_id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Tries to hand it over; `error` is null for the one that succeeded. */
  readonly attempts: readonly { readonly at: string; readonly error: string | null }[];
  /** When it is handed over next; null if it need not be. */
  readonly next_at: string | null;
  readonly created_at: string;
}
