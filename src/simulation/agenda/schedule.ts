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

/** After this many items, other work gets a turn. */
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
  #started = false;
  /** Current timer: its time on the account's clock, and how to cancel it. */
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #settling = false;
  #paused = false;
  /** Number of storage failures. */
  #failures = 0;

  constructor(account: LiveAccount, machine: MachineClock) {
    this.#account = account;
    this.#machine = machine;
  }

  plan(due: AgendaItem): void {
    this.#agenda.plan(due);
    this.#setTimer();
  }

  /** Current agenda items in order, up to a limit. */
  upcoming(limit = Number.POSITIVE_INFINITY): AgendaItem[] {
    const seen = new Set<string>();
    const upcoming: AgendaItem[] = [];
    for (const due of this.#agenda.items()) {
      if (upcoming.length >= limit) break;
      const { at, kind, id } = due;
      if (seen.has(`${kind} ${id}`) || !isCurrent(this.#account, due)) continue;
      seen.add(`${kind} ${id}`);
      upcoming.push({ at, kind, id });
    }
    return upcoming;
  }

  /** Starts running due items by timer. */
  start(): void {
    this.#started = true;
    this.#setTimer();
  }

  stop(): void {
    this.#started = false;
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
    if (this.#paused || !this.#started) return;
    this.#paused = true;
    this.#machine.wake(storeRetryMs, () => {
      this.#paused = false;
      this.#setTimer();
    });
  }

  /** Runs the items that are due now, each at its own time, without waiting for receivers. */
  settleDue(): void {
    if (this.#settling) return;
    const { clock } = this.#account;
    const now = clock.now();
    if (!this.#isDue(now)) return;
    this.#settling = true;
    try {
      while (this.#isDue(now)) this.#settleNext();
    } finally {
      this.#settling = false;
      clock.unpin();
    }
    this.#setTimer();
  }

  /** Freezes or resumes the clock at its current time. Waits for a current advance. */
  setMode(mode: ClockState['mode']): Promise<void> {
    return this.#inTurn(async () => {
      const { record, clock } = this.#account;
      const state = clock.stateAt(clock.now(), mode);
      this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
      await this.#account.stored();
    });
  }

  /** Freezes the clock at a time that is not in the past. @throws ServiceError clock-backwards */
  freezeAt(moment: number): void {
    const { record, clock } = this.#account;
    if (moment < clock.now()) throw backwards(clock.now());
    if (moment > endOfTime) throw tooFar();
    const state = clock.stateAt(moment, 'frozen');
    this.#account.transaction((tx) => tx.put({ account: [{ ...record, clock: state }] }));
  }

  /**
   * Advances the clock. Items due in between run at their own time and in order, and so do those that they plan; the
   * clock moves on once receivers have responded. Concurrent advances queue.
   * @throws ServiceError clock-backwards, clock-too-far, not-stored
   */
  advance(options: AdvanceOptions): Promise<Receipt> {
    return this.#inTurn(() => this.#advance(options));
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#queue.then(change);
    this.#queue = changed.catch(() => undefined);
    return changed;
  }

  async #advance({ timeoutMs, mode, ...goal }: AdvanceOptions): Promise<Receipt> {
    const account = this.#account;
    const { clock } = account;
    this.settleDue();
    const from = clock.now();
    const to = 'to' in goal ? goal.to : from + goal.by;
    if (to < from) throw backwards(from);
    if (to > endOfTime) throw tooFar();
    const steps: Step[] = [];
    const stopWatching = account.watch((step) => steps.push(step));
    let isWaiting = true;
    let cancel = (): void => undefined;
    const timedOut = new Promise<void>((resolve) => {
      cancel = this.#machine.wake(timeoutMs, () => {
        isWaiting = false;
        resolve();
      });
    });
    const failures = this.#failures;
    this.#settling = true;
    clock.pin(from);
    try {
      // If the process ends in the middle, the next one runs the rest: the clock is stored as advanced, and the items
      // are due.
      account.transaction((tx) => tx.put({ account: [{ ...account.record, clock: clock.stateAt(to, mode) }] }));
      for (let count = 1; ; count++) {
        if (this.#failures > failures) throw notStored();
        if (isWaiting && !account.isIdle && !this.#isDue(clock.now())) {
          await account.stored();
          await Promise.race([account.whenIdle(), timedOut]);
          continue;
        }
        if (!this.#isDue(to)) break;
        this.#settleNext();
        if (count % itemsPerTurn === 0) {
          await account.stored();
          await nextTurn();
        }
      }
      await account.stored();
    } finally {
      cancel();
      stopWatching();
      this.#settling = false;
      clock.unpin();
      this.clockChanged();
    }
    return { from: instant(from), to: instant(to), steps, unsettled: account.unsettled };
  }

  #isDue(moment: number): boolean {
    const at = this.#agenda.nextAt;
    return at !== undefined && at <= moment;
  }

  /** Runs the next item with the clock at its time. */
  #settleNext(): void {
    const due = this.#agenda.take();
    if (!due) return;
    this.#account.clock.pin(due.at);
    runItem(this.#account, due);
  }

  /** Sets the timer for the next item, if the clock is running or the item is due. */
  #setTimer(): void {
    const at = this.#agenda.nextAt;
    if (!this.#started || this.#settling || this.#paused || at === undefined) return;
    const { clock } = this.#account;
    const wait = at - clock.now();
    if (wait > 0 && clock.isFrozen) return;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const cancel = this.#machine.wake(Math.max(0, wait), () => {
      this.#timer = undefined;
      this.settleDue();
      // A timer may fire early: by a millisecond, or after the longest delay of a timer.
      this.#setTimer();
    });
    this.#timer = { at, cancel };
  }
}

/** Error that ends an advance: changes could not be stored, and their items stay due. */
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

/** Error for a time beyond the end of time. */
export function tooFar(): ServiceError {
  return new ServiceError('clock-too-far', { hint: `the last moment is ${instant(endOfTime)}` });
}
