import type { Clause } from '../engine/clause.js';
import { selectClauses } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * Selects the clauses to check on both targets: the chosen ones, or by default all clauses and all probes, which
 * observe the targets' choices where the specification is silent. The list of clauses already includes the passive
 * probes, which add no requests.
 * @throws CannotRun for an unknown clause
 */
export function clausesToCompare(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selectClauses(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
