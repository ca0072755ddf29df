import { depositLifecycle } from './deposit-lifecycle.js';
import { effectStages } from './faults.js';
import type { GapChoices } from './gaps.js';
import { allowedSteps } from './lifecycle.js';
import { type Change, eventNames } from './records.js';

type CountOf = (name: string) => number;

/** How a step of a lifecycle is named: `authorized → expired (expire)`. */
export function stepName({ from, cause, to }: Omit<Change<string>, 'at'>): string {
  return `${from} → ${to} (${cause})`;
}

/** Which of the steps that deposits can take under a profile have come about. @param count by their names */
export function coverTransitions(profile: GapChoices, count: CountOf) {
  const all = allowedSteps(depositLifecycle, profile).map((step) => ({ ...step, count: count(stepName(step)) }));
  return { missing: all.filter((one) => one.count === 0).map(stepName), all };
}

/** Which effects of faults have taken place. @param count by their names */
export function coverFaults(count: CountOf) {
  const all = Object.keys(effectStages).map((effect) => ({ effect, count: count(effect) }));
  return { missing: all.filter((one) => one.count === 0).map(({ effect }) => effect), all };
}

export interface EventCounts {
  /** How often it came about. */
  readonly emitted: CountOf;
  /** How often there was nowhere to send it. */
  readonly unsent: CountOf;
  readonly delivered: CountOf;
  readonly refused: CountOf;
}

/** Which events the receiver has taken. */
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
