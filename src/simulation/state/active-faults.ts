import { type Fault, type FaultStage, matcherOf } from '../../domain/faults.js';
import type { Index } from './table.js';

/** A fault that has not been cleared, with its compiled matcher. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly matches: ReturnType<typeof matcherOf>;
}

/** Faults that have not been cleared, by stage, in the order in which they were added. */
export class ActiveFaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, ActiveFault[]>> = { call: [], answer: [], message: [], attempt: [] };

  add(fault: Fault, previous?: Fault): void {
    if (previous) this.remove(previous);
    if (fault.cleared_at !== null) return;
    const active = this.#faults[fault.stage];
    active.splice(positionOf(fault.id, active), 0, { fault, matches: matcherOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const active = this.#faults[stage];
    const position = positionOf(id, active);
    if (active[position]?.fault.id === id) active.splice(position, 1);
  }

  atStage(stage: FaultStage): readonly ActiveFault[] {
    return this.#faults[stage];
  }

  all(): Fault[] {
    return Object.values(this.#faults).flatMap((active) => active.map(({ fault }) => fault));
  }
}

/** Finds the position of a fault by binary search, which must be fast: every hit updates the fault. */
function positionOf(id: number, active: readonly ActiveFault[]): number {
  let [start, end] = [0, active.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((active[middle]?.fault.id ?? id) < id) start = middle + 1;
    else end = middle;
  }
  return start;
}
