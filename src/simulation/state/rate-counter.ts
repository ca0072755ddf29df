import {
  countRequest,
  countUnlimited,
  currentWindow,
  RateLimitClock,
  type RateReport,
  type RateState,
} from '../../domain/rate-window.js';
import type { Profile } from '../../openapi/profile.js';
import type { MachineClock } from './ports.js';

/** Maximum number of windows. When there are more, the least recently used one is dropped. */
const maxWindows = 10_000;

/** The client that sent a request. */
export interface Client {
  /** Id of its token; undefined if it sent none or an unknown one. */
  readonly token: number | undefined;
  /** IP address; undefined once the connection is closed. */
  readonly address: string | undefined;
}

type Clock = Pick<MachineClock, 'now'>;

/**
 * Rate windows of an account: one for each token, each IP address, or the whole account (gap rate.key). Requests
 * without a known token are always counted by IP address.
 */
export class RateCounter {
  readonly #windows = new Map<string, RateState>();
  readonly #clock: Clock;
  readonly #machine: Clock;
  readonly #rateLimitClock: RateLimitClock;
  /** Key of the latest counted request. */
  #latestKey: string | undefined;

  /**
   * @param clock clock of the account
   * @param machine clock of the machine
   */
  constructor(clock: Clock, machine: Clock) {
    this.#clock = clock;
    this.#machine = machine;
    this.#rateLimitClock = new RateLimitClock(clock.now(), machine.now());
  }

  /** Number of windows. */
  get size(): number {
    return this.#windows.size;
  }

  /**
   * Counts a request in the window of its client, unless the client has no token and the profile does not count such
   * requests (gap rate.unauthenticated).
   * @param isLimited if false, no request is refused. The headers still count down, but the window restarts when half
   *   of the limit is used, so that they never show that none is left
   */
  count(client: Client, profile: Profile, isLimited: boolean): RateReport {
    if (client.token === undefined && profile['rate.unauthenticated'] === 'uncounted') {
      return { ...this.peek(client, profile), isAllowed: true };
    }
    const key = keyOf(client, profile);
    const window = this.#windows.get(key);
    const count = isLimited ? countRequest : countUnlimited;
    let now = this.#now();
    let { state, report } = count(window, profile, now);
    // The clock counts whole minutes of real time. Before a request is refused, the rest of a minute counts, too: if the
    // window has ended, the request is counted in a new one.
    if (!report.isAllowed && this.#rateLimitClock.reach(report.allowedAt, this.#machine.now())) {
      now = this.#now();
      ({ state, report } = count(window, profile, now));
    }
    // The map is in order of last use. Moving a key to the end is slow, and usually it is already the last.
    if (key !== this.#latestKey) this.#windows.delete(key);
    this.#latestKey = key;
    this.#windows.set(key, state);
    if (this.#windows.size > maxWindows) {
      for (const leastRecentlyUsed of this.#windows.keys()) {
        this.#windows.delete(leastRecentlyUsed);
        break;
      }
    }
    return this.#toAccountTime(report, now);
  }

  /** Window of a client, without counting a request. */
  peek(client: Client, profile: Profile): RateReport {
    const now = this.#now();
    return this.#toAccountTime(currentWindow(this.#windows.get(keyOf(client, profile)), profile, now), now);
  }

  /** Resets all windows. */
  clear(): void {
    this.#windows.clear();
  }

  /** Time on the rate-limit clock, which also moves while the account's clock is frozen (see `RateLimitClock`). */
  #now(): number {
    return this.#rateLimitClock.moveTo(this.#clock.now(), this.#machine.now());
  }

  /** Converts times to the clock of the account, which clients see. */
  #toAccountTime(report: RateReport, now: number): RateReport {
    const offset = this.#clock.now() - now;
    return { ...report, resetAt: report.resetAt + offset, allowedAt: report.allowedAt + offset };
  }
}

/** Key of the window in which a client's requests are counted. */
function keyOf({ token, address }: Client, profile: Profile): string {
  if (token === undefined || profile['rate.key'] === 'address') return `address ${address}`;
  return profile['rate.key'] === 'token' ? `token ${token}` : 'account';
}
