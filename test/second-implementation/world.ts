import type { Fault } from './faults/fault.js';
import type { FaultId } from './faults/index.js';
import type { Json, JsonObject } from './json.js';
import type { Choices } from './options.js';

export type EventName =
  | 'payment.succeeded'
  | 'deposit.created'
  | 'deposit.authorized'
  | 'deposit.partially_captured'
  | 'deposit.captured'
  | 'deposit.released'
  | 'deposit.expired'
  | 'deposit.failed';

export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company?: string;
  readonly phone?: string;
  readonly address?: string;
  readonly city?: string;
  readonly postal_code?: string;
  readonly country?: string;
}

/** A line item of an invoice. */
export interface Item {
  readonly description: string;
  readonly quantity: number;
  /** Decimal, not in cents: it may have fractions of a cent. */
  readonly unitPrice: number;
  /** Percentage. */
  readonly taxRate: number;
}

/** In this record and those below, amounts are in cents, and times in milliseconds since 1970. */
export interface Invoice {
  readonly id: number;
  readonly number: string;
  readonly reference: string | undefined;
  readonly date: string;
  readonly dueDate: string;
  readonly notes: string | undefined;
  readonly customer: Customer;
  readonly items: readonly Item[];
  readonly amount: number;
  readonly transactions: { id: number; amount: number; createdAt: number }[];
  readonly subscription: JsonObject | null;
  status: 'draft' | 'pending' | 'sent' | 'viewed' | 'paid' | 'partial' | 'cancelled';
  /** True once a payment of the invoice has been started. */
  paymentInitiated: boolean;
}

export interface Link {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: number;
  isActive: boolean;
}

export const paymentStatuses = ['paid', 'open', 'pending', 'failed'] as const;

export interface Payment {
  readonly id: number;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly link: Link | undefined;
  readonly customer: Customer;
  readonly createdAt: number;
  readonly status: (typeof paymentStatuses)[number];
  readonly paidAt: number | undefined;
}

export const depositStatuses = [
  'pending',
  'authorized',
  'partially_captured',
  'captured',
  'released',
  'expired',
  'failed',
] as const;

export interface DepositRequest {
  readonly bookingReference: string | undefined;
  readonly amount: number;
  readonly currency: string;
  readonly customer: JsonObject | undefined;
  readonly checkInDate: string | undefined;
  readonly checkOutDate: string | undefined;
  readonly metadata: JsonObject | undefined;
}

export interface Deposit extends DepositRequest {
  readonly id: number | string;
  readonly createdAt: number;
  status: (typeof depositStatuses)[number];
  /** The part of the amount that was captured. */
  captured: number;
}

/** The entry that the service stores for an `Idempotency-Key`. */
interface KeyedResponse {
  /** The body of the first request with the key, as JSON. */
  readonly requestBody: string;
  /** Number of repetitions so far. */
  replayCount: number;
  readonly deposit: Deposit;
  readonly response: ServiceResponse;
}

export type Operation =
  | 'invoice-list'
  | 'invoice-detail'
  | 'invoice-stats'
  | 'invoice-overdue'
  | 'invoice-create'
  | 'invoice-reminder'
  | 'link-create'
  | 'link-list'
  | 'payment-list'
  | 'deposit-create'
  | 'deposit-list'
  | 'deposit-detail'
  | 'deposit-capture'
  | 'deposit-release';

export interface ApiRequest {
  /** The identifier in the path; empty if the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  readonly idempotencyKey: string | undefined;
}

export interface ServiceResponse {
  status: number;
  readonly headers: Record<string, string>;
  readonly body: JsonObject;
  /** Sent instead of the body. Set by faults whose response is not JSON. */
  text?: string;
}

export type Handler = (world: World, request: ApiRequest) => ServiceResponse;

/** State and settings of a running service. */
export interface World {
  readonly choices: Choices;
  /** The fault that the service has. */
  readonly fault: FaultId | undefined;
  /** Definition of `fault`. */
  readonly faultDefinition: Fault | undefined;
  /** URL that the URLs of all pages for guests begin with. */
  readonly paymentPagesUrl: string;
  readonly customers: Map<number, Customer>;
  readonly invoices: Map<number, Invoice>;
  readonly links: Map<number, Link>;
  readonly payments: Map<number, Payment>;
  readonly deposits: Map<number | string, Deposit>;
  readonly keyedResponses: Map<string, KeyedResponse>;
  /** Values from earlier responses that faults repeat, by the names passed to `rememberFirst`. */
  readonly firstValues: Map<string, Json>;
  /** Sends the webhook of an event about a record. */
  readonly emit: (event: EventName, record: JsonObject) => void;
}

/**
 * Stores the value of the first call with a name, and returns it in every call, so that a fault can show outdated
 * values. All calls with a name must have values of the same type.
 */
export function rememberFirst<Value extends Json>(world: World, name: string, value: Value): Value;
export function rememberFirst({ firstValues }: World, name: string, value: Json): Json {
  if (!firstValues.has(name)) firstValues.set(name, structuredClone(value));
  return firstValues.get(name) ?? null;
}

/** Returns the identifier of the next record. Records are numbered from 1, and only a fault ever removes one. */
export const nextId = (records: ReadonlyMap<unknown, unknown>): number => records.size + 1;
