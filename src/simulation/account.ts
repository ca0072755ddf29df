import type { Step } from '../domain/advance-report.js';
import type { AgendaItem } from '../domain/agenda-item.js';
import type { RateReport } from '../domain/rate-window.js';
import type { Delivery, Mail } from '../domain/records.js';
import { ServiceError } from '../domain/service-error.js';
import type { Profile } from '../openapi/profile.js';
import { ActivityLog } from './activity/activity-log.js';
import { type BodyRing, RequestLog } from './activity/request-log.js';
import { Schedule } from './agenda/schedule.js';
import { Coverage } from './coverage.js';
import { attemptDelivery, queueOf } from './delivery/deliveries.js';
import { Dispatcher } from './delivery/dispatcher.js';
import { attemptMail } from './delivery/mails.js';
import type { LiveAccount } from './live-account.js';
import { AccountState, type Ports } from './state/account-state.js';
import { applyChanges } from './state/apply-changes.js';
import type { AccountRecord, RowsByTable } from './state/changes.js';
import type { CommitObserver, ObservedCommit } from './state/commit-observer.js';
import type { PendingCommits } from './state/pending-commits.js';
import type { Client } from './state/rate-counter.js';
import { Transaction } from './transaction.js';

/** Maximum number of webhook messages that an account sends at the same time; further messages wait. */
export const maxDeliveriesAtOnce = 16;

/** Logs and coverage of an account, in memory. Resets and restores keep them. */
export interface AccountLogs {
  readonly requests: RequestLog;
  readonly activity: ActivityLog;
  /** Bodies of requests and responses; all accounts share this ring. */
  readonly bodies: BodyRing;
  coverage: Coverage;
}

export function createLogs(bodies: BodyRing, commits: PendingCommits): AccountLogs {
  return { requests: new RequestLog(), activity: new ActivityLog(commits), bodies, coverage: new Coverage() };
}

/**
 * A billing account in operation: its state, transactions, agenda, webhooks and emails. `LiveAccount` and
 * `WritableAccount` document the methods that have no comment here.
 */
export class Account extends AccountState implements LiveAccount {
  readonly schedule: Schedule;
  readonly logs: AccountLogs;
  readonly #webhookDispatcher: Dispatcher;
  readonly #mailDispatcher: Dispatcher;
  readonly #observers = new Set<CommitObserver>([
    { observe: (changes) => this.coverage.commitCounts.observe(changes, this) },
    { observe: (changes) => this.activity.observe(changes, this) },
  ]);
  readonly #onClose = new Set<() => void>();
  readonly #commits: PendingCommits;
  #transaction: Transaction | undefined;
  #isClosed = false;

  /** @param logs logs of the account that this one replaces, or new logs */
  constructor(record: AccountRecord, profile: Profile, ports: Ports, commits: PendingCommits, logs: AccountLogs) {
    super(record, profile, ports);
    this.#commits = commits;
    this.logs = logs;
    this.schedule = new Schedule(this, ports.clock);
    const { onFailure } = ports;
    this.#webhookDispatcher = new Dispatcher(maxDeliveriesAtOnce, (id, signal) =>
      attemptDelivery(this, id, signal).catch(onFailure),
    );
    // One email at a time.
    this.#mailDispatcher = new Dispatcher(1, (id) => attemptMail(this, id).catch(onFailure));
  }

  get requests(): RequestLog {
    return this.logs.requests;
  }

  get activity(): ActivityLog {
    return this.logs.activity;
  }

  get coverage(): Coverage {
    return this.logs.coverage;
  }

  resetCoverage(): void {
    this.logs.coverage = new Coverage();
  }

  transaction<Result>(work: (tx: Transaction) => Result): Result {
    if (this.#transaction) return work(this.#transaction);
    const tx = new Transaction(this);
    this.#transaction = tx;
    let result: Result;
    try {
      result = work(tx);
    } finally {
      this.#transaction = undefined;
    }
    if (tx.changes) this.#commit(tx.changes);
    return result;
  }

  /** Applies changes in memory and queues them for storage. `PendingCommits.whenStored` waits until they are stored. */
  #commit(changes: RowsByTable): void {
    if (this.#isClosed) throw new ServiceError('account-replaced');
    const undo: (() => void)[] = [];
    const observed: ObservedCommit[] = [];
    for (const observer of this.#observers) {
      const commit = observer.observe(changes, this);
      if (commit) observed.push(commit);
      if (commit?.undo) undo.push(commit.undo);
    }
    applyChanges(this, changes, this.schedule, (undoChange) => undo.push(undoChange));
    const undoCommit = (): undefined => {
      this.schedule.storeFailed();
      for (const undoChange of undo.reverse()) undoChange();
      // The numbers and suffixes of the undone records are free again.
      this.lastNumbers.clear();
      this.lastSuffixes.clear();
      // No second step is needed after all commits are undone; see `Undo` in pending-commits.ts.
      return undefined;
    };
    try {
      this.#commits.record({ account: this.id, changes, mode: 'merge' }, undoCommit);
    } catch (error) {
      undoCommit();
      throw error;
    }
    // After `record`, so that an observer can wait until the commit is stored.
    for (const commit of observed) commit.committed?.();
  }

  /** True once the account was deleted or replaced, or the simulator stopped. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Loads stored rows into memory. */
  load(changes: RowsByTable): void {
    applyChanges(this, changes, this.schedule);
  }

  /**
   * Stores rows of this account for a snapshot.
   * @returns reference for `readContents`
   * @throws ServiceError not-stored
   */
  saveContents(rows: RowsByTable): Promise<string> {
    return this.#commits.saveContents(this.id, rows);
  }

  /** Reads rows that `saveContents` has stored. */
  readContents(reference: string): Promise<RowsByTable> {
    return this.#commits.readContents(reference);
  }

  async whenStored(): Promise<void> {
    await this.#commits.whenStored();
  }

  undoIfNotStored(undo: () => void): void {
    this.#commits.undoIfNotStored(undo);
  }

  async whenReadyToSend(): Promise<void> {
    // While this waits for the store, the store can fail, which starts another pause.
    do {
      await this.schedule.whenPauseEnds();
      await this.whenStoredOrUndone();
    } while (this.schedule.whenPauseEnds());
  }

  /** Resolves once every change in memory is stored or, after a storage failure, undone. */
  async whenStoredOrUndone(): Promise<void> {
    for (let isStored = false; !isStored; ) {
      isStored = await this.whenStored().then(
        () => true,
        () => false,
      );
    }
  }

  watch(watcher: (step: Step) => void): () => void {
    return this.activity.watchSteps(watcher);
  }

  /** Calls back after every commit, even one without a step, such as a change to the clock. */
  watchCommits(watcher: () => void): () => void {
    const observer: CommitObserver = { observe: () => ({ committed: watcher }) };
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  onClose(callback: () => void): () => void {
    this.#onClose.add(callback);
    return () => this.#onClose.delete(callback);
  }

  plan(item: AgendaItem): void {
    this.schedule.plan(item);
  }

  enqueueDelivery(delivery: Delivery): void {
    this.#webhookDispatcher.add({ id: delivery.id, queue: queueOf(this, delivery) });
  }

  enqueueMail(mail: Mail): void {
    this.#mailDispatcher.add({ id: String(mail.id), queue: undefined });
  }

  get isIdle(): boolean {
    return this.areWebhooksIdle && this.#mailDispatcher.isIdle;
  }

  get areWebhooksIdle(): boolean {
    return this.#webhookDispatcher.isIdle;
  }

  async whenIdle(): Promise<void> {
    await Promise.all([this.whenWebhooksIdle(), this.#mailDispatcher.whenIdle()]);
  }

  whenWebhooksIdle(): Promise<void> {
    return this.#webhookDispatcher.whenIdle();
  }

  get inProgress(): string[] {
    return [...this.#webhookDispatcher.unfinishedIds, ...this.#mailDispatcher.unfinishedIds.map((id) => `email ${id}`)];
  }

  /** Stops the schedule and all sending, because the account was deleted or replaced, or the simulator stops. */
  close(): void {
    this.#isClosed = true;
    this.schedule.stop();
    this.#webhookDispatcher.stop();
    this.#mailDispatcher.stop();
    for (const callback of this.#onClose) callback();
    this.#onClose.clear();
  }

  /** Counts a request in its rate window (specification, Limits; gaps rate.*). */
  countRequest(client: Client): RateReport {
    return this.rates.count(client, this.profile, this.record.rate_limit);
  }
}
