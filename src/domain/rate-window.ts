import type { GapChoices } from './gaps.js';

/** Specification, Limits: standard and burst rate, in requests per minute. */
const standard = 60;
const burst = 100;
const minute = 60_000;

/** Use of a key so far. `hits` are the times of allowed requests, for kinds of windows that need them. */
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
  const next = allowed ? { ...current, used: current.used + 1, hits: remember(current.hits, profile, now) } : current;
  return { state: next, verdict: { ...verdictOn(next, profile, now), allowed } };
}

function verdictOn(state: RateState, profile: GapChoices, now: number): RateVerdict {
  return {
    allowed: hasRoom(state),
    limit: state.limit,
    remaining: Math.max(0, Math.floor(state.limit - state.used)),
    resetAt: resets[profile['rate.window']](state, profile, now),
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
  return verdictOn(windows[profile['rate.window']](state, profile, now), profile, now);
}

type Kind = GapChoices['rate.window'];

/** Only a sliding window needs the times of requests. */
function remember(hits: readonly number[], profile: GapChoices, now: number): readonly number[] {
  return profile['rate.window'] === 'sliding' ? [...hits, now] : hits;
}

/** Limit, given the number of allowed requests in the previous minute. */
function limitAfter(previous: number, profile: GapChoices): number {
  if (profile['rate.burst'] === 'after-calm') return previous <= standard ? burst : standard;
  return profile['rate.burst'] === 'always' ? burst : standard;
}

function hasRoom(state: RateState): boolean {
  return state.used + 1 <= state.limit;
}

/** Number of sorted times that are after a given time. */
function countAfter(hits: readonly number[], moment: number): number {
  const first = hits.findIndex((hit) => hit > moment);
  return first === -1 ? 0 : hits.length - first;
}

/** Tokens that a bucket regains per millisecond: a burst that is not permanent refills at the standard rate. */
function refill(profile: GapChoices): number {
  return (profile['rate.burst'] === 'always' ? burst : standard) / minute;
}

/** Window of each kind before the request is counted. */
const windows: Record<Kind, (state: RateState | undefined, profile: GapChoices, now: number) => RateState> = {
  fixed(state, profile, now) {
    if (state && now < state.startedAt + minute) return state;
    const previous = state && now < state.startedAt + 2 * minute ? state.used : 0;
    return { startedAt: now, used: 0, limit: limitAfter(previous, profile), hits: [] };
  },

  sliding(state, profile, now) {
    const hits = (state?.hits ?? []).filter((hit) => hit > now - 2 * minute);
    const previous = hits.filter((hit) => hit <= now - minute).length;
    const used = hits.length - previous;
    return { startedAt: hits[previous] ?? now, used, limit: limitAfter(previous, profile), hits };
  },

  bucket(state, profile, now) {
    const limit = limitAfter(0, profile);
    const regained = state ? (now - state.startedAt) * refill(profile) : 0;
    return { startedAt: now, used: Math.max(0, (state?.used ?? 0) - regained), limit, hits: [] };
  },
};

const resets: Record<Kind, (state: RateState, profile: GapChoices, now: number) => number> = {
  fixed: (state) => state.startedAt + minute,

  sliding(state, profile, now) {
    const oldestLeaves = state.startedAt + minute;
    if (hasRoom(state) || profile['rate.burst'] !== 'after-calm') return oldestLeaves;
    // The limit may drop when a burst ends: then more than the oldest request must expire before another is allowed.
    const leaving = state.hits.flatMap((hit) => [hit + minute, hit + 2 * minute]).filter((at) => at > now);
    const roomAt = leaving
      .sort((a, b) => a - b)
      .find((at) => {
        const used = countAfter(state.hits, at - minute);
        return used + 1 <= limitAfter(countAfter(state.hits, at - 2 * minute) - used, profile);
      });
    return roomAt ?? oldestLeaves;
  },

  bucket: (state, profile, now) => now + state.used / refill(profile),
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
    const byAccount = Math.max(0, account - this.#account);
    // Whole minutes, so that the headers stay the same for a while under a frozen clock.
    const byMachine = Math.floor(Math.max(0, machine - this.#machine) / minute) * minute;
    const passed = Math.max(byAccount, byMachine);
    this.#now += passed;
    this.#account = account;
    // The rest of a minute counts next time, so that no minute counts twice.
    this.#machine = Math.min(machine, this.#machine + passed);
    return this.#now;
  }
}
