import { memberOf } from '../lib/json.js';
import { formatInstant } from './dates.js';
import type { GapChoices } from './gaps.js';
import type { EventName, StatusChange } from './records.js';

/**
 * A row in the transition table of a lifecycle: when `cause` occurs, a record whose status is one of `from` gets the status
 * `to`, and `event` is emitted. Rows with `when` or `choices` apply only under that condition, or to profiles with these
 * choices. Of several rows, the first applies. What is not in the table is refused.
 */
export interface Transition<
  Status extends string,
  Cause extends string,
  Condition extends string = never,
  Event extends EventName = EventName,
> {
  readonly from: readonly Status[];
  readonly cause: Cause;
  readonly when?: Condition;
  readonly choices?: Partial<GapChoices>;
  readonly to: Status;
  readonly event?: Event;
}

/** A record after a transition, and the event to emit; undefined for none. */
export interface TransitionResult<Row, Event extends EventName> {
  readonly record: Row;
  readonly event: Event | undefined;
}

/** Finds the transition from a status for a cause; undefined if none applies. */
export function findTransition<
  Status extends string,
  Cause extends string,
  Condition extends string,
  Event extends EventName,
>(
  table: readonly Transition<Status, Cause, Condition, Event>[],
  status: Status,
  cause: Cause,
  profile: GapChoices,
  condition?: Condition,
): Transition<Status, Cause, Condition, Event> | undefined {
  return table.find(
    (transition) =>
      transition.cause === cause &&
      transition.from.includes(status) &&
      (transition.when === undefined || transition.when === condition) &&
      areChosen(transition.choices, profile),
  );
}

/** Returns a copy of a record with another status, and with the change in its history. */
export function withStatus<
  Status extends string,
  Row extends { status: Status; history: readonly StatusChange<Status>[] },
>(record: Row, cause: string, to: Status, now: number): Row {
  return {
    ...record,
    status: to,
    history: [...record.history, { at: formatInstant(now), cause, from: record.status, to }],
  };
}

/** Causes of the transitions from a status, whatever the profile. */
export function causesFrom<Status extends string, Cause extends string>(
  table: readonly Transition<Status, Cause, string>[],
  status: Status,
): Cause[] {
  return [...new Set(table.filter(({ from }) => from.includes(status)).map(({ cause }) => cause))];
}

/** Causes of the transitions from a status that a profile allows. */
export function allowedCauses<Status extends string, Cause extends string>(
  table: readonly Transition<Status, Cause, string>[],
  status: Status,
  profile: GapChoices,
): Cause[] {
  return causesFrom(
    table.filter(({ choices }) => areChosen(choices, profile)),
    status,
  );
}

/** All transitions that a profile allows, one for each status in the `from` of a row. */
export function allowedTransitions<Status extends string, Cause extends string>(
  table: readonly Transition<Status, Cause, string>[],
  profile: GapChoices,
): Omit<StatusChange<Status>, 'at'>[] {
  return table
    .filter(({ choices }) => areChosen(choices, profile))
    .flatMap(({ from, cause, to }) => from.map((status) => ({ from: status, cause, to })));
}

function areChosen(choices: Partial<GapChoices> | undefined, profile: GapChoices): boolean {
  if (choices === undefined) return true;
  return Object.entries(choices).every(([gap, choice]) => memberOf(profile, gap) === choice);
}
