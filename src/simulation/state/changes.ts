import type { Fault } from '../../domain/faults.js';
import type {
  Attempt,
  Customer,
  Delivery,
  Deposit,
  Invoice,
  Mail,
  Payment,
  PaymentLink,
  Replay,
  Token,
} from '../../domain/records.js';
import type { Run, Scenario } from '../../domain/scenario.js';
import type { Seed } from '../../domain/seed.js';

/** The clock of an account: it runs with the machine's at an offset, or stands still. */
export type ClockState =
  | { readonly mode: 'real'; readonly offset: number }
  | { readonly mode: 'frozen'; readonly at: string };

/** The account's own record. */
export interface AccountRecord {
  readonly id: string;
  readonly currency: string;
  readonly time_zone: string;
  /** Whether requests beyond the limit are refused. The headers are sent either way. */
  readonly rate_limit: boolean;
  readonly clock: ClockState;
  /** The choices that differ from the defaults, as a profile file says them. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** The seed of random ids and tokens. */
  readonly random_seed: string;
  /** Tokens and webhook secrets follow from the random seed, too, since somebody has chosen it. Left out where nobody has. */
  readonly has_chosen_seed?: true;
  /** How many webhook secrets it was given by rotation; left out where none. */
  readonly rotations?: number;
  /** Where events are told; null for nowhere. */
  readonly webhook_url: string | null;
  readonly webhook_secret: string;
  /** The secret before that one; left out where there was none. Shown nowhere. */
  readonly retired_secret?: string;
  readonly created_at: string;
}

/** The tables of an account, by name, and the rows that they have. */
export interface TableRows {
  readonly account: AccountRecord;
  readonly tokens: Token;
  readonly customers: Customer;
  readonly invoices: Invoice;
  readonly payment_links: PaymentLink;
  readonly payments: Payment;
  readonly deposits: Deposit;
  readonly replays: Replay;
  readonly deliveries: Delivery;
  readonly attempts: Attempt;
  readonly mails: Mail;
  readonly faults: Fault;
  readonly scenarios: Scenario;
  readonly runs: Run;
  readonly origin: Origin;
  readonly snapshots: Snapshot;
}

/** Rows by table. A row replaces the one with its id. */
export type RowChanges = { readonly [Name in keyof TableRows]?: readonly TableRows[Name][] };

/** The beginning of an account, to which a reset goes back. */
export interface Origin {
  readonly clock: ClockState;
  readonly seed: Seed;
}

/** A saved snapshot: an account as it was at a moment. */
export interface Snapshot {
  readonly name: string;
  /** On the account's clock. */
  readonly created_at: string;
  /** Where the store keeps its rows (`Store.readContents`); null once the snapshot was removed. */
  readonly contents: string | null;
}

/** Changes to one account that are stored together or not at all. */
export interface Commit {
  readonly account: string;
  readonly changes: RowChanges;
  /** Whether the rows are merged into those of the account, replace all of them, or the account is removed. */
  readonly mode: 'merge' | 'replace' | 'remove';
}
