import type { Clause } from '../engine/clause.js';
import { selectClauses } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * Selects the clauses to check on both targets: the chosen ones, or by default all clauses and all probes of gaps. The
 * passive probes are among the clauses already.
 * @throws CannotRun for an unknown clause
 */
export function clausesToCompare(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selectClauses(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
