import type { Clause } from '../engine/clause.js';
import { selected } from '../engine/select.js';
import { probes } from '../sections/probes.js';

/**
 * What is checked on both: the clauses that are asked for, and where nothing is asked for every gap, too.
 * @throws CannotRun for what is no clause
 */
export function checksOf(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selected(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
