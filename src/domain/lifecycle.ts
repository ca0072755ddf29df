import { instant } from './dates.js';
import type { GapChoices } from './gaps.js';
import type { Change, EventName } from './records.js';

/**
 * A lifecycle is a table. A row says: in one of the states `from`, by `cause`, if `when` holds (and the profile has made
 * the choices `given`), a record goes to `to`, which emits `event`. What no row admits is refused.
 */
export interface Transition<Status extends string, Cause extends string, Condition extends string = never> {
  readonly from: readonly Status[];
  readonly cause: Cause;
  readonly when?: Condition;
  readonly given?: Partial<GapChoices>;
  readonly to: Status;
  readonly event?: EventName;
}

/** A record after a transition, and the event that it emits. */
export interface TransitionResult<Row> {
  readonly record: Row;
  readonly event: EventName | undefined;
}

/** The row that a cause takes a record along, or undefined where the lifecycle has none. */
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

/** The record with a status that a cause has given it, and that in its history. */
export function withStatus<Status extends string, Row extends { status: Status; history: readonly Change<Status>[] }>(
  record: Row,
  cause: string,
  to: Status,
  now: number,
): Row {
  return { ...record, status: to, history: [...record.history, { at: instant(now), cause, from: record.status, to }] };
}

/** The causes that a state has a way out by, for hints. */
export function causesFrom<Status extends string, Cause extends string, Condition extends string>(
  table: readonly Transition<Status, Cause, Condition>[],
  status: Status,
): Cause[] {
  return [...new Set(table.filter(({ from }) => from.includes(status)).map(({ cause }) => cause))];
}

/** The causes that take a record on from a state under a profile. */
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

/** Every step that a profile lets records take. */
export function allowedSteps<Status extends string, Cause extends string>(
  table: readonly Transition<Status, Cause, string>[],
  profile: GapChoices,
): Omit<Change<Status>, 'at'>[] {
  return table
    .filter(({ given }) => chosen(given, profile))
    .flatMap(({ from, cause, to }) => from.map((state) => ({ from: state, cause, to })));
}

function chosen(given: Partial<GapChoices> | undefined, profile: GapChoices): boolean {
  return Object.entries(given ?? {}).every(([gap, choice]) => Reflect.get(profile, gap) === choice);
}
