import type { Account } from '../simulation/account.js';

/** The implementation that a run checks, and the options of the run. */
export interface ContractTarget {
  /** Base URL with the version prefix: `https://billing.example/api/v1`. */
  readonly baseUrl: string;
  /** Token with both scopes. */
  readonly token: string;
  /** Ids or id prefixes of the clauses to check; empty for all. */
  readonly only: readonly string[];
  /** True if the run may change records of a service on another machine. */
  readonly mayChangeRemoteRecords: boolean;
}

/** The result of a run for one clause. */
export interface CheckedClause {
  readonly id: string;
  readonly title: string;
  /** Heading of the specification under which the requirement is stated. */
  readonly spec: string;
  /** Quote from the specification; a clause about a gap has none. */
  readonly quote?: string;
  /** One of `passed`, `failed`, `warned`, `observed`, `skipped` and `broken`. */
  readonly status: string;
  /** Reason, in one line; empty for a pass. */
  readonly detail: string;
  /** For a skipped clause, what the run lacks, such as the option `--write` of `billing-sim contract`. */
  readonly missing?: string;
}

/** A run of the contract suite. */
export interface ContractRun {
  /** Base URL of the target. */
  readonly target: string;
  /** `failed` if the run itself could not be completed. */
  readonly status: 'running' | 'finished' | 'stopped' | 'failed';
  /** ISO 8601, by the machine's clock. */
  readonly startedAt: string;
  /** Number of clauses to check. */
  readonly clauseCount: number;
  readonly requestCount: number;
  readonly checked: readonly CheckedClause[];
  /** The result, or why the run failed, in one line; empty while it is running. */
  readonly outcome: string;
}

/** Runs the contract suite in the background, one run at a time for each account. The last run is kept in memory. */
export interface ContractRuns {
  /** The last run that was started from an account. */
  last(account: Account): ContractRun | undefined;
  /** Starts a run. @throws ServiceError invalid, for example if one is in progress */
  start(account: Account, target: ContractTarget): Promise<void>;
  /**
   * Starts a run against a new account with the same profile, and removes that account afterwards.
   * @throws ServiceError invalid
   */
  startOnSimulator(account: Account, only: readonly string[]): Promise<void>;
  /** Stops a run without waiting for the current clause. */
  stop(account: Account): void;
  /** The report of the last run as a complete HTML page; undefined if nothing has been checked. */
  report(account: Account): Promise<string | undefined>;
}
