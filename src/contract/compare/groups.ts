import { type Difference, differencesOf, typeOf } from './differences.js';
import type { WithRunId } from './exchanges.js';
import { type Noise, noiseOf } from './noise.js';
import { haveDifferentStatusClasses, type Pair } from './pairs.js';

/** A difference between the two responses of a pair. */
export interface PairDifference {
  readonly pair: Pair;
  readonly difference: Difference;
  /** Reason to ignore the difference, if there is one. */
  readonly noise: Noise | undefined;
}

/** The same difference in one or several pairs of responses of one operation. */
export interface Group {
  readonly operation: string;
  /** The first difference of the group. */
  readonly difference: Difference;
  /** True if the statuses are of different classes, such as 2xx and 4xx. */
  readonly statusClassesDiffer: boolean;
  /** All have the same `noise`. */
  readonly members: readonly [PairDifference, ...PairDifference[]];
}

/** Groups the differences between the responses of pairs. */
export function groupsOf(pairs: readonly Pair[], runs: { readonly a: WithRunId; readonly b: WithRunId }): Group[] {
  const groups = new Map<string, [PairDifference, ...PairDifference[]]>();
  for (const pair of pairs) {
    for (const difference of differencesOf(pair, runs)) {
      const member = { pair, difference, noise: noiseOf(difference, pair, runs) };
      const key = keyOf(member);
      const group = groups.get(key);
      if (group) group.push(member);
      else groups.set(key, [member]);
    }
  }
  return [...groups.values()].map((members) => {
    const [{ pair, difference }] = members;
    return {
      operation: pair.operation,
      difference,
      statusClassesDiffer: haveDifferentStatusClasses(pair),
      members,
    };
  });
}

function keyOf({ pair, difference: { part, path, kind, a, b }, noise }: PairDifference): string {
  const types = kind === 'value' ? [] : [typeOf(a), typeOf(b)];
  // Statuses may differ for another reason in each step, so such differences are not grouped across steps.
  const details = part === 'status' ? [pair.step, a, b] : types;
  return JSON.stringify([pair.operation, part, path, kind, ...details, noise]);
}
