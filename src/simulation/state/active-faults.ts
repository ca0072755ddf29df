import { type Fault, type FaultStage, matcherOf } from '../../domain/faults.js';
import type { Index } from './table.js';

/** A fault that has not been cleared, with its compiled matcher. */
export interface ActiveFault {
  readonly fault: Fault;
  readonly isFor: ReturnType<typeof matcherOf>;
}

/** Faults that have not been cleared, by stage, in the order in which they were added. */
export class ActiveFaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, ActiveFault[]>> = { call: [], answer: [], message: [], attempt: [] };

  add(fault: Fault, previous?: Fault): void {
    if (previous) this.remove(previous);
    if (fault.cleared_at !== null) return;
    const active = this.#faults[fault.stage];
    active.splice(placeOf(fault.id, active), 0, { fault, isFor: matcherOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const active = this.#faults[stage];
    const place = placeOf(id, active);
    if (active[place]?.fault.id === id) active.splice(place, 1);
  }

  at(stage: FaultStage): readonly ActiveFault[] {
    return this.#faults[stage];
  }
}

/** Index of a fault by binary search: a fault is updated whenever it is counted. */
function placeOf(id: number, active: readonly ActiveFault[]): number {
  let [from, to] = [0, active.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((active[middle]?.fault.id ?? id) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}
