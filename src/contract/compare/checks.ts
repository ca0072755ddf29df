import type { Clause } from '../engine/clause.js';
import { selectClauses } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * Selects the clauses to check on both targets: the chosen ones. If none are chosen, selects all clauses, which include
 * the passive probes of gaps, and the active probes.
 * @throws CannotRun for an unknown clause
 */
export function clausesToCompare(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selectClauses(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
