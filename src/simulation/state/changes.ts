import type { Fault } from '../../domain/faults.js';
import type {
  Attempt,
  Customer,
  Delivery,
  Deposit,
  Invoice,
  KeyedResponse,
  Mail,
  Payment,
  PaymentLink,
  Token,
} from '../../domain/records.js';
import type { Run, Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';

/** Clock of an account: it is at an offset from the machine's clock, in milliseconds, or frozen at a time. */
export type ClockState =
  | { readonly mode: 'real'; readonly offset: number }
  | { readonly mode: 'frozen'; readonly at: string };

/** Record of the account itself. */
export interface AccountRecord {
  readonly id: string;
  readonly currency: string;
  readonly time_zone: string;
  /** True if requests beyond the rate limit are refused. Responses have the rate-limit headers in either case. */
  readonly rate_limit: boolean;
  readonly clock: ClockState;
  /** Choices that differ from the default profile, as in a profile file. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** Seed from which ids and random decisions are derived. */
  readonly random_seed: string;
  /** Set if a user chose the random seed: tokens and webhook secrets are then derived from it, too. */
  readonly has_chosen_seed?: true;
  /** Number of webhook secret rotations; omitted if there were none. */
  readonly rotations?: number;
  /** URL that receives webhooks; null for none. */
  readonly webhook_url: string | null;
  readonly webhook_secret: string;
  /** Previous webhook secret; omitted if there was none. Never shown to users. */
  readonly retired_secret?: string;
  /** Set if the account is removed at the next start. */
  readonly is_temporary?: true;
  readonly created_at: string;
}

/** Tables of an account, with their rows. */
export interface TableRows {
  readonly account: AccountRecord;
  readonly tokens: Token;
  readonly customers: Customer;
  readonly invoices: Invoice;
  readonly payment_links: PaymentLink;
  readonly payments: Payment;
  readonly deposits: Deposit;
  readonly keyed_responses: KeyedResponse;
  readonly deliveries: Delivery;
  readonly attempts: Attempt;
  readonly mails: Mail;
  readonly faults: Fault;
  readonly scenarios: Scenario;
  readonly runs: Run;
  readonly origin: Origin;
  readonly snapshots: Snapshot;
}

/** Rows keyed by table. A row replaces an earlier one with the same id or name. */
export type RowsByTable = { readonly [Name in keyof TableRows]?: readonly TableRows[Name][] };

/** Initial state of an account, for resets. */
export interface Origin {
  readonly clock: ClockState;
  readonly seed: Seed;
}

/** A saved snapshot: the state of an account at a time. */
export interface Snapshot {
  readonly name: string;
  /** Time on the account's clock. */
  readonly created_at: string;
  /** Reference to its rows in the store (`Store.readContents`); null for a deleted snapshot. */
  readonly contents: string | null;
}

/** Changes to one account, stored atomically. */
export interface Commit {
  readonly account: string;
  readonly changes: RowsByTable;
  /**
   * `merge`: the rows are added to the account, or replace its rows with the same id or name; `replace`: they replace
   * all rows of the account; `remove`: the account is removed.
   */
  readonly mode: 'merge' | 'replace' | 'remove';
}
