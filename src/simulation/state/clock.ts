import { instant } from '../../domain/dates.js';
import type { ClockState } from './changes.js';
import type { MachineClock } from './ports.js';

/** The clock of an account. Everything of the account that knows time asks it. */
export class AccountClock {
  readonly #machine: MachineClock;
  #state: ClockState;
  /** Where a frozen clock stands. */
  #frozenAt: number | undefined;
  /** The moment that is being settled; the clock shows it until that is done. */
  #moment: number | undefined;

  constructor(machine: MachineClock, state: ClockState) {
    this.#machine = machine;
    this.#state = state;
    this.#frozenAt = frozenAt(state);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#moment ?? this.reading();
  }

  /** The time that the clock shows while it is not pinned. */
  reading(): number {
    if (this.#frozenAt !== undefined) return this.#frozenAt;
    return this.#machine.now() + (this.#state.mode === 'real' ? this.#state.offset : 0);
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  get state(): ClockState {
    return this.#state;
  }

  set state(state: ClockState) {
    this.#state = state;
    this.#frozenAt = frozenAt(state);
  }

  /** The state in which the clock shows a moment now, and then runs or stands as `mode` says. */
  stateAt(moment: number, mode: ClockState['mode'] = this.#state.mode): ClockState {
    if (mode === 'frozen') return { mode, at: instant(moment) };
    return { mode, offset: moment - this.#machine.now() };
  }

  /** Shows a moment until `unpin`. A later one may replace it, an earlier one does not. */
  pin(moment: number): void {
    this.#moment = Math.max(moment, this.#moment ?? moment);
  }

  unpin(): void {
    this.#moment = undefined;
  }
}

function frozenAt(state: ClockState): number | undefined {
  return state.mode === 'frozen' ? Date.parse(state.at) : undefined;
}
