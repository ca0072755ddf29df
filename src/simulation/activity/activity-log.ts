import type { Action, Activity, ActivityDetail, LogDetails } from '../../domain/activity.js';
import type { Step } from '../../domain/advance-report.js';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { formatInstant } from '../../domain/dates.js';
import { truncate } from '../../lib/messages.js';
import { Ring } from '../../lib/queues.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import type { PendingCommits } from '../state/pending-commits.js';
import {
  countEntries,
  detailsOf,
  entriesOf,
  keyOf,
  keyOfDetail,
  type LoggedChange,
  type LoggedDetail,
  loggedChangesOf,
  loggedDetail,
} from './logged-changes.js';

/** Maximum number of entries that the log of an account keeps. */
export const maxActivities = 5_000;

/** Maximum length of the details of an action. */
const maxDetailsLength = 500;

/** A request, an action, a page view or an agenda item: the cause of all commits that are made while it is current. */
export interface Cause {
  /** For a request, its id; for any other cause, undefined until the cause is logged. */
  correlation: string | undefined;
  /**
   * Entry to log before the first consequence; undefined if it has been logged, and for requests, which have their own
   * log.
   */
  detail: ActivityDetail | undefined;
  /** The entry, once it has been logged. */
  entry: LoggedDetail | undefined;
}

/**
 * Latest activity of an account, in memory: actions, due agenda items, and the consequences of these and of requests.
 * Entries with the same correlation have the same cause, even if they are hours apart.
 */
export class ActivityLog implements CommitObserver {
  /** Oldest first. Each change has one or more entries. */
  readonly #changes = new Ring<LoggedChange>(maxActivities);
  readonly #watchers = new Set<(activity: Activity) => void>();
  readonly #stepWatchers = new Set<(step: Step) => void>();
  #lastSequence = 0;
  #replacements: readonly number[] = [];
  #cause: Cause | undefined;
  readonly #commits: Pick<PendingCommits, 'undoIfNotStored'>;

  constructor(commits: Pick<PendingCommits, 'undoIfNotStored'>) {
    this.#commits = commits;
  }

  /** All entries, oldest first. */
  entries(): Activity[] {
    const correlations = new Map<string, string>();
    let replacementIndex = 0;
    return this.#storedEntries()
      .slice(-maxActivities)
      .map((activity) => {
        // After a reset or restore, another email or run may have the same key.
        while (activity.sequence > (this.#replacements[replacementIndex] ?? Infinity)) {
          correlations.clear();
          replacementIndex += 1;
        }
        const key = keyOfDetail(activity.detail);
        // An entry whose cause is unknown, such as a retry of a delivery, is stored with its key (see `keyOf`) as
        // correlation. It gets the correlation of an earlier entry with the same key, whose cause is known.
        if (key !== activity.correlation) {
          if (key !== undefined) correlations.set(key, activity.correlation);
          return activity;
        }
        return { ...activity, correlation: correlations.get(key) ?? key };
      });
  }

  /** Sequence number of the latest entry that has been dropped; 0 if none has. */
  get droppedUpTo(): number {
    const { lastDropped } = this.#changes;
    const newestLeftOut = this.#storedEntries().at(-maxActivities - 1);
    return newestLeftOut?.sequence ?? (lastDropped ? lastDropped.sequence + countEntries(lastDropped) - 1 : 0);
  }

  /**
   * Sequence number of the last entry before a reset or restore replaced the records; 0 if none did. The entries up to
   * it are about records that no longer exist, although new ones may have the same ids.
   */
  get outdatedUpTo(): number {
    return this.#replacements.at(-1) ?? 0;
  }

  /** Sequence numbers of the last entries before each reset or restore, in order, as far as the log goes back. */
  get replacements(): readonly number[] {
    return this.#replacements;
  }

  /**
   * Marks all entries as outdated, because the records have been replaced.
   * @param whenStored if it rejects, the previous records are restored, and so is the mark
   */
  markOutdated(whenStored: Promise<void>): void {
    const mark = this.#lastSequence;
    const droppedUpTo = this.#changes.lastDropped?.sequence ?? 0;
    this.#replacements = [...this.#replacements.filter((earlier) => earlier > droppedUpTo), mark];
    whenStored.catch(() => {
      const index = this.#replacements.lastIndexOf(mark);
      if (index !== -1) this.#replacements = this.#replacements.toSpliced(index, 1);
    });
  }

  /** Calls back with every new entry, until the returned function is called. Its commit may not be stored yet. */
  watch(watcher: (activity: Activity) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Like `watch`, but only for steps of an advance report, such as transitions. */
  watchSteps(watcher: (step: Step) => void): () => void {
    this.#stepWatchers.add(watcher);
    return () => this.#stepWatchers.delete(watcher);
  }

  /** Returns the next sequence number. Requests share this numbering, although they are in the request log. */
  nextSequence(): number {
    this.#lastSequence += 1;
    return this.#lastSequence;
  }

  /**
   * Runs the handler of a request. The id of the request becomes the correlation of everything that the handler
   * commits.
   */
  duringRequest<Result>(id: string, work: () => Result): Result {
    return this.#during({ correlation: id, detail: undefined, entry: undefined }, work);
  }

  /**
   * Runs an agenda item, which is logged if it commits something.
   * @param causedBy correlation of the clock advance that runs it; null if it runs without an advance
   */
  duringItem({ at, kind, id }: AgendaItem, causedBy: string | null, work: () => void): void {
    const detail = { kind: 'due', at: formatInstant(at), item: kind, id, caused_by: causedBy } as const;
    this.#during({ correlation: undefined, detail, entry: undefined }, work);
  }

  /**
   * Runs `work`, which renders a page for a guest. The view is logged if it commits something, as the first view of an
   * invoice does.
   */
  duringView<Result>(at: number, work: () => Result): Result {
    const detail = { kind: 'action', at: formatInstant(at), by: 'guest', operation: 'view', details: null } as const;
    return this.#during({ correlation: undefined, detail, entry: undefined }, work);
  }

  /**
   * Runs an action and logs it: at its first commit or, if it commits nothing, once it has succeeded. What it commits
   * before its first `await` gets its correlation.
   */
  duringAction<Result>(action: Action, at: number, work: (logDetails: LogDetails) => Result): Result {
    const entry = { kind: 'action', at: formatInstant(at), ...action, details: null } as const;
    const cause: Cause = { correlation: undefined, detail: entry, entry: undefined };
    const logDetails = (details: string): void => {
      if (!cause.detail) throw new Error(`the action ${action.operation} has been logged without its details`);
      cause.detail = { ...entry, details: truncate(details, maxDetailsLength) };
    };
    const result = this.#during(cause, () => work(logDetails));
    if (result instanceof Promise) {
      result.then(
        () => this.logCause(cause),
        () => undefined,
      );
    } else this.logCause(cause);
    return result;
  }

  /** Cause of what is committed now; undefined if it is unknown. */
  get currentCause(): Cause | undefined {
    return this.#cause;
  }

  /** Logs a cause after its changes; see `#logCauseOfCommit`. If they cannot be stored, the entry is removed. */
  logCause(cause: Cause): string {
    const loggedCause = cause.detail && cause;
    if (loggedCause) this.#commits.undoIfNotStored(() => this.#undo([], loggedCause));
    const correlation = this.#logCauseOfCommit(cause);
    this.#notify([], loggedCause);
    return correlation;
  }

  /** Logs a cause before the changes of a commit, unless it has been logged. @returns its correlation */
  #logCauseOfCommit(cause: Cause): string {
    cause.correlation ??= `act_${this.#lastSequence + 1}`;
    if (cause.detail) {
      cause.entry = loggedDetail(cause.detail);
      this.#add(cause.correlation, cause.entry);
    }
    cause.detail = undefined;
    return cause.correlation;
  }

  observe(changes: RowsByTable, account: AccountState): ObservedCommit | undefined {
    const logged = loggedChangesOf(changes, account, formatInstant(account.now()));
    const [first] = logged;
    if (!first) return undefined;
    const cause = this.#cause;
    // If this commit is the first to log the cause, the entry of the cause is undone with it.
    const loggedCause = cause?.detail && cause;
    const correlation = cause ? this.#logCauseOfCommit(cause) : (keyOf(first) ?? `act_${this.#lastSequence + 1}`);
    for (const change of logged) this.#add(correlation, change);
    return { undo: () => this.#undo(logged, loggedCause), committed: () => this.#notify(logged, loggedCause) };
  }

  /** Removes changes that could not be stored, and the entry of their cause. */
  #undo(logged: readonly LoggedChange[], cause: Cause | undefined): void {
    const entry = cause?.entry;
    this.#changes.remove((change) => change === entry || logged.includes(change));
    // The next commit of the cause logs the cause again.
    if (cause) cause.detail ??= entry?.detail;
  }

  #during<Result>(cause: Cause, work: () => Result): Result {
    const outer = this.#cause;
    this.#cause = cause;
    try {
      return work();
    } finally {
      this.#cause = outer;
    }
  }

  #add(correlation: string, change: LoggedChange): void {
    change.sequence = this.#lastSequence + 1;
    change.correlation = correlation;
    this.#lastSequence += countEntries(change);
    this.#changes.add(change);
  }

  /** Tells the watchers about changes, and about the cause that was logged with them, if any. */
  #notify(logged: readonly LoggedChange[], cause: Cause | undefined): void {
    // A cause is never a step of an advance.
    if (this.#stepWatchers.size > 0) for (const change of logged) this.#notifyOfSteps(change);
    if (this.#watchers.size === 0) return;
    for (const change of cause?.entry ? [cause.entry, ...logged] : logged) this.#notifyOfEntries(change);
  }

  #notifyOfSteps(change: LoggedChange): void {
    for (const detail of detailsOf(change)) {
      if (isStep(detail)) for (const watcher of this.#stepWatchers) watcher(detail);
    }
  }

  #notifyOfEntries(change: LoggedChange): void {
    const isOwnKey = change.correlation === keyOf(change);
    const correlation = isOwnKey ? this.#correlationOfCause(change.correlation) : change.correlation;
    for (const activity of entriesOf({ ...change, correlation }))
      for (const watcher of this.#watchers) watcher(activity);
  }

  /** Correlation of the cause of an event, email or scenario run; its key if the log no longer has the cause. */
  #correlationOfCause(key: string): string {
    let result = key;
    for (const change of this.#changes.items())
      if (change.sequence > this.outdatedUpTo && change.correlation !== key && keyOf(change) === key)
        result = change.correlation;
    return result;
  }

  /** The entries of all changes, oldest first, with the correlations that they were stored with. */
  #storedEntries(): Activity[] {
    return this.#changes.items().flatMap(entriesOf);
  }
}

function isStep(detail: ActivityDetail): detail is Step {
  return detail.kind !== 'action' && detail.kind !== 'due' && detail.kind !== 'created';
}
