import { parseDuration } from '../lib/durations.js';
import { endOfTime } from './dates.js';
import type { Effect, EffectName, Fault } from './faults.js';

/** Default wait of a message for another one to overtake it. */
export const defaultWithin = '2s';

/** When a message is first sent. */
export interface Hold {
  /** Earliest time, in milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds from then on to wait for another message to overtake it; 0 for no wait. */
  readonly within: number;
}

/** How long faults hold a message: it is delayed, then waits for its burst, then to be overtaken. */
export function holdOf(faults: readonly Pick<Fault, 'effects' | 'created_at'>[], now: number): Hold {
  let from = now;
  let within = 0;
  for (const { effect } of named('delay', faults)) from += spanOf(effect, 'by');
  for (const { effect, since } of named('burst', faults)) from = endOfInterval(from, since, spanOf(effect, 'every'));
  for (const { effect } of named('reorder', faults)) within = Math.max(within, spanOf(effect, 'within', defaultWithin));
  from = Math.min(from, endOfTime);
  return { from, within: Math.min(within, endOfTime - from) };
}

/** @returns effects of a name, with the time since when each is active */
function named(name: EffectName, faults: readonly Pick<Fault, 'effects' | 'created_at'>[]) {
  return faults.flatMap(({ effects, created_at }) =>
    effects.filter((effect) => effect.name === name).map((effect) => ({ effect, since: Date.parse(created_at) })),
  );
}

/** End of the interval that contains a time, counted from `since`. Intervals include their start. */
function endOfInterval(moment: number, since: number, interval: number): number {
  return since + (Math.floor((moment - since) / interval) + 1) * interval;
}

/** Duration option of an effect, at least one millisecond. */
function spanOf(effect: Effect, option: string, usual?: string): number {
  const text = effect[option] ?? usual;
  const span = typeof text === 'string' ? parseDuration(text) : undefined;
  if (span === undefined) throw new Error(`the option ${option} of the effect ${effect.name} is not a duration`);
  return Math.max(1, span);
}
