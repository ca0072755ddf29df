import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AgendaItem } from '../../domain/agenda-item.js';
import { endOfTime, instant } from '../../domain/dates.js';
import type { Receipt, Step } from '../../domain/receipt.js';
import { ServiceError } from '../../domain/service-error.js';
import type { LiveAccount } from '../live-account.js';
import type { AgendaPlanner } from '../state/apply-changes.js';
import type { ClockState } from '../state/changes.js';
import type { MachineClock } from '../state/ports.js';
import { Agenda } from './agenda.js';
import { isCurrent, runItem } from './handlers.js';

/** Number of items after which the event loop runs other work. */
const itemsPerTurn = 256;

/** Wait before a retry after a storage failure, in real milliseconds. */
const storeRetryMs = 1_000;

/** Default wait for receivers, in real milliseconds. */
export const defaultAdvanceTimeoutMs = 30_000;

/** How far to advance the clock: by a duration, or to a time in milliseconds since 1970. */
export type AdvanceOptions = ({ readonly by: number } | { readonly to: number }) & {
  /** Real milliseconds to wait for receivers in total. */
  readonly timeoutMs: number;
  /** Whether the clock runs or is frozen afterwards; default: as before. */
  readonly mode?: ClockState['mode'] | undefined;
};

/** Runs due agenda items: by timer on a running clock, and all at once when the clock is advanced. */
export class Schedule implements AgendaPlanner {
  readonly #account: LiveAccount;
  readonly #machine: MachineClock;
  readonly #agenda = new Agenda();
  #isStarted = false;
  /** Current timer: its time on the account's clock, and how to cancel it. */
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isRunningItems = false;
  #isPaused = false;
  /** Number of storage failures so far; an advance ends when it grows. */
  #failures = 0;

  constructor(account: LiveAccount, machine: MachineClock) {
    this.#account = account;
    this.#machine = machine;
  }

  plan(item: AgendaItem): void {
    this.#agenda.plan(item);
    this.#setTimer();
  }

  /** Current agenda items in order, up to a limit. */
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
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Resets the timer after the clock was set. */
  clockChanged(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#setTimer();
  }

  /** Pauses after a storage failure: the affected items are due again, but not at once. */
  storeFailed(): void {
    this.#failures += 1;
    if (this.#isPaused || !this.#isStarted) return;
    this.#isPaused = true;
    this.#machine.setTimer(storeRetryMs, () => {
      this.#isPaused = false;
      this.#setTimer();
    });
  }

  /**
   * Runs due items, then work during which the clock does not move: otherwise an item could become due between two
   * readings of the clock.
   */
  withClockPinned<Result>(work: () => Result): Result {
    // An advance has pinned the clock.
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
      while (this.#isDue(now)) this.#runNextItem();
    } finally {
      this.#isRunningItems = false;
      clock.unpin();
    }
    this.#setTimer();
  }

  /** Freezes or resumes the clock at its current time. Waits for a current advance. */
  setMode(mode: ClockState['mode']): Promise<void> {
    return this.#enqueue(async () => {
      const { record, clock } = this.#account;
      const state = clock.stateAt(clock.now(), mode);
      this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
      await this.#account.whenStored();
    });
  }

  /** Freezes the clock at a time that is not in the past. @throws ServiceError clock-backwards */
  freezeAt(time: number): void {
    const { record, clock } = this.#account;
    if (time < clock.now()) throw backwards(clock.now());
    if (time > endOfTime) throw tooFar();
    const state = clock.stateAt(time, 'frozen');
    this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
  }

  /**
   * Advances the clock. Items due in between run at their own time and in order, and so do those that they plan; the
   * clock moves on once receivers have responded. Concurrent advances queue.
   * @throws ServiceError clock-backwards, clock-too-far, not-stored
   */
  advance(options: AdvanceOptions): Promise<Receipt> {
    return this.#enqueue(() => this.#advance(options));
  }

  #enqueue<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#queue.then(change);
    this.#queue = changed.catch(() => undefined);
    return changed;
  }

  async #advance({ timeoutMs, mode, ...goal }: AdvanceOptions): Promise<Receipt> {
    const account = this.#account;
    const { clock } = account;
    this.runDueItems();
    const from = clock.now();
    const to = 'to' in goal ? goal.to : from + goal.by;
    if (to < from) throw backwards(from);
    if (to > endOfTime) throw tooFar();
    const steps: Step[] = [];
    const stopWatching = account.watch((step) => steps.push(step));
    let isWaiting = true;
    let cancel = (): void => undefined;
    const timedOut = new Promise<void>((resolve) => {
      cancel = this.#machine.setTimer(timeoutMs, () => {
        isWaiting = false;
        resolve();
      });
    });
    const failures = this.#failures;
    this.#isRunningItems = true;
    clock.pin(from);
    try {
      // The target time is stored first: if the process ends in the middle of the advance, the remaining items are due
      // at the next start.
      account.transaction((tx) => tx.put({ account: [{ ...account.record, clock: clock.stateAt(to, mode) }] }));
      for (let count = 1; ; count++) {
        if (this.#failures > failures) throw notStored();
        if (isWaiting && !account.isIdle && !this.#isDue(clock.now())) {
          await account.whenStored();
          await Promise.race([account.whenIdle(), timedOut]);
          continue;
        }
        if (!this.#isDue(to)) break;
        this.#runNextItem();
        if (count % itemsPerTurn === 0) {
          await account.whenStored();
          await nextTurn();
        }
      }
      await account.whenStored();
    } finally {
      cancel();
      stopWatching();
      this.#isRunningItems = false;
      clock.unpin();
      this.clockChanged();
    }
    return { from: instant(from), to: instant(to), steps, unsettled: account.unsettled };
  }

  #isDue(time: number): boolean {
    const at = this.#agenda.nextAt;
    return at !== undefined && at <= time;
  }

  /** Runs the next item with the clock at its time. */
  #runNextItem(): void {
    const item = this.#agenda.takeNext();
    if (!item) return;
    this.#account.clock.pin(item.at);
    this.#account.activity.duringItem(item, () => runItem(this.#account, item));
  }

  /** Sets the timer for the next item, if the clock is running or the item is due. */
  #setTimer(): void {
    const at = this.#agenda.nextAt;
    if (!this.#isStarted || this.#isRunningItems || this.#isPaused || at === undefined) return;
    const { clock } = this.#account;
    const wait = at - clock.now();
    if (wait > 0 && clock.isFrozen) return;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const cancel = this.#machine.setTimer(Math.max(0, wait), () => {
      this.#timer = undefined;
      this.runDueItems();
      // A timer may fire early: by a millisecond, or after the longest delay of a timer.
      this.#setTimer();
    });
    this.#timer = { at, cancel };
  }
}

/** Error that ends an advance: changes could not be stored, and their agenda items are due again. */
function notStored(): ServiceError {
  return new ServiceError('not-stored', {
    hint: 'see the log of the simulator for the reason; what is due will be tried again',
  });
}

function backwards(now: number): ServiceError {
  return new ServiceError('clock-backwards', {
    hint: `the clock shows ${instant(now)} and goes forward only; restore a snapshot to go back`,
  });
}

/** Error for a time after `endOfTime`. */
export function tooFar(): ServiceError {
  return new ServiceError('clock-too-far', { hint: `the latest possible time is ${instant(endOfTime)}` });
}
