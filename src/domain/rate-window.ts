import { minuteMs } from '../lib/durations.js';
import type { GapChoices } from './gaps.js';

/** Specification, Limits: standard and burst rate, in requests per minute. */
const standardLimit = 60;
const burstLimit = 100;

/** State of the rate window of a token, account or address (gap rate.key). */
export interface RateState {
  /**
   * Milliseconds since 1970: the start of a fixed window, the time of the oldest request in a sliding window, or the
   * time at which `used` of a bucket was last computed.
   */
  readonly startedAt: number;
  /** Number of requests that count; a fraction for a bucket, which refills continuously. */
  readonly used: number;
  readonly limit: number;
  /**
   * For a sliding window, the times of the allowed requests in the last two minutes, in milliseconds since 1970; empty
   * for other windows.
   */
  readonly hits: readonly number[];
}

/** A rate window, as the rate-limit headers report it. */
export interface RateReport {
  /** True if the request that was just checked is allowed; if none was checked, true if another one would be. */
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time at which the window resets, in milliseconds since 1970. */
  readonly resetAt: number;
  /**
   * Time at which a refused client is allowed again, in milliseconds since 1970. Usually it is `resetAt`. A bucket,
   * which is full at `resetAt`, allows a request earlier: as soon as it has regained one.
   */
  readonly allowedAt: number;
}

/**
 * Counts a request in a window. The profile chooses the kind of window and when bursts are allowed (gaps rate.window,
 * rate.burst). A refused request is not counted.
 */
export function countRequest(
  state: RateState | undefined,
  profile: GapChoices,
  now: number,
): { state: RateState; report: RateReport } {
  const current = windowOf[profile['rate.window']](state, profile, now);
  const isAllowed = hasRoom(current);
  const next = isAllowed
    ? { ...current, used: current.used + 1, hits: appendHit(current.hits, profile, now) }
    : current;
  return { state: next, report: { ...reportOf(next, profile, now), isAllowed } };
}

function reportOf(state: RateState, profile: GapChoices, now: number): RateReport {
  const resetAt = resetTimeOf[profile['rate.window']](state, profile, now);
  const isBucket = profile['rate.window'] === 'bucket';
  return {
    isAllowed: hasRoom(state),
    limit: state.limit,
    remaining: Math.max(0, Math.floor(state.limit - state.used)),
    resetAt,
    allowedAt: isBucket ? Math.max(now, resetAt - (state.limit - 1) * msPerRefill(profile)) : resetAt,
  };
}

/**
 * Counts a request that is never refused: a window that is half used up starts again. The headers count down as usual,
 * but stay well above 0, so that clients do not throttle themselves.
 */
export function countUnlimited(
  state: RateState | undefined,
  profile: GapChoices,
  now: number,
): { state: RateState; report: RateReport } {
  const counted = countRequest(state, profile, now);
  return counted.report.remaining < counted.report.limit / 2 ? countRequest(undefined, profile, now) : counted;
}

/** Describes the current window, without counting a request. */
export function currentWindow(state: RateState | undefined, profile: GapChoices, now: number): RateReport {
  return reportOf(windowOf[profile['rate.window']](state, profile, now), profile, now);
}

type WindowKind = GapChoices['rate.window'];

/** Adds the time of a request in a sliding window; other windows do not need it. */
function appendHit(hits: readonly number[], profile: GapChoices, now: number): readonly number[] {
  return profile['rate.window'] === 'sliding' ? [...hits, now] : hits;
}

/**
 * Limit of a window (gap rate.burst).
 * @param previousCount number of allowed requests in the previous fixed window, or in the minute before a sliding one
 */
function limitAfter(previousCount: number, profile: GapChoices): number {
  if (profile['rate.burst'] === 'after-calm') return previousCount <= standardLimit ? burstLimit : standardLimit;
  return profile['rate.burst'] === 'always' ? burstLimit : standardLimit;
}

function hasRoom(state: RateState): boolean {
  return state.used + 1 <= state.limit;
}

/**
 * Milliseconds until a bucket has one more request. It refills at the burst rate only if bursts are always allowed.
 */
function msPerRefill(profile: GapChoices): number {
  return minuteMs / (profile['rate.burst'] === 'always' ? burstLimit : standardLimit);
}

/** Time at which a bucket is full, in whole milliseconds, so that rounding errors do not accumulate. */
function bucketFullAt({ startedAt, used }: RateState, profile: GapChoices): number {
  return Math.round(startedAt + used * msPerRefill(profile));
}

/** For each kind of window, computes the current window, before the request is counted. */
const windowOf: Record<WindowKind, (state: RateState | undefined, profile: GapChoices, now: number) => RateState> = {
  fixed(state, profile, now) {
    if (state && now < state.startedAt + minuteMs) return state;
    const previousCount = state && now < state.startedAt + 2 * minuteMs ? state.used : 0;
    return { startedAt: now, used: 0, limit: limitAfter(previousCount, profile), hits: [] };
  },

  sliding(state, profile, now) {
    const hits = (state?.hits ?? []).filter((hit) => hit > now - 2 * minuteMs);
    const previousCount = hits.filter((hit) => hit <= now - minuteMs).length;
    const used = hits.length - previousCount;
    return { startedAt: hits[previousCount] ?? now, used, limit: limitAfter(previousCount, profile), hits };
  },

  bucket(state, profile, now) {
    const msUntilFull = state ? Math.max(0, bucketFullAt(state, profile) - now) : 0;
    return { startedAt: now, used: msUntilFull / msPerRefill(profile), limit: limitAfter(0, profile), hits: [] };
  },
};

/** For each kind of window, computes when it resets. */
const resetTimeOf: Record<WindowKind, (state: RateState, profile: GapChoices, now: number) => number> = {
  fixed: (state) => state.startedAt + minuteMs,

  sliding(state, profile, now) {
    const oldestExpiresAt = state.startedAt + minuteMs;
    if (profile['rate.burst'] !== 'after-calm') return oldestExpiresAt;
    // The limit changes over time. If it drops, several requests must leave the window before another one is allowed. It may
    // also rise before the oldest request leaves, as others leave the minute before the window.
    const earliest = hasRoom(state) ? oldestExpiresAt : now + 1;
    const { hits } = state;
    const hitAt = (index: number): number => hits[index] ?? Number.POSITIVE_INFINITY;
    // A request leaves the window after one minute, and the minute before the window after two. The loop goes through
    // these times in order, and counts the requests that have left by then.
    let leftWindow = 0;
    let leftMinuteBefore = 0;
    let at = Number.NEGATIVE_INFINITY;
    while (at < Number.POSITIVE_INFINITY) {
      if (at >= earliest && hits.length - leftWindow + 1 <= limitAfter(leftWindow - leftMinuteBefore, profile))
        return at;
      const next = Math.min(hitAt(leftWindow) + minuteMs, hitAt(leftMinuteBefore) + 2 * minuteMs);
      at = at < oldestExpiresAt ? Math.min(next, oldestExpiresAt) : next;
      while (hitAt(leftWindow) <= at - minuteMs) leftWindow += 1;
      while (hitAt(leftMinuteBefore) <= at - 2 * minuteMs) leftMinuteBefore += 1;
    }
    return oldestExpiresAt;
  },

  bucket: bucketFullAt,
};

/**
 * Clock of the rate windows. It advances with the account's clock or the machine's clock, whichever advances more. A
 * client that waits for `Retry-After` is therefore allowed again even if the account's clock is frozen, and a client
 * that advances the account's clock does not have to wait.
 */
export class RateLimitClock {
  #accountTime: number;
  #machineTime: number;
  #now: number;

  /**
   * @param accountTime milliseconds since 1970 on the clock of the account
   * @param machineTime milliseconds since 1970 on the clock of the machine
   */
  constructor(accountTime: number, machineTime: number) {
    this.#accountTime = accountTime;
    this.#machineTime = machineTime;
    this.#now = accountTime;
  }

  /** Advances the clock, given the current times of the two clocks. @returns milliseconds since 1970 on this clock */
  moveTo(accountTime: number, machineTime: number): number {
    const accountElapsed = Math.max(0, accountTime - this.#accountTime);
    // Only whole minutes of the machine's time count, so that the headers rarely change under a frozen clock. The
    // exception is `reach`.
    const machineElapsed = Math.floor(Math.max(0, machineTime - this.#machineTime) / minuteMs) * minuteMs;
    const elapsed = Math.max(accountElapsed, machineElapsed);
    this.#now += elapsed;
    this.#accountTime = accountTime;
    // Time that has counted is used up. The rest of a minute is left for the next call, or for `reach`.
    this.#machineTime = Math.min(machineTime, this.#machineTime + elapsed);
    return this.#now;
  }

  /**
   * Also counts the incomplete minute of the machine's time if that makes the clock reach `time`, such as the end of a
   * window: a client that has waited until then must not wait for the whole minute. To be called after `moveTo`.
   * @returns true if the clock has reached the time
   */
  reach(time: number, machineTime: number): boolean {
    const exactTime = this.#now + Math.max(0, machineTime - this.#machineTime);
    if (exactTime < time) return false;
    this.#now = exactTime;
    this.#machineTime = machineTime;
    return true;
  }
}
