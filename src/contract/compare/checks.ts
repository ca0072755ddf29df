import type { Clause } from '../engine/clause.js';
import { selectClauses } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * Selects the clauses to check on both targets: the chosen ones; if none are chosen, all clauses, and the active probes
 * of gaps. Passive probes are among the clauses.
 * @throws CannotRun for an unknown clause
 */
export function checksOf(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selectClauses(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
