import type { Profile } from './gaps.js';

/**
 * A lifecycle is a table. A row says: in one of the states `from`, by `cause`, if `when` holds (and the profile has made
 * the choices `given`), a record goes to `to`, which is told as `event`. What no row admits is refused.
 */
export interface Transition<Status extends string, Cause extends string, Condition extends string = never> {
  readonly from: readonly Status[];
  readonly cause: Cause;
  readonly when?: Condition;
  readonly given?: Partial<Profile>;
  readonly to: Status;
  readonly event?: EventName;
}

export type EventName =
  | 'payment.succeeded'
  | 'deposit.created'
  | 'deposit.authorized'
  | 'deposit.partially_captured'
  | 'deposit.captured'
  | 'deposit.released'
  | 'deposit.expired'
  | 'deposit.failed';

/** The row that a cause takes a record along, or undefined where the lifecycle has none. */
export function transition<Status extends string, Cause extends string, Condition extends string>(
  table: readonly Transition<Status, Cause, Condition>[],
  status: Status,
  cause: Cause,
  profile: Profile,
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

function chosen(given: Partial<Profile> | undefined, profile: Profile): boolean {
  return Object.entries(given ?? {}).every(([gap, choice]) => Reflect.get(profile, gap) === choice);
}
