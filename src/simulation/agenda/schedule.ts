import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AdvanceReport, Step } from '../../domain/advance-report.js';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { formatInstant, maxClockTimeMs } from '../../domain/dates.js';
import { ServiceError } from '../../domain/service-error.js';
import { whenAborted } from '../../lib/when-aborted.js';
import type { Cause } from '../activity/activity-log.js';
import type { LiveAccount } from '../live-account.js';
import type { AgendaPlanner } from '../state/apply-changes.js';
import type { ClockState } from '../state/changes.js';
import type { MachineClock } from '../state/ports.js';
import { Agenda, compareItems } from './agenda.js';
import { isCurrent, runItem } from './handlers.js';

/** Number of items that an advance runs before it lets the event loop do other work. */
const itemsPerTurn = 256;

/** First pause after a storage failure, in real milliseconds. Pauses double while the store keeps failing. */
const shortestPauseMs = 1_000;

/**
 * Longest pause after a storage failure. Each attempt to run the due items sends their webhooks again, and logs the
 * failure, so frequent attempts would flood the receiver and the log for as long as a disk is full.
 */
const longestPauseMs = 30_000;

/**
 * Longest timer, in real milliseconds. Node's timers do not notice that the machine's clock was changed, or kept running
 * while the machine slept, so a longer timer could fire much too late.
 */
const longestTimerMs = 60_000;

/** Default limit of the wait for webhook receivers and mail servers, in real milliseconds. */
export const defaultAdvanceTimeoutMs = 30_000;
/** Maximum of that wait. */
export const maxAdvanceTimeoutMs = 600_000;

/** How far to advance the clock: by a duration, or to a time in milliseconds since 1970. */
export type AdvanceOptions = ({ readonly by: number } | { readonly to: number }) & {
  /** Maximum wait for webhook receivers and mail servers in total, in real milliseconds. */
  readonly timeoutMs: number;
  /** False to wait only for receivers of webhooks, and not for the SMTP server; default: true. */
  readonly waitsForMails?: boolean;
  /** Mode of the clock afterwards; default: unchanged. */
  readonly mode?: ClockState['mode'] | undefined;
  /**
   * Called with the times when the advance begins, as ISO 8601, before it is logged: another advance may have moved the
   * clock since this one was requested.
   */
  readonly onStart?: (from: string, to: string) => void;
};

/** Runs the items of the agenda when they are due, one after the other: by timer, and when the clock is advanced. */
export class Schedule implements AgendaPlanner {
  readonly #account: LiveAccount;
  /** Clock of the machine, for timers; the account's clock may show another time. */
  readonly #machine: MachineClock;
  readonly #agenda: Agenda;
  #isStarted = false;
  /** Current timer, with its time on the account's clock. */
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  /** Settles when the last queued change of the clock is done. */
  #lastClockChange: Promise<unknown> = Promise.resolve();
  #isRunningItems = false;
  /** The pause after a storage failure that is in progress. */
  #pause: { readonly ended: Promise<void>; readonly end: () => void } | undefined;
  /** Last pause after a storage failure: its length, and the machine's time at its end. */
  #lastPause = { milliseconds: 0, endsAt: Number.NEGATIVE_INFINITY };
  /** Number of storage failures so far. A failure during an advance ends the advance. */
  #failureCount = 0;

  constructor(account: LiveAccount, machine: MachineClock) {
    this.#account = account;
    this.#machine = machine;
    this.#agenda = new Agenda((a, b) => compareItems(account, a, b));
  }

  plan(item: AgendaItem): void {
    this.#agenda.plan(item);
    this.#setTimer();
  }

  planAgain(item: AgendaItem): void {
    this.#agenda.planAgain(item);
    this.#setTimer();
  }

  /**
   * Agenda items that have yet to run, in order, up to a limit. Duplicates, and items that no longer apply, are left
   * out: planning does not remove earlier items of the same record, since they do nothing when they run.
   */
  upcoming(limit = Number.POSITIVE_INFINITY): AgendaItem[] {
    const seen = new Set<string>();
    const upcoming: AgendaItem[] = [];
    for (const item of this.#agenda.items()) {
      if (upcoming.length >= limit) break;
      const { at, kind, id } = item;
      if (seen.has(`${kind} ${id}`) || !isCurrent(this.#account, item)) continue;
      seen.add(`${kind} ${id}`);
      upcoming.push({ at, kind, id });
    }
    return upcoming;
  }

  /** Starts running due items by timer. */
  start(): void {
    this.#isStarted = true;
    this.#setTimer();
  }

  stop(): void {
    this.#isStarted = false;
    this.#cancelTimer();
    this.#pause?.end();
  }

  /** Sets the timer again, because the clock has been changed. */
  clockChanged(): void {
    this.#cancelTimer();
    this.#setTimer();
  }

  /**
   * Pauses the timer and the sending of messages after a storage failure: the items whose changes were undone are due
   * again, and would otherwise run, and probably fail, immediately.
   */
  storeFailed(): void {
    this.#failureCount += 1;
    if (this.#pause || !this.#isStarted) return;
    this.#cancelTimer();
    const now = this.#machine.now();
    const { milliseconds: lastMs, endsAt } = this.#lastPause;
    // A failure soon after the last pause means that the store has not recovered in between.
    const isStillFailing = now - endsAt < longestPauseMs;
    const milliseconds = isStillFailing ? Math.min(2 * lastMs, longestPauseMs) : shortestPauseMs;
    this.#lastPause = { milliseconds, endsAt: now + milliseconds };
    let resolveEnded = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve;
    });
    const end = (): void => {
      cancelTimer();
      this.#pause = undefined;
      resolveEnded();
      this.#setTimer();
    };
    const cancelTimer = this.#machine.setTimer(milliseconds, end);
    this.#pause = { ended, end };
  }

  /** Resolves when the pause after a storage failure ends; undefined if there is none. */
  whenPauseEnds(): Promise<void> | undefined {
    return this.#pause?.ended;
  }

  /**
   * Runs due items, then `work`. The clock does not move during `work`: otherwise an item could become due between two
   * readings of the clock.
   */
  withClockPinned<Result>(work: () => Result): Result {
    // While items run, the clock is pinned already.
    if (this.#isRunningItems) return work();
    const { clock } = this.#account;
    const now = clock.now();
    this.runDueItems(now);
    clock.pin(now);
    try {
      return work();
    } finally {
      clock.unpin();
    }
  }

  /** Runs the items that are due now, each at its own time, without waiting for receivers. */
  runDueItems(now = this.#account.clock.now()): void {
    if (this.#isRunningItems || !this.#isDue(now)) return;
    const { clock } = this.#account;
    this.#isRunningItems = true;
    try {
      while (this.#isDue(now)) this.#runNextItem(null);
    } finally {
      this.#isRunningItems = false;
      clock.unpin();
    }
    this.#setTimer();
  }

  /** Freezes or resumes the clock at its current time, after any advance in progress. */
  setMode(mode: ClockState['mode']): Promise<void> {
    return this.#enqueue(async () => {
      const { record, clock } = this.#account;
      const state = clock.stateAt(clock.now(), mode);
      this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
      await this.#account.whenStored();
    });
  }

  /**
   * Freezes the clock at a time that is not in the past, without waiting for an advance in progress or for storage.
   * Items that are due by then run by timer. For the start of a simulator.
   * @throws ServiceError clock-backwards, clock-too-far
   */
  freezeAt(time: number): void {
    const { record, clock } = this.#account;
    if (time < clock.now()) throw clockBackwards(clock.now());
    if (time > maxClockTimeMs) throw clockTooFar();
    const state = clock.stateAt(time, 'frozen');
    this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
  }

  /**
   * Advances the clock. The items that fall due on the way, and the items that these plan, run in order, each at its
   * own time. Before the clock moves on to the next time, receivers must have responded, or the timeout must have
   * passed. Concurrent advances run one after the other. The action that calls this is logged as the cause of the
   * items.
   * @throws ServiceError clock-backwards, clock-too-far, not-stored, account-replaced
   */
  advance(options: AdvanceOptions): Promise<AdvanceReport> {
    const cause = this.#account.activity.currentCause;
    return this.#enqueue(() => this.#advance(options, cause));
  }

  /**
   * True while due items run, and during an advance. During an advance, the stored clock already shows the target time,
   * whereas `now()` shows the time of the current item.
   */
  get isRunningItems(): boolean {
    return this.#isRunningItems;
  }

  #enqueue<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#lastClockChange.then(change);
    this.#lastClockChange = result.catch(() => undefined);
    return result;
  }

  async #advance(
    { timeoutMs, waitsForMails = true, mode, onStart, ...goal }: AdvanceOptions,
    cause: Cause | undefined,
  ): Promise<AdvanceReport> {
    const account = this.#account;
    const { clock } = account;
    // During a pause no messages are sent, and the advance would wait for them.
    this.#pause?.end();
    this.runDueItems();
    const from = clock.now();
    const to = 'to' in goal ? goal.to : from + goal.by;
    if (to < from) throw clockBackwards(from);
    if (to > maxClockTimeMs) throw clockTooFar();
    onStart?.(formatInstant(from), formatInstant(to));
    const steps: Step[] = [];
    const stopWatching = account.watch((step) => steps.push(step));
    const timeout = new AbortController();
    const cancelTimeout = this.#machine.setTimer(timeoutMs, () => timeout.abort());
    this.#isRunningItems = true;
    clock.pin(from);
    try {
      // The target time is stored first: if the process ends in the middle of the advance, the remaining items are due
      // at the next start.
      account.transaction((tx) => tx.put({ account: [{ ...account.record, clock: clock.stateAt(to, mode) }] }));
      const causedBy = cause ? account.activity.logCause(cause) : null;
      await this.#runItemsUntil(to, causedBy, waitsForMails, timeout.signal);
      // Closing an account drops its messages, which may have ended the loop early.
      if (account.isClosed) throw new ServiceError('account-replaced');
    } catch (error) {
      const isNotStored = error instanceof ServiceError && error.code === 'not-stored';
      throw isNotStored ? advanceNotStored(clock.unpinnedNow(), to, error) : error;
    } finally {
      cancelTimeout();
      stopWatching();
      this.#isRunningItems = false;
      clock.unpin();
      this.clockChanged();
    }
    return { from: formatInstant(from), to: formatInstant(to), steps, in_progress: account.inProgress };
  }

  /**
   * Runs the items that are due by a time, and waits until all is stored. Before the clock moves on, receivers must have
   * responded.
   * @param timeout aborted when the wait for receivers is over
   */
  async #runItemsUntil(
    to: number,
    causedBy: string | null,
    waitsForMails: boolean,
    timeout: AbortSignal,
  ): Promise<void> {
    const account = this.#account;
    const timedOut = whenAborted(timeout);
    const failureCountBefore = this.#failureCount;
    for (let count = 1; ; count++) {
      if (this.#failureCount > failureCountBefore) throw new ServiceError('not-stored');
      const isIdle = waitsForMails ? account.isIdle : account.areWebhooksIdle;
      if (!isIdle && !timeout.aborted && !this.#isDue(account.clock.now())) {
        await account.whenStored();
        await Promise.race([waitsForMails ? account.whenIdle() : account.whenWebhooksIdle(), timedOut]);
        continue;
      }
      if (!this.#isDue(to)) return account.whenStored();
      this.#runNextItem(causedBy);
      if (count % itemsPerTurn === 0) {
        await account.whenStored();
        await nextTurn();
      }
    }
  }

  #isDue(time: number): boolean {
    const at = this.#agenda.nextAt;
    return at !== undefined && at <= time;
  }

  /**
   * Runs the next item, with the clock pinned to its time.
   * @param causedBy correlation of the advance that runs the item, in the activity log; null if it runs without one
   */
  #runNextItem(causedBy: string | null): void {
    const item = this.#agenda.takeNext();
    if (!item) return;
    this.#account.clock.pin(item.at);
    this.#account.activity.duringItem(item, causedBy, () => runItem(this.#account, item));
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Sets the timer for the next item, if the clock is running or the item is due. */
  #setTimer(): void {
    const at = this.#agenda.nextAt;
    if (!this.#isStarted || this.#isRunningItems || this.#pause || at === undefined) return;
    const { clock } = this.#account;
    const waitMs = at - clock.now();
    if (waitMs > 0 && clock.isFrozen) return;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const cancel = this.#machine.setTimer(Math.min(Math.max(0, waitMs), longestTimerMs), () => {
      this.#timer = undefined;
      try {
        this.runDueItems();
      } catch (error) {
        this.#account.ports.onFailure(error);
      }
      // If an item has failed, the ones after it are still due. A timer may also fire too early: by a millisecond, or
      // because the wait is longer than `longestTimerMs`.
      this.#setTimer();
    });
    this.#timer = { at, cancel };
  }
}

/**
 * Error that ends an advance: changes could not be stored, and their agenda items are due again.
 * @param now time that the clock shows: the target if the advance itself was stored, otherwise an earlier time
 */
function advanceNotStored(now: number, target: number, cause: ServiceError): ServiceError {
  const clock =
    now < target
      ? `the clock still shows ${formatInstant(now)}, so repeat the advance`
      : `the clock has moved to ${formatInstant(now)}, so do not repeat the advance`;
  const hint = `see the log of the simulator for the reason; ${clock}; the items that are due will run again`;
  return new ServiceError('not-stored', { hint, cause });
}

/** Error for a time before the current one. */
function clockBackwards(now: number): ServiceError {
  return new ServiceError('clock-backwards', {
    hint: `the clock shows ${formatInstant(now)} and only moves forward; restore a snapshot to go back`,
  });
}

/** Error for a time after `maxClockTimeMs`. */
export function clockTooFar(): ServiceError {
  return new ServiceError('clock-too-far', { hint: `the latest possible time is ${formatInstant(maxClockTimeMs)}` });
}
