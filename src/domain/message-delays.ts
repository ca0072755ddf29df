import { parseDuration } from '../lib/durations.js';
import { maxClockTimeMs } from './dates.js';
import type { Effect, EffectName, Fault } from './faults.js';

/** Default duration for which a message waits for another one to overtake it. */
export const defaultReorderWindow = '2s';

/** When a webhook message is first sent. */
export interface MessageDelay {
  /** Earliest time, in milliseconds since 1970. */
  readonly from: number;
  /** Time, counted from `from`, in which another message may overtake it; 0 if it does not wait for one. */
  readonly waitMs: number;
}

/**
 * Delay that faults cause for a message. `delay` postpones it, then `burst` postpones it to the end of the interval in
 * which messages are collected, and then `reorder` makes it wait. No time is later than an account's clock can show.
 */
export function messageDelayOf(faults: readonly Pick<Fault, 'effects' | 'created_at'>[], now: number): MessageDelay {
  let from = now;
  let waitMs = 0;
  for (const { effect } of effectsNamed('delay', faults)) from += durationOf(effect, 'by');
  for (const { effect, since } of effectsNamed('burst', faults))
    from = endOfInterval(from, since, durationOf(effect, 'every'));
  for (const { effect } of effectsNamed('reorder', faults))
    waitMs = Math.max(waitMs, durationOf(effect, 'within', defaultReorderWindow));
  from = Math.min(from, maxClockTimeMs);
  return { from, waitMs: Math.min(waitMs, maxClockTimeMs - from) };
}

/** Finds the effects with this name, each with the time at which it became active, in milliseconds since 1970. */
function effectsNamed(name: EffectName, faults: readonly Pick<Fault, 'effects' | 'created_at'>[]) {
  return faults.flatMap(({ effects, created_at }) =>
    effects.filter((effect) => effect.name === name).map((effect) => ({ effect, since: Date.parse(created_at) })),
  );
}

/**
 * Divides the time from `since` into equal intervals, and returns the end of the one that `time` is in. A time between two
 * belongs to the later one.
 */
function endOfInterval(time: number, since: number, interval: number): number {
  return since + (Math.floor((time - since) / interval) + 1) * interval;
}

/** Duration option of an effect, at least one millisecond. */
function durationOf(effect: Effect, option: string, defaultValue?: string): number {
  const text = effect[option] ?? defaultValue;
  const duration = typeof text === 'string' ? parseDuration(text) : undefined;
  if (duration === undefined)
    throw new Error(`the option \`${option}\` of the effect \`${effect.name}\` is not a duration`);
  return Math.max(1, duration);
}
