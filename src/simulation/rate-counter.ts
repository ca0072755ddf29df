import type { Profile } from '../domain/gaps.js';
import { countRequest, type RateState, type RateVerdict } from '../domain/rate-window.js';

/** How many windows are kept; the one longest unused goes first. */
const maxWindows = 10_000;

/** The rate windows of an account, by key: a token, an address, or the account. */
export class RateCounter {
  readonly #states = new Map<string, RateState>();

  /** How many windows are kept. */
  get size(): number {
    return this.#states.size;
  }

  /** Counts a request against the window of a key. */
  count(key: string, profile: Profile, now: number): RateVerdict {
    const { state, verdict } = countRequest(this.#states.get(key), profile, now);
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size > maxWindows) {
      for (const longestUnused of this.#states.keys()) {
        this.#states.delete(longestUnused);
        break;
      }
    }
    return verdict;
  }
}
