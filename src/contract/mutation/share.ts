/** One part of many: the third of twenty. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

const day = 86_400_000;

/**
 * Reads a share: `3/20`, or `today/20`, which is another one each day, and each one within twenty days.
 * @param now milliseconds since 1970
 * @returns undefined for what is none
 */
export function parseShare(text: string, now = Date.now()): Share | undefined {
  const [, which = '', all] = /^(today|\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const of = Number(all);
  const part = which === 'today' ? (Math.floor(now / day) % of) + 1 : Number(which);
  return part >= 1 && part <= of ? { part, of } : undefined;
}

/** The items of a share. All shares together hold each item once; neighbours, which are much alike, are in different ones. */
export function shareOf<Item>(items: readonly Item[], { part, of }: Share): Item[] {
  return items.filter((_item, index) => index % of === part - 1);
}
