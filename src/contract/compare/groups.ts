import { type Difference, differencesOf } from './differences.js';
import { type Noise, noiseOf } from './noise.js';
import type { Marked } from './own.js';
import type { Pair } from './pairs.js';

/** A difference between two answers. */
export interface Member {
  readonly pair: Pair;
  readonly difference: Difference;
  readonly noise: Noise | undefined;
}

/** The same difference in as many answers to one operation. */
export interface Group {
  readonly operation: string;
  /** The first of them. */
  readonly difference: Difference;
  /** Whether one target refuses what the other does. */
  readonly isUnlike: boolean;
  readonly members: readonly [Member, ...Member[]];
}

/** All differences between the answers of pairs, each once. */
export function groupsOf(pairs: readonly Pair[], marks: { readonly a: Marked; readonly b: Marked }): Group[] {
  const groups = new Map<string, [Member, ...Member[]]>();
  for (const pair of pairs) {
    for (const difference of differencesOf(pair, marks)) {
      const member = { pair, difference, noise: noiseOf(difference, pair, marks) };
      const key = keyOf(member);
      const group = groups.get(key);
      if (group) group.push(member);
      else groups.set(key, [member]);
    }
  }
  return [...groups.values()].map((members) => {
    const [{ pair, difference }] = members;
    return { operation: pair.operation, difference, isUnlike: isUnlike(pair), members };
  });
}

function keyOf({ pair, difference: { part, way, kind, a, b }, noise }: Member): string {
  // One operation is refused, or carried out in another way, for this reason or for that.
  const what = part === 'status' ? [pair.step, a, b] : kind === 'value' ? [] : [formOf(a), formOf(b)];
  return JSON.stringify([pair.operation, part, way, kind, ...what, noise]);
}

function formOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function isUnlike({ a, b }: Pair): boolean {
  return Math.floor(a.status / 100) !== Math.floor(b.status / 100);
}
