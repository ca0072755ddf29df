import type { GapChoices } from './gaps.js';

/** Specification, Limits: standard and burst rate, in requests per minute. */
const standardLimit = 60;
const burstLimit = 100;
const minuteMs = 60_000;

/** Use of a limit so far, which is counted by token, account or address (gap rate.key). `hits` are the times of allowed requests; only sliding windows have them. */
export interface RateState {
  readonly startedAt: number;
  readonly used: number;
  readonly limit: number;
  readonly hits: readonly number[];
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time at which the window resets, in milliseconds since 1970. */
  readonly resetAt: number;
}

/** Counts a request in a window (gaps rate.window, rate.burst). A refused request is not counted. */
export function countRequest(
  state: RateState | undefined,
  profile: GapChoices,
  now: number,
): { state: RateState; verdict: RateVerdict } {
  const current = windows[profile['rate.window']](state, profile, now);
  const allowed = hasRoom(current);
  const next = allowed ? { ...current, used: current.used + 1, hits: appendHit(current.hits, profile, now) } : current;
  return { state: next, verdict: { ...verdictOf(next, profile, now), allowed } };
}

function verdictOf(state: RateState, profile: GapChoices, now: number): RateVerdict {
  return {
    allowed: hasRoom(state),
    limit: state.limit,
    remaining: Math.max(0, Math.floor(state.limit - state.used)),
    resetAt: resetTimes[profile['rate.window']](state, profile, now),
  };
}

/**
 * Counts a request without a limit: a window that is half used up starts again. The headers count down as usual, but
 * never get close to 0, which would make clients slow down.
 */
export function countUnlimited(
  state: RateState | undefined,
  profile: GapChoices,
  now: number,
): { state: RateState; verdict: RateVerdict } {
  const counted = countRequest(state, profile, now);
  return counted.verdict.remaining < counted.verdict.limit / 2 ? countRequest(undefined, profile, now) : counted;
}

/** Current window, without counting a request. */
export function currentWindow(state: RateState | undefined, profile: GapChoices, now: number): RateVerdict {
  return verdictOf(windows[profile['rate.window']](state, profile, now), profile, now);
}

type WindowKind = GapChoices['rate.window'];

/** Adds the time of a request in a sliding window; other windows do not need it. */
function appendHit(hits: readonly number[], profile: GapChoices, now: number): readonly number[] {
  return profile['rate.window'] === 'sliding' ? [...hits, now] : hits;
}

/** Limit, given the number of allowed requests in the previous minute. */
function limitAfter(previous: number, profile: GapChoices): number {
  if (profile['rate.burst'] === 'after-calm') return previous <= standardLimit ? burstLimit : standardLimit;
  return profile['rate.burst'] === 'always' ? burstLimit : standardLimit;
}

function hasRoom(state: RateState): boolean {
  return state.used + 1 <= state.limit;
}

/** Number of sorted times that are after a given time. */
function countAfter(hits: readonly number[], time: number): number {
  const first = hits.findIndex((hit) => hit > time);
  return first === -1 ? 0 : hits.length - first;
}

/** Tokens that a bucket regains per millisecond: a burst that is not permanent refills at the standard rate. */
function refillPerMs(profile: GapChoices): number {
  return (profile['rate.burst'] === 'always' ? burstLimit : standardLimit) / minuteMs;
}

/** Functions that compute the current window of each kind, before the request is counted. */
const windows: Record<WindowKind, (state: RateState | undefined, profile: GapChoices, now: number) => RateState> = {
  fixed(state, profile, now) {
    if (state && now < state.startedAt + minuteMs) return state;
    const previous = state && now < state.startedAt + 2 * minuteMs ? state.used : 0;
    return { startedAt: now, used: 0, limit: limitAfter(previous, profile), hits: [] };
  },

  sliding(state, profile, now) {
    const hits = (state?.hits ?? []).filter((hit) => hit > now - 2 * minuteMs);
    const previous = hits.filter((hit) => hit <= now - minuteMs).length;
    const used = hits.length - previous;
    return { startedAt: hits[previous] ?? now, used, limit: limitAfter(previous, profile), hits };
  },

  bucket(state, profile, now) {
    const limit = limitAfter(0, profile);
    const regained = state ? (now - state.startedAt) * refillPerMs(profile) : 0;
    return { startedAt: now, used: Math.max(0, (state?.used ?? 0) - regained), limit, hits: [] };
  },
};

/** Functions that compute when a window resets. */
const resetTimes: Record<WindowKind, (state: RateState, profile: GapChoices, now: number) => number> = {
  fixed: (state) => state.startedAt + minuteMs,

  sliding(state, profile, now) {
    const oldestExpiresAt = state.startedAt + minuteMs;
    if (hasRoom(state) || profile['rate.burst'] !== 'after-calm') return oldestExpiresAt;
    // The limit may drop when a burst ends: then more than the oldest request must expire before another is allowed.
    const expiryTimes = state.hits.flatMap((hit) => [hit + minuteMs, hit + 2 * minuteMs]).filter((at) => at > now);
    const allowedAt = expiryTimes
      .sort((a, b) => a - b)
      .find((at) => {
        const used = countAfter(state.hits, at - minuteMs);
        return used + 1 <= limitAfter(countAfter(state.hits, at - 2 * minuteMs) - used, profile);
      });
    return allowedAt ?? oldestExpiresAt;
  },

  bucket: (state, profile, now) => now + state.used / refillPerMs(profile),
};

/**
 * Time of the rate windows: the later of the account's clock and the machine's. Under a frozen clock, a client that
 * waits for `Retry-After` gets through, too; one that advances the clock need not wait.
 */
export class RateClock {
  #account: number;
  #machine: number;
  #now: number;

  /**
   * @param account milliseconds since 1970 on the clock of the account
   * @param machine milliseconds since 1970 on that of the machine
   */
  constructor(account: number, machine: number) {
    this.#account = account;
    this.#machine = machine;
    this.#now = account;
  }

  /** Advances to a later time. @returns milliseconds since 1970 on this clock */
  moveTo(account: number, machine: number): number {
    const accountElapsed = Math.max(0, account - this.#account);
    // Whole minutes, so that the headers stay the same for a while under a frozen clock.
    const machineElapsed = Math.floor(Math.max(0, machine - this.#machine) / minuteMs) * minuteMs;
    const elapsed = Math.max(accountElapsed, machineElapsed);
    this.#now += elapsed;
    this.#account = account;
    // The rest of a minute counts next time, so that no minute counts twice.
    this.#machine = Math.min(machine, this.#machine + elapsed);
    return this.#now;
  }
}
