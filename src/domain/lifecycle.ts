import { memberOf } from '../lib/member-of.js';
import { instant } from './dates.js';
import type { GapChoices } from './gaps.js';
import type { Change, EventName } from './records.js';

/**
 * A lifecycle is a table of transitions: in one of the states `from`, `cause` moves a record to `to` and emits `event`,
 * if `when` holds and the profile has made the choices `given`. All other transitions are refused.
 */
export interface Transition<Status extends string, Cause extends string, Condition extends string = never> {
  readonly from: readonly Status[];
  readonly cause: Cause;
  readonly when?: Condition;
  readonly given?: Partial<GapChoices>;
  readonly to: Status;
  readonly event?: EventName;
}

/** A record after a transition, and the emitted event. */
export interface TransitionResult<Row> {
  readonly record: Row;
  readonly event: EventName | undefined;
}

/** Transition of a record for a cause; undefined if there is none. */
export function findTransition<Status extends string, Cause extends string, Condition extends string>(
  table: readonly Transition<Status, Cause, Condition>[],
  status: Status,
  cause: Cause,
  profile: GapChoices,
  condition?: Condition,
): Transition<Status, Cause, Condition> | undefined {
  return table.find(
    (row) =>
      row.cause === cause &&
      row.from.includes(status) &&
      (row.when === undefined || row.when === condition) &&
      chosen(row.given, profile),
  );
}

/** Sets the status of a record and adds the change to its history. */
export function withStatus<Status extends string, Row extends { status: Status; history: readonly Change<Status>[] }>(
  record: Row,
  cause: string,
  to: Status,
  now: number,
): Row {
  return { ...record, status: to, history: [...record.history, { at: instant(now), cause, from: record.status, to }] };
}

/** Causes with a transition from a state, for hints. */
export function causesFrom<Status extends string, Cause extends string, Condition extends string>(
  table: readonly Transition<Status, Cause, Condition>[],
  status: Status,
): Cause[] {
  return [...new Set(table.filter(({ from }) => from.includes(status)).map(({ cause }) => cause))];
}

/** Causes with a transition from a state under a profile. */
export function allowedCauses<Status extends string, Cause extends string, Condition extends string>(
  table: readonly Transition<Status, Cause, Condition>[],
  status: Status,
  profile: GapChoices,
): Cause[] {
  return causesFrom(
    table.filter(({ given }) => chosen(given, profile)),
    status,
  );
}

/** All steps that records can take under a profile. */
export function allowedSteps<Status extends string, Cause extends string>(
  table: readonly Transition<Status, Cause, string>[],
  profile: GapChoices,
): Omit<Change<Status>, 'at'>[] {
  return table
    .filter(({ given }) => chosen(given, profile))
    .flatMap(({ from, cause, to }) => from.map((state) => ({ from: state, cause, to })));
}

function chosen(given: Partial<GapChoices> | undefined, profile: GapChoices): boolean {
  if (given === undefined) return true;
  return Object.entries(given).every(([gap, choice]) => memberOf(profile, gap) === choice);
}
