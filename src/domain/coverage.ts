import { depositLifecycle } from './deposit-lifecycle.js';
import { effectStages } from './faults.js';
import type { GapChoices } from './gaps.js';
import { allowedTransitions } from './lifecycle.js';
import { eventNames, type StatusChange } from './records.js';

/** Returns how often something with this name occurred; 0 if never. */
type CountByName = (name: string) => number;

/** Name of a transition: `authorized → expired (expire)`. */
export function transitionName({ from, cause, to }: Omit<StatusChange<string>, 'at'>): string {
  return `${from} → ${to} (${cause})`;
}

/** Lists the deposit transitions that a profile allows, with their counts, which are keyed by `transitionName`. */
export function transitionCoverage(profile: GapChoices, countByName: CountByName) {
  const all = allowedTransitions(depositLifecycle, profile).map((transition) => ({
    ...transition,
    count: countByName(transitionName(transition)),
  }));
  return { missing: all.filter((entry) => entry.count === 0).map(transitionName), all };
}

/** Lists all fault effects, with the number of times each was applied. Counts are keyed by the name of an effect. */
export function faultCoverage(countByName: CountByName) {
  const all = Object.keys(effectStages).map((effect) => ({ effect, count: countByName(effect) }));
  return { missing: all.filter((entry) => entry.count === 0).map(({ effect }) => effect), all };
}

/** Functions that return counts for the name of an event, such as `deposit.expired`. */
export interface EventCounts {
  /** Number of events, whether or not they were sent. */
  readonly emitted: CountByName;
  /** Number of events that were not sent, since no webhook URL was set. */
  readonly unsent: CountByName;
  /** Number of attempts that the receiver accepted. */
  readonly delivered: CountByName;
  /** Number of attempts that the receiver did not accept, for example because it did not respond. */
  readonly refused: CountByName;
}

/** Lists all events with their counts. An event that the receiver never accepted counts as missing. */
export function eventCoverage({ emitted, unsent, delivered, refused }: EventCounts) {
  const all = eventNames.map((event) => ({
    event,
    count: emitted(event),
    unsent: unsent(event),
    delivered: delivered(event),
    refused: refused(event),
  }));
  return { missing: all.filter((entry) => entry.delivered === 0).map(({ event }) => event), all };
}
