/** One of several equal parts of the mutants, such as the third of twenty. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

const dayMs = 86_400_000;

/**
 * Parses a share: `3/20`, or `today/20`, which selects the next part each day, so that twenty days cover all.
 * @param now milliseconds since 1970
 * @returns undefined for an invalid share
 */
export function parseShare(text: string, now = Date.now()): Share | undefined {
  const [, partText = '', total] = /^(today|\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const of = Number(total);
  const part = partText === 'today' ? (Math.floor(now / dayMs) % of) + 1 : Number(partText);
  return part >= 1 && part <= of ? { part, of } : undefined;
}

/**
 * Selects the items of a share. All shares together contain each item once; neighbours, which are similar, are in different shares.
 */
export function shareOf<Item>(items: readonly Item[], { part, of }: Share): Item[] {
  return items.filter((_item, index) => index % of === part - 1);
}
