import type { Clause } from '../clause.js';
import { probes } from '../probes/index.js';
import { selected } from '../select.js';

/**
 * What is checked on both: the clauses that are asked for, and where nothing is asked for every gap, too.
 * @throws CannotRun for what is no clause
 */
export function checksOf(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selected(only);
  return only === undefined || only.length === 0 ? [...chosen, ...probes.filter(({ isFree }) => !isFree)] : chosen;
}
