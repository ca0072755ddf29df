import { dayMs } from '../../lib/durations.js';

/** One of several parts of about equal size into which the list of mutants is divided: part 3 of 20, for example. */
export interface Shard {
  /** Number of the part, counted from 1. */
  readonly part: number;
  /** Total number of parts. */
  readonly total: number;
}

/**
 * Parses a shard: `3/20`, or `today/20`, which selects the next part each day, so that twenty days cover all.
 * @param now milliseconds since 1970
 * @returns undefined for an invalid shard
 */
export function parseShard(text: string, now = Date.now()): Shard | undefined {
  const [, partText = '', totalText] = /^(today|\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const total = Number(totalText);
  const part = partText === 'today' ? (Math.floor(now / dayMs) % total) + 1 : Number(partText);
  return part >= 1 && part <= total ? { part, total } : undefined;
}

/**
 * Selects the items of a shard. All shards together contain each item once. Neighboring items, which are similar, go to
 * different shards.
 */
export function itemsOfShard<Item>(items: readonly Item[], { part, total }: Shard): Item[] {
  return items.filter((_item, index) => index % total === part - 1);
}
