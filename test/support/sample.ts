/** True if everything is tested (`npm run test:full`), false for the sample that `npm test` takes. */
export const isFull = process.env['BILLING_SIM_TEST'] === 'full';

/**
 * Takes a share of many test cases: every so many-th of them, always the same ones, so that a run does not depend on the
 * date; neighbours, which are much alike, are in different shares. In a full run it takes all.
 */
export function sample<Item>(items: readonly Item[], oneIn: number): readonly Item[] {
  return isFull ? items : items.filter((_item, index) => index % oneIn === 0);
}

/** Takes a share of the runs of a property. In a full run it takes all. */
export function sampledRuns(runs: number, oneIn: number): number {
  return isFull ? runs : Math.ceil(runs / oneIn);
}
