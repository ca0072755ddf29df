import type { Clause } from '../engine/clause.js';
import { selected } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * Selects the checks for both: the chosen clauses; if none are chosen, all clauses and every gap.
 * @throws CannotRun for an unknown clause
 */
export function checksOf(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selected(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
