import type { Chain } from '../../../simulation/activity/chains.js';

/** A chain and, if it is an advance of the clock, the chains of the items that the advance ran. */
interface ActivityBlock {
  readonly chain: Chain;
  /** Oldest first. */
  readonly dueChains: readonly Chain[];
}

/**
 * Returns one page of chains, in blocks. If the items of an advance continue on the next page, the advance is repeated
 * there.
 * @param chains all chains, newest first @param start number of chains on the previous pages
 */
export function blocksOnPage(chains: readonly Chain[], start: number, pageSize: number): ActivityBlock[] {
  const end = start + pageSize;
  const blocks: ActivityBlock[] = [];
  let position = 0;
  for (const { chain, dueChains } of blocksOf(chains)) {
    const dueStart = position + 1;
    const shownDueChains = dueChains.slice(Math.max(0, start - dueStart), Math.max(0, end - dueStart));
    const isOnPage = position >= start && position < end;
    if (isOnPage || shownDueChains.length > 0) blocks.push({ chain, dueChains: shownDueChains });
    position = dueStart + dueChains.length;
  }
  return blocks;
}

/** Groups the chains of due items under the advance that ran them, if `chains` contains it. */
function blocksOf(chains: readonly Chain[]): ActivityBlock[] {
  const dueChainsOf = new Map<string, Chain[]>(chains.map(({ correlation }) => [correlation, []]));
  const topChains = chains.filter((chain) => {
    const chainsOfAdvance = dueChainsOf.get(causingCorrelation(chain) ?? '');
    // `chains` is newest first, and the chains of an advance are oldest first.
    chainsOfAdvance?.unshift(chain);
    return chainsOfAdvance === undefined;
  });
  return topChains.map((chain) => ({ chain, dueChains: dueChainsOf.get(chain.correlation) ?? [] }));
}

/** If a chain begins with a due item that an advance ran, the correlation of that advance; otherwise null. */
function causingCorrelation({ entries: [first] }: Chain): string | null {
  return 'detail' in first && first.detail.kind === 'due' ? first.detail.caused_by : null;
}
