import { driverMethods } from '../drivers/driver.js';
import { missingEarlierStep, missingResponse } from '../engine/check-clauses.js';
import type { ClauseReport } from './clause-report.js';

/** Clauses that were skipped for one and the same reason. */
export interface ClauseGroup {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Heading of the skipped clauses, grouped by `groupByMissing`. */
export const missingHeading = 'Not checked, grouped by what is missing';

/** Groups skipped clauses by what is missing, such as an option to add. @returns the largest group first */
export function groupByMissing(clauses: readonly Pick<ClauseReport, 'id' | 'missing' | 'detail'>[]): ClauseGroup[] {
  return groupByReason(clauses, ({ missing = 'something', detail }) =>
    [missingEarlierStep, missingResponse].includes(missing) ? `${missing}: ${detail}` : withOption(missing),
  );
}

/** Adds the `--driver` option to the name of what is missing, if that is a driver method. */
function withOption(missing: string): string {
  return driverMethods.some((method) => method === missing) ? `${missing} (--driver)` : missing;
}

/** Groups clauses by a reason. @returns the largest group first */
export function groupByReason<Item extends Pick<ClauseReport, 'id'>>(
  clauses: readonly Item[],
  reasonOf: (clause: Item) => string,
): ClauseGroup[] {
  const ids = new Map<string, string[]>();
  for (const clause of clauses) ids.set(reasonOf(clause), [...(ids.get(reasonOf(clause)) ?? []), clause.id]);
  return [...ids].sort(([, a], [, b]) => b.length - a.length).map(([reason, group]) => ({ reason, ids: group }));
}

/** Returns the ids of a group to show in a table: all, or the first four and `…` if there are more than five. */
export function firstIds({ ids }: ClauseGroup): readonly string[] {
  return ids.length > 5 ? [...ids.slice(0, 4), '…'] : ids;
}
