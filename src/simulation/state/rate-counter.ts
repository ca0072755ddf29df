import {
  countRequest,
  countUnlimited,
  currentWindow,
  RateLimitClock,
  type RateReport,
  type RateState,
} from '../../domain/rate-window.js';
import type { Profile } from '../../openapi/gaps.js';
import type { AccountClock } from './clock.js';
import type { MachineClock } from './ports.js';

/** Maximum number of windows. When there are more, the least recently used one is dropped. */
const maxWindows = 10_000;

/** Rate windows of an account. A key identifies each: a token, an IP address, or the account (gap rate.key). */
export class RateCounter {
  readonly #states = new Map<string, RateState>();
  readonly #clock: Pick<AccountClock, 'now'>;
  readonly #machine: Pick<MachineClock, 'now'>;
  readonly #rateLimitClock: RateLimitClock;
  /** Key of the latest counted request. */
  #latestKey: string | undefined;

  constructor(clock: Pick<AccountClock, 'now'>, machine: Pick<MachineClock, 'now'>) {
    this.#clock = clock;
    this.#machine = machine;
    this.#rateLimitClock = new RateLimitClock(clock.now(), machine.now());
  }

  /** Number of windows. */
  get size(): number {
    return this.#states.size;
  }

  /** Counts a request in the window of a key. @param isLimited whether requests beyond the limit are refused */
  count(key: string, profile: Profile, isLimited: boolean): RateReport {
    const now = this.#now();
    const { state, report } = (isLimited ? countRequest : countUnlimited)(this.#states.get(key), profile, now);
    // The map is in order of last use. Moving a key to the end is slow, and most often it is already the last.
    if (key !== this.#latestKey) this.#states.delete(key);
    this.#latestKey = key;
    this.#states.set(key, state);
    if (this.#states.size > maxWindows) {
      for (const leastRecentlyUsed of this.#states.keys()) {
        this.#states.delete(leastRecentlyUsed);
        break;
      }
    }
    return this.#onAccountClock(report, now);
  }

  /** Window of a key, without counting a request. */
  peek(key: string, profile: Profile): RateReport {
    const now = this.#now();
    return this.#onAccountClock(currentWindow(this.#states.get(key), profile, now), now);
  }

  /** Resets all windows. */
  clear(): void {
    this.#states.clear();
  }

  /** Time on the rate-limit clock. */
  #now(): number {
    return this.#rateLimitClock.moveTo(this.#clock.now(), this.#machine.now());
  }

  /** Converts the reset time to the clock of the account, which clients know. */
  #onAccountClock(report: RateReport, now: number): RateReport {
    return { ...report, resetAt: report.resetAt - now + this.#clock.now() };
  }
}
