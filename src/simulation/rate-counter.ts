import type { Profile } from '../domain/gaps.js';
import { countRequest, type RateState, type RateVerdict } from '../domain/rate-window.js';

/** How many keys a window is kept for; the one longest unused goes first. */
const kept = 10_000;

/** The rate windows of an account, by key: a token, an address, or the account. */
export class RateCounter {
  readonly #states = new Map<string, RateState>();

  /** Counts a request against the window of a key. */
  count(key: string, profile: Profile, now: number): RateVerdict {
    const { state, verdict } = countRequest(this.#states.get(key), profile, now);
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size > kept) {
      for (const longestUnused of this.#states.keys()) {
        this.#states.delete(longestUnused);
        break;
      }
    }
    return verdict;
  }
}
