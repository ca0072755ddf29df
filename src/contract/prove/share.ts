/** One part of many: the third of twenty. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** The items of a share. All shares together hold each item once; neighbours, which are much alike, are in different ones. */
export function shareOf<Item>(items: readonly Item[], { part, of }: Share): Item[] {
  return items.filter((_item, index) => index % of === part - 1);
}
