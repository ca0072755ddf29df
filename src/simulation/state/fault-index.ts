import {
  type Fault,
  type FaultStage,
  type FaultTarget,
  faultStatus,
  predicateOf,
  shouldFire,
} from '../../domain/faults.js';
import type { Index } from './table.js';

/** Result of matching a request or message against the faults of a stage. */
export interface FaultMatch {
  readonly firingFaults: readonly Fault[];
  /** The faults that matched, with their new counts, for the caller to store. */
  readonly rows: readonly Fault[];
}

const noMatch: FaultMatch = { firingFaults: [], rows: [] };

/** Stages at which a fault replaces the outcome, so that only one can fire, and no further faults are matched. */
const stagesWithOneFault: ReadonlySet<FaultStage> = new Set(['request', 'attempt']);

/** A fault that has not been cleared, with its compiled matchers. It may have ended (see `FaultStatus`). */
interface IndexedFault {
  readonly fault: Fault;
  readonly matches: ReturnType<typeof predicateOf>;
}

/** Faults that have not been cleared, by stage (see `FaultStage`), in the order in which they were added. */
export class FaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, IndexedFault[]>> = {
    request: [],
    response: [],
    message: [],
    attempt: [],
  };

  add(fault: Fault, previous?: Fault): void {
    if (previous) this.remove(previous);
    if (fault.cleared_at !== null) return;
    const faultsOfStage = this.#faults[fault.stage];
    faultsOfStage.splice(positionOf(fault.id, faultsOfStage), 0, { fault, matches: predicateOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const faultsOfStage = this.#faults[stage];
    const position = positionOf(id, faultsOfStage);
    if (faultsOfStage[position]?.fault.id === id) faultsOfStage.splice(position, 1);
  }

  /**
   * Matches a request or message against the faults of a stage.
   * @param targetOf called only if there are faults of the stage
   * @param account gives the time, and the random numbers for faults that fire by chance
   */
  match(
    stage: FaultStage,
    targetOf: () => FaultTarget,
    account: { now(): number; seededNumber(label: string): number },
  ): FaultMatch {
    const indexed = this.#faults[stage];
    if (indexed.length === 0) return noMatch;
    const target = targetOf();
    const now = account.now();
    const rows: Fault[] = [];
    const firingFaults: Fault[] = [];
    for (const { fault, matches } of indexed) {
      if (!matches(target) || faultStatus(fault, now) === 'ended') continue;
      const timesMatched = fault.times_matched + 1;
      const isFiring = shouldFire(fault.match, timesMatched, () =>
        account.seededNumber(`fault ${fault.id} ${timesMatched}`),
      );
      const row = { ...fault, times_matched: timesMatched, times_fired: fault.times_fired + (isFiring ? 1 : 0) };
      rows.push(row);
      if (!isFiring) continue;
      firingFaults.push(row);
      if (stagesWithOneFault.has(stage)) break;
    }
    return { firingFaults, rows };
  }

  all(): Fault[] {
    return Object.values(this.#faults).flatMap((faultsOfStage) => faultsOfStage.map(({ fault }) => fault));
  }
}

/**
 * Returns the position of a fault, or where to insert it. Uses a binary search: every match updates the index, so
 * finding the position must be fast.
 */
function positionOf(id: number, faultsOfStage: readonly IndexedFault[]): number {
  let [start, end] = [0, faultsOfStage.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((faultsOfStage[middle]?.fault.id ?? id) < id) start = middle + 1;
    else end = middle;
  }
  return start;
}
