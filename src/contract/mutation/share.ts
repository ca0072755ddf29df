/** One part of several: the third of twenty. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

const day = 86_400_000;

/**
 * Parses a share: `3/20`, or `today/20`, which selects another one each day and all of them within twenty days.
 * @param now milliseconds since 1970
 * @returns undefined for an invalid share
 */
export function parseShare(text: string, now = Date.now()): Share | undefined {
  const [, which = '', all] = /^(today|\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const of = Number(all);
  const part = which === 'today' ? (Math.floor(now / day) % of) + 1 : Number(which);
  return part >= 1 && part <= of ? { part, of } : undefined;
}

/**
 * Items of a share. All shares together contain each item once; neighbours, which are similar, are in different shares.
 */
export function shareOf<Item>(items: readonly Item[], { part, of }: Share): Item[] {
  return items.filter((_item, index) => index % of === part - 1);
}
