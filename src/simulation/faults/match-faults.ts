import { type Fault, type FaultStage, type FaultTarget, faultStatus, shouldFire } from '../../domain/faults.js';
import type { AccountState } from '../state/account-state.js';

/** Result of matching the faults of a stage with a request or message. */
export interface FaultMatch {
  readonly firingFaults: readonly Fault[];
  /** All matching faults with their new counts, for the caller to store. */
  readonly rows: readonly Fault[];
}

const noMatch: FaultMatch = { firingFaults: [], rows: [] };

/** Stages at which a fault replaces the outcome, so that only one fault can fire. */
const stagesWithOneFault: ReadonlySet<FaultStage> = new Set(['call', 'attempt']);

/**
 * Matches the faults of a stage with a request or message.
 * @param targetOf only called if there are faults of the stage
 */
export function matchFaults(account: AccountState, stage: FaultStage, targetOf: () => FaultTarget): FaultMatch {
  const indexed = account.faultIndex.atStage(stage);
  if (indexed.length === 0) return noMatch;
  const target = targetOf();
  const now = account.now();
  const rows: Fault[] = [];
  const firingFaults: Fault[] = [];
  for (const { fault, matches } of indexed) {
    if (!matches(target) || faultStatus(fault, now) === 'over') continue;
    const seen = fault.seen + 1;
    const isFiring = shouldFire(fault.match, seen, () =>
      toUnitInterval(account.seededHex(`fault ${fault.id} ${seen}`)),
    );
    const row = { ...fault, seen, hits: fault.hits + (isFiring ? 1 : 0) };
    rows.push(row);
    if (!isFiring) continue;
    firingFaults.push(row);
    if (stagesWithOneFault.has(stage)) break;
  }
  return { firingFaults, rows };
}

/** Converts hex digits to a number from 0 to 1, excluding 1. */
export function toUnitInterval(digits: string): number {
  // 12 hex digits are 48 bits.
  return Number.parseInt(digits.slice(0, 12), 16) / 2 ** 48;
}
