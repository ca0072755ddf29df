import { parseShare, shareOf } from '../../src/contract/mutation/share.js';

/** What a run takes of items that take long all together: one part of so many, another each day. `BILLING_SIM_LONG=1` takes all. */
export function todays<Item>(items: readonly Item[], parts: number): readonly Item[] {
  const share = process.env['BILLING_SIM_LONG'] ? undefined : parseShare(`today/${parts}`);
  return share ? shareOf(items, share) : items;
}
