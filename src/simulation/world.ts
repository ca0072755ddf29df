import type { Customer, Deposit, Invoice, Payment, PaymentLink, Replay, Token } from '../domain/records.js';

/** The machine's time. Everything that knows time asks an account's clock, and that asks this. */
export interface MachineClock {
  /** Milliseconds since 1970. */
  now(): number;
}

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
  /** What random ids and tokens are derived from. */
  readonly random_seed: string;
  readonly created_at: string;
}

/** Rows by table. A row replaces the one with its id. */
export interface Put {
  readonly account?: readonly AccountRecord[];
  readonly tokens?: readonly Token[];
  readonly customers?: readonly Customer[];
  readonly invoices?: readonly Invoice[];
  readonly payment_links?: readonly PaymentLink[];
  readonly payments?: readonly Payment[];
  readonly deposits?: readonly Deposit[];
  readonly replays?: readonly Replay[];
}

/** What is stored together or not at all: rows of one account. */
export interface Commit {
  readonly account: string;
  readonly put: Put;
}

/**
 * Where commits go. Commits are stored in the order of the calls. When one cannot be stored, it and every later one
 * that waits are refused, and none of them is there after the next `load`.
 */
export interface Store {
  /** Every stored commit, oldest first. Called once, before the first `append`. */
  load(): AsyncIterable<Commit>;
  /** Settles once the commit is stored. */
  append(commit: Commit): Promise<void>;
  /** Stores what is left to store and lets go of the files. */
  close(): Promise<void>;
}
