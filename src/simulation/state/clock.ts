import { instant } from '../../domain/dates.js';
import type { ClockState } from './changes.js';
import type { MachineClock } from './ports.js';

/** Clock of an account; the source of all its times. */
export class AccountClock {
  readonly #machine: MachineClock;
  #state: ClockState;
  /** Time of a frozen clock. */
  #frozenAt: number | undefined;
  /** Time that the clock is pinned to while an agenda item runs. */
  #pinnedAt: number | undefined;

  constructor(machine: MachineClock, state: ClockState) {
    this.#machine = machine;
    this.#state = state;
    this.#frozenAt = frozenAt(state);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#pinnedAt ?? this.unpinnedNow();
  }

  /** Time of the clock without pinning. */
  unpinnedNow(): number {
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

  /** State of a clock that shows a time now, and then runs or is frozen. */
  stateAt(time: number, mode: ClockState['mode'] = this.#state.mode): ClockState {
    if (mode === 'frozen') return { mode, at: instant(time) };
    return { mode, offset: time - this.#machine.now() };
  }

  /** Pins the clock to a time until `unpin`. A later time replaces it, an earlier one is ignored. */
  pin(time: number): void {
    this.#pinnedAt = Math.max(time, this.#pinnedAt ?? time);
  }

  unpin(): void {
    this.#pinnedAt = undefined;
  }
}

function frozenAt(state: ClockState): number | undefined {
  return state.mode === 'frozen' ? Date.parse(state.at) : undefined;
}
