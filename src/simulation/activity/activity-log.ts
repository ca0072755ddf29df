import type { Action, Activity, ActivityDetail } from '../../domain/activity.js';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { formatInstant } from '../../domain/dates.js';
import { Ring } from '../../lib/ring.js';
import type { AccountState } from '../state/account-state.js';
import type { RowsByTable } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import {
  countEntries,
  entriesOf,
  keyOf,
  keyOfDetail,
  type LoggedChange,
  loggedChangesOf,
  loggedDetail,
} from './consequences.js';

/** Maximum number of entries that the log of an account has. */
export const maxActivities = 5_000;

/** Cause of the commits that are made while it is set: a request, an action, a page view or an agenda item. */
interface Cause {
  correlation: string | undefined;
  /**
   * Entry to log before the first consequence; undefined if it has been logged, or for a request, which has its own
   * log.
   */
  detail: ActivityDetail | undefined;
}

/**
 * Latest activity of an account, in memory: actions, due agenda items, and the consequences of these and of requests.
 * Entries with the same correlation have the same cause, even if hours lie between them.
 */
export class ActivityLog implements CommitObserver {
  /** Oldest first. Each change has one or more entries. */
  readonly #changes = new Ring<LoggedChange>(maxActivities);
  readonly #watchers = new Set<(activity: Activity) => void>();
  #lastSequence = 0;
  #cause: Cause | undefined;

  /** Oldest first. */
  entries(): Activity[] {
    const correlations = new Map<string, string>();
    return this.#storedEntries()
      .slice(-maxActivities)
      .map((activity) => {
        const key = keyOfDetail(activity.detail);
        // An entry without a known cause has its key as correlation, and gets that of an earlier entry with its key.
        if (key !== activity.correlation) {
          if (key !== undefined) correlations.set(key, activity.correlation);
          return activity;
        }
        return { ...activity, correlation: correlations.get(key) ?? key };
      });
  }

  /** Whether older entries have been dropped. */
  hasDropped(): boolean {
    return this.#changes.hasDropped || this.#storedEntries().length > maxActivities;
  }

  /**
   * Calls back with every entry, until the returned function is called. The commit of an entry may not be stored yet.
   */
  watch(watcher: (activity: Activity) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Returns a new sequence number, for an entry or for a request, which is in the request log. */
  nextSequence(): number {
    this.#lastSequence += 1;
    return this.#lastSequence;
  }

  /** Runs the handler of a request. The id of the request becomes the correlation of everything that it commits. */
  duringRequest<Result>(id: string, work: () => Result): Result {
    return this.#during({ correlation: id, detail: undefined }, work);
  }

  /** Runs an agenda item, which is logged if it commits something. */
  duringItem<Result>({ at, kind, id }: AgendaItem, work: () => Result): Result {
    return this.#during(
      { correlation: undefined, detail: { kind: 'due', at: formatInstant(at), item: kind, id } },
      work,
    );
  }

  /** Renders a page for a guest. The view is logged if it commits something, as the first view of an invoice does. */
  duringView<Result>(at: number, work: () => Result): Result {
    const detail = { kind: 'action', at: formatInstant(at), by: 'guest', operation: 'view' } as const;
    return this.#during({ correlation: undefined, detail }, work);
  }

  /** Runs an action and logs it once it has succeeded. Its commits before the first `await` get its correlation. */
  duringAction<Result>(action: Action, at: number, work: () => Result): Result {
    const cause: Cause = { correlation: undefined, detail: { kind: 'action', at: formatInstant(at), ...action } };
    const result = this.#during(cause, work);
    if (result instanceof Promise) {
      result.then(
        () => this.#logCause(cause),
        () => undefined,
      );
    } else this.#logCause(cause);
    return result;
  }

  observe(changes: RowsByTable, account: AccountState): ObservedCommit | undefined {
    const now = formatInstant(account.now());
    const logged = loggedChangesOf(changes, account, now);
    const [first] = logged;
    if (!first) return undefined;
    const cause = this.#cause;
    const correlation = cause ? this.#logCause(cause) : (keyOf(first) ?? `act_${this.#lastSequence + 1}`);
    for (const change of logged) this.#add(correlation, change);
    return { undo: () => this.#changes.remove((change) => logged.includes(change)) };
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

  /** Logs a cause unless it has been logged. @returns its correlation */
  #logCause(cause: Cause): string {
    cause.correlation ??= `act_${this.#lastSequence + 1}`;
    if (cause.detail) this.#add(cause.correlation, loggedDetail(cause.detail));
    cause.detail = undefined;
    return cause.correlation;
  }

  #add(correlation: string, change: LoggedChange): void {
    change.sequence = this.#lastSequence + 1;
    change.correlation = correlation;
    this.#lastSequence += countEntries(change);
    this.#changes.add(change);
    if (this.#watchers.size === 0) return;
    const shownCorrelation = correlation === keyOf(change) ? this.#causingCorrelation(correlation) : correlation;
    for (const activity of entriesOf(change)) {
      for (const watcher of this.#watchers) watcher({ ...activity, correlation: shownCorrelation });
    }
  }

  /** Correlation of the cause of an event, mail or scenario run; its key if the log no longer has the cause. */
  #causingCorrelation(key: string): string {
    let result = key;
    for (const change of this.#changes.items())
      if (change.correlation !== key && keyOf(change) === key) result = change.correlation;
    return result;
  }

  /** The entries of all changes, oldest first, with the correlations that they were stored with. */
  #storedEntries(): Activity[] {
    return this.#changes.items().flatMap(entriesOf);
  }
}
