import { parseDuration } from '../lib/durations.js';
import type {
  Customer,
  Deposit,
  DepositStatus,
  InvoiceItem,
  InvoiceStatus,
  PaymentStatus,
  Subscription,
} from './records.js';

/** A time relative to the moment at which the seed is applied, such as `-8d` or `2h`; `0` for that moment. */
export type RelativeTime = string;

/**
 * Initial records of an account. All times are relative: an overdue invoice is overdue whenever the seed is used. A field
 * that may be omitted may also be null, with the same meaning.
 */
export interface Seed {
  readonly currency: string;
  readonly time_zone: string;
  /** Fixed tokens. Without them, tokens are random, or derived from the account's `random_seed` if a user chose one. */
  readonly tokens?: { readonly full: string; readonly read: string; readonly write: string };
  readonly customers: readonly Customer[];
  readonly invoices: readonly {
    readonly id: number;
    readonly invoice_number: string;
    readonly reference: string | null;
    readonly customer_id: number;
    readonly status: InvoiceStatus;
    readonly date: RelativeTime;
    readonly due_date: RelativeTime;
    readonly notes: string | null;
    readonly items: readonly Omit<InvoiceItem, 'total'>[];
    readonly subscription: Subscription | null;
  }[];
  readonly payment_links: readonly {
    readonly id: number;
    readonly description: string;
    readonly amount: number;
    readonly is_active: boolean;
    readonly created: RelativeTime;
  }[];
  readonly payments: readonly {
    readonly id: number;
    readonly payment_link_id?: number | null;
    readonly invoice_id?: number | null;
    readonly customer_id: number;
    readonly amount: number;
    readonly status: PaymentStatus;
    readonly payment_method: string;
    readonly created: RelativeTime;
    readonly paid?: RelativeTime | null;
  }[];
  readonly deposits: readonly {
    readonly id: number;
    readonly booking_reference: string;
    readonly amount: number;
    readonly customer: Deposit['customer'];
    readonly check_in_date: RelativeTime | null;
    readonly check_out_date: RelativeTime | null;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly status: DepositStatus;
    readonly created: RelativeTime;
    readonly authorized?: RelativeTime | null;
    readonly released?: RelativeTime | null;
    readonly captures?:
      | readonly {
          readonly amount: number;
          readonly description: string | null;
          readonly at: RelativeTime;
        }[]
      | null;
  }[];
}

/** Converts a relative time to milliseconds; undefined if it is not valid. */
export function relativeTimeMs(time: RelativeTime): number | undefined {
  if (time === '0') return 0;
  const isPast = time.startsWith('-');
  const duration = parseDuration(isPast ? time.slice(1) : time);
  return duration !== undefined && isPast ? -duration : duration;
}
