import { depositLifecycle } from './deposit-lifecycle.js';
import { effectStages } from './faults.js';
import type { GapChoices } from './gaps.js';
import { allowedTransitions } from './lifecycle.js';
import { eventNames, type StatusChange } from './records.js';

type CountOf = (name: string) => number;

/** Name of a transition: `authorized → expired (expire)`. */
export function transitionName({ from, cause, to }: Omit<StatusChange<string>, 'at'>): string {
  return `${from} → ${to} (${cause})`;
}

/** Deposit transitions under a profile, and whether each has happened. @param count by name of the transition */
export function coverTransitions(profile: GapChoices, count: CountOf) {
  const all = allowedTransitions(depositLifecycle, profile).map((transition) => ({
    ...transition,
    count: count(transitionName(transition)),
  }));
  return { missing: all.filter((entry) => entry.count === 0).map(transitionName), all };
}

/** Fault effects, and whether each was applied. @param count by name of the effect */
export function coverFaults(count: CountOf) {
  const all = Object.keys(effectStages).map((effect) => ({ effect, count: count(effect) }));
  return { missing: all.filter((entry) => entry.count === 0).map(({ effect }) => effect), all };
}

export interface EventCounts {
  /** Number of events, whether or not they were sent. */
  readonly emitted: CountOf;
  /** Number of events that were not sent, since no webhook URL was set. */
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
  return { missing: all.filter((entry) => entry.delivered === 0).map(({ event }) => event), all };
}
