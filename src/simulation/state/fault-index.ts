import { type Fault, type FaultStage, matcherOf } from '../../domain/faults.js';
import type { Index } from './table.js';

/** A fault that has not been cleared, with its compiled matcher. It may be over (see `FaultStatus`). */
export interface IndexedFault {
  readonly fault: Fault;
  readonly matches: ReturnType<typeof matcherOf>;
}

/** Faults that have not been cleared, by stage, in the order in which they were added. */
export class FaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, IndexedFault[]>> = { call: [], answer: [], message: [], attempt: [] };

  add(fault: Fault, previous?: Fault): void {
    if (previous) this.remove(previous);
    if (fault.cleared_at !== null) return;
    const faultsOfStage = this.#faults[fault.stage];
    faultsOfStage.splice(positionOf(fault.id, faultsOfStage), 0, { fault, matches: matcherOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const faultsOfStage = this.#faults[stage];
    const position = positionOf(id, faultsOfStage);
    if (faultsOfStage[position]?.fault.id === id) faultsOfStage.splice(position, 1);
  }

  atStage(stage: FaultStage): readonly IndexedFault[] {
    return this.#faults[stage];
  }

  all(): Fault[] {
    return Object.values(this.#faults).flatMap((faultsOfStage) => faultsOfStage.map(({ fault }) => fault));
  }
}

/** Finds the position of a fault by binary search, which must be fast: every match updates the fault. */
function positionOf(id: number, faultsOfStage: readonly IndexedFault[]): number {
  let [start, end] = [0, faultsOfStage.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((faultsOfStage[middle]?.fault.id ?? id) < id) start = middle + 1;
    else end = middle;
  }
  return start;
}
