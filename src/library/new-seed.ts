import type { DepositStatus, InvoiceStatus, PaymentStatus } from '../domain/records.js';

/**
 * Initial records of an account. Times are relative to the moment at which the account is created: `-8d`, `2h` or `0`.
 * Seed files have the same form.
 */
export interface NewSeed {
  /** Such as `EUR`. */
  readonly currency: string;
  /** Such as `Europe/Berlin`. */
  readonly time_zone: string;
  /** Tokens of the `demo` account; other accounts get new ones. */
  readonly tokens?: { readonly full: string; readonly read: string; readonly write: string };
  readonly customers?: readonly SeedCustomer[];
  readonly invoices?: readonly SeedInvoice[];
  readonly payment_links?: readonly SeedPaymentLink[];
  readonly payments?: readonly SeedPayment[];
  readonly deposits?: readonly SeedDeposit[];
}

/** A customer of a seed. */
export interface SeedCustomer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company?: string | null;
  readonly phone?: string | null;
  readonly address?: string | null;
  readonly city?: string | null;
  readonly postal_code?: string | null;
  readonly country?: string | null;
  /** Currency of the customer's invoices, used only with the choice `customer` of gap invoice.currency. */
  readonly currency?: string | null;
}

/** An invoice of a seed. */
export interface SeedInvoice {
  readonly id: number;
  readonly invoice_number: string;
  readonly reference?: string | null;
  readonly customer_id: number;
  readonly status: InvoiceStatus;
  readonly date: string;
  readonly due_date: string;
  readonly notes?: string | null;
  readonly items: readonly SeedInvoiceItem[];
  readonly subscription?: {
    readonly id: number;
    readonly name: string;
    readonly interval: string;
    readonly status: string;
  } | null;
}

/** An item of an invoice of a seed. */
export interface SeedInvoiceItem {
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  /** In percent; default: 0. */
  readonly tax_rate?: number;
}

/** A payment link of a seed. */
export interface SeedPaymentLink {
  readonly id: number;
  readonly description: string;
  readonly amount: number;
  /** Default: true. */
  readonly is_active?: boolean;
  readonly created: string;
}

/** A payment of a seed: of a payment link or of an invoice. */
export interface SeedPayment {
  readonly id: number;
  readonly payment_link_id?: number | null;
  readonly invoice_id?: number | null;
  readonly customer_id: number;
  readonly amount: number;
  readonly status: PaymentStatus;
  readonly payment_method: string;
  readonly created: string;
  /** Time of the payment, if its status is `paid`. */
  readonly paid?: string | null;
}

/** A deposit of a seed. Its status determines which of the times and captures it needs. */
export interface SeedDeposit {
  readonly id: number;
  readonly booking_reference: string;
  readonly amount: number;
  readonly customer?: { readonly name: string | null; readonly email: string | null } | null;
  readonly check_in_date?: string | null;
  readonly check_out_date?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly status: DepositStatus;
  readonly created: string;
  readonly authorized?: string | null;
  readonly released?: string | null;
  readonly captures?: readonly SeedCapture[] | null;
}

/** A capture of a deposit of a seed. */
export interface SeedCapture {
  readonly amount: number;
  readonly description?: string | null;
  readonly at: string;
}
