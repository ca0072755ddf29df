import { RateClock } from '../../domain/rate-clock.js';
import {
  countRequest,
  countUnlimited,
  currentWindow,
  type RateState,
  type RateVerdict,
} from '../../domain/rate-window.js';
import type { Profile } from '../../openapi/gaps.js';
import type { AccountClock } from './clock.js';
import type { MachineClock } from './ports.js';

/** How many windows are kept; the one longest unused goes first. */
const maxWindows = 10_000;

/** The rate windows of an account, by key: a token, an address, or the account. */
export class RateCounter {
  readonly #states = new Map<string, RateState>();
  readonly #clock: Pick<AccountClock, 'now'>;
  readonly #machine: Pick<MachineClock, 'now'>;
  readonly #rateClock: RateClock;

  constructor(clock: Pick<AccountClock, 'now'>, machine: Pick<MachineClock, 'now'>) {
    this.#clock = clock;
    this.#machine = machine;
    this.#rateClock = new RateClock(clock.now(), machine.now());
  }

  /** How many windows are kept. */
  get size(): number {
    return this.#states.size;
  }

  /**
   * Counts a request against the window of a key.
   * @param isLimited whether requests beyond the limit are refused
   */
  count(key: string, profile: Profile, isLimited: boolean): RateVerdict {
    const now = this.#now();
    const { state, verdict } = (isLimited ? countRequest : countUnlimited)(this.#states.get(key), profile, now);
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size > maxWindows) {
      for (const longestUnused of this.#states.keys()) {
        this.#states.delete(longestUnused);
        break;
      }
    }
    return this.#told(verdict, now);
  }

  /** The window of a key, without a request counted. */
  peek(key: string, profile: Profile): RateVerdict {
    const now = this.#now();
    return this.#told(currentWindow(this.#states.get(key), profile, now), now);
  }

  /** Has all windows begin anew. */
  clear(): void {
    this.#states.clear();
  }

  #now(): number {
    return this.#rateClock.moveTo(this.#clock.now(), this.#machine.now());
  }

  /** Clients are told the reset by the clock of the account. */
  #told(verdict: RateVerdict, now: number): RateVerdict {
    return { ...verdict, resetAt: verdict.resetAt - now + this.#clock.now() };
  }
}
