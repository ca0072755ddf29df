/** True in a full run (`npm run test:full`), false if only a sample of the cases is tested (`npm test`). */
export const isFullRun = process.env['BILLING_SIM_TEST'] === 'full';

/**
 * Selects every nth of many test cases, always the same ones, so that runs do not depend on the date. Neighbors, which
 * are often similar, are not selected together. In a full run it selects all.
 */
export function sample<Item>(items: readonly Item[], oneIn: number): readonly Item[] {
  return isFullRun ? items : items.filter((_item, index) => index % oneIn === 0);
}

/** Reduces the number of runs of a property-based test to one in `oneIn`, except in a full run. */
export function sampledRuns(runs: number, oneIn: number): number {
  return isFullRun ? runs : Math.ceil(runs / oneIn);
}
