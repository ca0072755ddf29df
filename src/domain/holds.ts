import { parseDuration } from '../lib/durations.js';
import { endOfTime } from './dates.js';
import type { Effect, EffectName, Fault } from './faults.js';

/** How long a message that another is to overtake waits for that one, unless the effect says. */
export const usualWithin = '2s';

/** When a message goes out for the first time. */
export interface Hold {
  /** Not before this moment, in milliseconds since 1970. */
  readonly from: number;
  /** For so many milliseconds from then on it waits for another message to overtake it; 0 for not at all. */
  readonly within: number;
}

/** How long faults hold a message that comes about now: it is delayed, then waits for its burst, then to be overtaken. */
export function holdOf(faults: readonly Pick<Fault, 'effects' | 'created_at'>[], now: number): Hold {
  let from = now;
  let within = 0;
  for (const { effect } of named('delay', faults)) from += spanOf(effect, 'by');
  for (const { effect, since } of named('burst', faults)) from = endOfInterval(from, since, spanOf(effect, 'every'));
  for (const { effect } of named('reorder', faults)) within = Math.max(within, spanOf(effect, 'within', usualWithin));
  from = Math.min(from, endOfTime);
  return { from, within: Math.min(within, endOfTime - from) };
}

/** @returns the effects of a name, with the moment since when each is there */
function named(name: EffectName, faults: readonly Pick<Fault, 'effects' | 'created_at'>[]) {
  return faults.flatMap(({ effects, created_at }) =>
    effects.filter((effect) => effect.name === name).map((effect) => ({ effect, since: Date.parse(created_at) })),
  );
}

/** The end of the interval that a moment is in, counted from `since`. An end belongs to the interval that begins there. */
function endOfInterval(moment: number, since: number, interval: number): number {
  return since + (Math.floor((moment - since) / interval) + 1) * interval;
}

/** A duration among the options of an effect, of a millisecond at the least. */
function spanOf(effect: Effect, option: string, usual?: string): number {
  const text = effect[option] ?? usual;
  const span = typeof text === 'string' ? parseDuration(text) : undefined;
  if (span === undefined) throw new Error(`the option ${option} of the effect ${effect.name} is not a duration`);
  return Math.max(1, span);
}
