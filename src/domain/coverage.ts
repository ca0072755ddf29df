import { depositLifecycle } from './deposit-lifecycle.js';
import { effectStages } from './faults.js';
import type { GapChoices } from './gaps.js';
import { allowedSteps } from './lifecycle.js';
import { type Change, eventNames } from './records.js';

type CountOf = (name: string) => number;

/** Name of a step of a lifecycle: `authorized → expired (expire)`. */
export function stepName({ from, cause, to }: Omit<Change<string>, 'at'>): string {
  return `${from} → ${to} (${cause})`;
}

/** Deposit transitions under a profile, and whether each has happened. @param count by name of the step */
export function coverTransitions(profile: GapChoices, count: CountOf) {
  const all = allowedSteps(depositLifecycle, profile).map((step) => ({ ...step, count: count(stepName(step)) }));
  return { missing: all.filter((one) => one.count === 0).map(stepName), all };
}

/** Fault effects, and whether each was applied. @param count by name of the effect */
export function coverFaults(count: CountOf) {
  const all = Object.keys(effectStages).map((effect) => ({ effect, count: count(effect) }));
  return { missing: all.filter((one) => one.count === 0).map(({ effect }) => effect), all };
}

export interface EventCounts {
  /** Number of occurrences. */
  readonly emitted: CountOf;
  /** Number of occurrences without a webhook URL. */
  readonly unsent: CountOf;
  readonly delivered: CountOf;
  readonly refused: CountOf;
}

/** Events, and whether the receiver accepted them. */
export function coverEvents({ emitted, unsent, delivered, refused }: EventCounts) {
  const all = eventNames.map((event) => ({
    event,
    count: emitted(event),
    unsent: unsent(event),
    delivered: delivered(event),
    refused: refused(event),
  }));
  return { missing: all.filter((one) => one.delivered === 0).map(({ event }) => event), all };
}
