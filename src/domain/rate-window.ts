import type { GapChoices } from './gaps.js';

/** Specification, Limits: the standard and the burst rate, in requests per minute. */
const standard = 60;
const burst = 100;
const minute = 60_000;

/** The use of a key so far. `hits` are the instants of the requests that passed, where the kind of window needs them. */
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
  /** Milliseconds since 1970 at which the window resets. */
  readonly resetAt: number;
}

/** Counts one request against a window (gaps rate.window, rate.burst). A refused request is not counted. */
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
 * Counts one request where nothing is refused: a window that is half used up begins anew. The headers count down as
 * usual, and no client that slows down as it nears 0 has a reason to.
 */
export function countUnlimited(
  state: RateState | undefined,
  profile: GapChoices,
  now: number,
): { state: RateState; verdict: RateVerdict } {
  const counted = countRequest(state, profile, now);
  return counted.verdict.remaining < counted.verdict.limit / 2 ? countRequest(undefined, profile, now) : counted;
}

/** The window as it stands, without a request counted. */
export function currentWindow(state: RateState | undefined, profile: GapChoices, now: number): RateVerdict {
  return verdictOn(windows[profile['rate.window']](state, profile, now), profile, now);
}

type Kind = GapChoices['rate.window'];

/** Only a sliding window needs to know when its requests came. */
function remember(hits: readonly number[], profile: GapChoices, now: number): readonly number[] {
  return profile['rate.window'] === 'sliding' ? [...hits, now] : hits;
}

/** The limit, given how many requests passed in the minute before. */
function limitAfter(previous: number, profile: GapChoices): number {
  if (profile['rate.burst'] === 'after-calm') return previous <= standard ? burst : standard;
  return profile['rate.burst'] === 'always' ? burst : standard;
}

function hasRoom(state: RateState): boolean {
  return state.used + 1 <= state.limit;
}

/** How many of the instants, which are in order, come after a moment. */
function countAfter(hits: readonly number[], moment: number): number {
  const first = hits.findIndex((hit) => hit > moment);
  return first === -1 ? 0 : hits.length - first;
}

/** The tokens that a bucket regains in a millisecond: a burst that is not permanent refills at the standard rate. */
function refill(profile: GapChoices): number {
  return (profile['rate.burst'] === 'always' ? burst : standard) / minute;
}

/** The window of each kind as it stands before the request is counted. */
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
    // The limit may fall as a burst ends, so that more than the oldest request has to leave before another passes.
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
