import { formatInstant, maxClockTimeMs } from '../../domain/dates.js';
import type { ClockState } from './changes.js';
import type { MachineClock } from './ports.js';

/** Clock of an account, from which all timestamps in the account come. */
export class AccountClock {
  readonly #machine: MachineClock;
  #state: ClockState;
  /** Time of a frozen clock; undefined for a running one. */
  #frozenAt: number | undefined;
  /** Time at which the clock is pinned, for example while an agenda item runs. */
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

  /** Time that the clock would show if it were not pinned. A running clock stops at `maxClockTimeMs`. */
  unpinnedNow(): number {
    if (this.#frozenAt !== undefined) return this.#frozenAt;
    const time = this.#machine.now() + (this.#state.mode === 'real' ? this.#state.offset : 0);
    return Math.min(time, maxClockTimeMs);
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

  /**
   * State of a clock that shows `time` now.
   * @param mode whether it then runs or is frozen; default: the mode of this clock
   */
  stateAt(time: number, mode: ClockState['mode'] = this.#state.mode): ClockState {
    if (mode === 'frozen') return { mode, at: formatInstant(time) };
    return { mode, offset: time - this.#machine.now() };
  }

  /** Stops the clock at a time until `unpin`. If it is pinned already, the later of the two times applies. */
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
