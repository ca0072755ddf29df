import { type Difference, differencesOf } from './differences.js';
import { type Noise, noiseOf } from './noise.js';
import type { WithRunId } from './own-records.js';
import type { Pair } from './pairs.js';

/** A difference between two responses. */
export interface Member {
  readonly pair: Pair;
  readonly difference: Difference;
  readonly noise: Noise | undefined;
}

/** The same difference in several responses to one operation. */
export interface Group {
  readonly operation: string;
  /** The first difference of the group. */
  readonly difference: Difference;
  /** Whether the statuses are of different classes: usually one target refuses what the other accepts. */
  readonly areStatusClassesDifferent: boolean;
  readonly members: readonly [Member, ...Member[]];
}

/** Groups the differences between the responses of pairs. */
export function groupsOf(pairs: readonly Pair[], runs: { readonly a: WithRunId; readonly b: WithRunId }): Group[] {
  const groups = new Map<string, [Member, ...Member[]]>();
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
      areStatusClassesDifferent: areStatusClassesDifferent(pair),
      members,
    };
  });
}

function keyOf({ pair, difference: { part, path, kind, a, b }, noise }: Member): string {
  // The same operation may be refused, or handled differently, for several reasons.
  const details = part === 'status' ? [pair.step, a, b] : kind === 'value' ? [] : [typeName(a), typeName(b)];
  return JSON.stringify([pair.operation, part, path, kind, ...details, noise]);
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function areStatusClassesDifferent({ a, b }: Pair): boolean {
  return Math.floor(a.status / 100) !== Math.floor(b.status / 100);
}
