import { type Fault, type FaultStage, type FaultTarget, faultStatus, shouldFire } from '../../domain/faults.js';
import type { AccountState } from '../state/account-state.js';

/** The faults that match a request or message. */
export interface FaultMatch {
  /** Those that take place on it. */
  readonly hits: readonly Fault[];
  /** All of them, with their new counts, to be stored. */
  readonly rows: readonly Fault[];
}

const nothing: FaultMatch = { hits: [], rows: [] };

/** The stages at which one fault replaces what would have happened, so that others have nothing left to change. */
const single: ReadonlySet<FaultStage> = new Set(['call', 'attempt']);

/**
 * Matches the faults of a stage with a request or message.
 * @param targetOf is called only where there are faults of the stage
 */
export function matchFaults(account: AccountState, stage: FaultStage, targetOf: () => FaultTarget): FaultMatch {
  const active = account.activeFaults.at(stage);
  if (active.length === 0) return nothing;
  const target = targetOf();
  const now = account.now();
  const rows: Fault[] = [];
  const hits: Fault[] = [];
  for (const { fault, isFor } of active) {
    if (!isFor(target) || faultStatus(fault, now) === 'over') continue;
    const seen = fault.seen + 1;
    const isHit = shouldFire(fault.match, seen, () => toUnitInterval(account.seededHex(`fault ${fault.id} ${seen}`)));
    const row = { ...fault, seen, hits: fault.hits + (isHit ? 1 : 0) };
    rows.push(row);
    if (!isHit) continue;
    hits.push(row);
    if (single.has(stage)) break;
  }
  return { hits, rows };
}

/** Turns seeded hex digits into a number from 0 to 1, 1 excluded. */
export function toUnitInterval(digits: string): number {
  return Number.parseInt(digits.slice(0, 12), 16) / 2 ** 48;
}
