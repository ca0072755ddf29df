import type { Action, Activity, ActivityDetail } from '../../domain/activity.js';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { instant } from '../../domain/dates.js';
import type { Step } from '../../domain/receipt.js';
import { Fifo } from '../../lib/fifo.js';
import { addOtherSteps } from '../agenda/receipt.js';
import type { AccountState } from '../state/account-state.js';
import type { RowChanges } from '../state/changes.js';
import type { CommitObserver, ObservedCommit } from '../state/commit-observer.js';
import { type ChangedRecord, changedRecordsOf, consequencesOf, countConsequences } from './consequences.js';

/** Maximum number of entries that the log of an account has. */
export const maxActivities = 5_000;

/** A change as the log stores it. Readers get one or more entries for each. */
interface LoggedChange {
  /** Sequence number of the first of its entries. */
  readonly sequence: number;
  readonly correlation: string;
  readonly change: ActivityDetail | ChangedRecord;
}

/** Cause of the commits that follow: a request, an action, a page view or an agenda item. */
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
  readonly #changes = new Fifo<LoggedChange>();
  readonly #watchers = new Set<(activity: Activity) => void>();
  /** Number of entries in the log. */
  #entryCount = 0;
  #lastSequence = 0;
  #hasDropped = false;
  #cause: Cause | undefined;

  /** Oldest first. */
  entries(): Activity[] {
    const correlations = new Map<string, string>();
    return [...this.#changes].flatMap(activitiesOf).map((activity) => {
      const key = keyOf(activity.detail);
      if (key !== activity.correlation) {
        if (key !== undefined) correlations.set(key, activity.correlation);
        return activity;
      }
      return { ...activity, correlation: correlations.get(key) ?? key };
    });
  }

  /** Whether older entries have been dropped. */
  hasDropped(): boolean {
    return this.#hasDropped;
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
    return this.#during({ correlation: undefined, detail: { kind: 'due', at: instant(at), item: kind, id } }, work);
  }

  /** Renders a page for a guest. The view is logged if it commits something, as the first view of an invoice does. */
  duringView<Result>(at: number, work: () => Result): Result {
    const detail = { kind: 'action', at: instant(at), by: 'guest', operation: 'view' } as const;
    return this.#during({ correlation: undefined, detail }, work);
  }

  /** Runs an action and logs it once it has succeeded. Its commits before the first `await` get its correlation. */
  duringAction<Result>(action: Action, at: number, work: () => Result): Result {
    const cause: Cause = { correlation: undefined, detail: { kind: 'action', at: instant(at), ...action } };
    const result = this.#during(cause, work);
    if (result instanceof Promise) {
      result.then(
        () => this.#logCause(cause),
        () => undefined,
      );
    } else this.#logCause(cause);
    return result;
  }

  observe(changes: RowChanges, account: AccountState): ObservedCommit | undefined {
    const now = instant(account.now());
    const consequences: (ChangedRecord | Step)[] = changedRecordsOf(changes, account, now);
    addOtherSteps(consequences, changes, account, now);
    const [first] = consequences;
    if (!first) return undefined;
    const cause = this.#cause;
    const correlation = cause ? this.#logCause(cause) : (keyOf(first) ?? `act_${this.#lastSequence + 1}`);
    const firstSequence = this.#lastSequence + 1;
    for (const consequence of consequences) this.#add(correlation, consequence);
    const lastSequence = this.#lastSequence;
    return { undo: () => this.#remove(firstSequence, lastSequence) };
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
    if (cause.detail) this.#add(cause.correlation, cause.detail);
    cause.detail = undefined;
    return cause.correlation;
  }

  #add(correlation: string, change: ActivityDetail | ChangedRecord): void {
    const logged: LoggedChange = { sequence: this.#lastSequence + 1, correlation, change };
    this.#lastSequence += countEntries(logged);
    this.#changes.push(logged);
    this.#entryCount += countEntries(logged);
    while (this.#entryCount > maxActivities) {
      const oldest = this.#changes.shift();
      if (oldest) this.#entryCount -= countEntries(oldest);
      this.#hasDropped = true;
    }
    if (this.#watchers.size === 0) return;
    const shownCorrelation = correlation === keyOf(change) ? this.#causingCorrelation(correlation) : correlation;
    for (const activity of activitiesOf({ ...logged, correlation: shownCorrelation })) {
      for (const watcher of this.#watchers) watcher(activity);
    }
  }

  /** Correlation of the cause of an event, mail or scenario run; its key if the log no longer has the cause. */
  #causingCorrelation(key: string): string {
    let result = key;
    for (const { change, correlation } of this.#changes)
      if (correlation !== key && keyOf(change) === key) result = correlation;
    return result;
  }

  /** Removes the entries of a commit that could not be stored. */
  #remove(firstSequence: number, lastSequence: number): void {
    const remaining = [...this.#changes].filter(({ sequence }) => sequence < firstSequence || sequence > lastSequence);
    this.#changes.clear();
    for (const change of remaining) this.#changes.push(change);
    this.#entryCount = remaining.reduce((count, change) => count + countEntries(change), 0);
  }
}

/**
 * Key of the event, mail or scenario run that an entry is about; undefined for other entries. An entry without a known
 * cause, such as a later attempt, is stored with this key as its correlation. Readers get the correlation of the event,
 * mail or run instead.
 */
function keyOf(change: ActivityDetail | ChangedRecord): string | undefined {
  switch (change.kind) {
    case 'event':
      return change.id;
    case 'attempt':
      return change.delivery_id;
    case 'mail':
      return `mail_${change.id}`;
    case 'scenario':
      return `run_${change.id}`;
    default:
      return undefined;
  }
}

/** Number of entries that readers get for a change. */
function countEntries({ change }: LoggedChange): number {
  return change.kind === 'record' ? countConsequences(change) : 1;
}

function activitiesOf({ sequence, correlation, change }: LoggedChange): Activity[] {
  const details = change.kind === 'record' ? consequencesOf(change) : [change];
  return details.map((detail, index) => ({ sequence: sequence + index, correlation, detail }));
}
