import { driverMethods } from '../drivers/driver.js';
import { missingEarlierStep, missingResponse } from '../engine/check-clauses.js';
import type { ClauseReport } from './clause-report.js';

/** Clauses that were skipped for the same reason. */
export interface ClauseGroup {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Heading of the skipped clauses, grouped by `groupByMissing`. */
export const notCheckedHeading = 'Not checked, grouped by what is missing';

/**
 * Groups skipped clauses by what is missing, such as an option to add. An earlier step or a response says little by itself,
 * so clauses that lack one are also grouped by their details.
 * @returns the largest group first
 */
export function groupByMissing(clauses: readonly Pick<ClauseReport, 'id' | 'missing' | 'detail'>[]): ClauseGroup[] {
  return groupByReason(clauses, ({ missing = 'something', detail }) =>
    [missingEarlierStep, missingResponse].includes(missing) ? `${missing}: ${detail}` : withDriverOption(missing),
  );
}

/** Adds `(--driver)` to what is missing if that is a driver method, since that option adds a driver. */
function withDriverOption(missing: string): string {
  return driverMethods.some((method) => method === missing) ? `${missing} (--driver)` : missing;
}

/** Groups clauses by a reason. @returns the largest group first */
export function groupByReason<Item extends Pick<ClauseReport, 'id'>>(
  clauses: readonly Item[],
  reasonOf: (clause: Item) => string,
): ClauseGroup[] {
  const idsByReason = new Map<string, string[]>();
  for (const clause of clauses) {
    const reason = reasonOf(clause);
    idsByReason.set(reason, [...(idsByReason.get(reason) ?? []), clause.id]);
  }
  return [...idsByReason].map(([reason, ids]) => ({ reason, ids })).sort((a, b) => b.ids.length - a.ids.length);
}

/** The ids of a group to show in a table: all of up to five; of more, the first four and `…`. */
export function shownIds({ ids }: ClauseGroup): readonly string[] {
  return ids.length > 5 ? [...ids.slice(0, 4), '…'] : ids;
}
