/** True in a full run (`npm run test:full`), false if only a sample of the cases is tested (`npm test`). */
export const isFullRun = process.env['BILLING_SIM_TEST'] === 'full';

/** The fraction of the cases that is tested unless the run is full: one in `oneIn`. */
interface SampleSize {
  readonly oneIn: number;
}

/**
 * Selects every nth of many test cases, where n is `oneIn`: the same cases in every run, and no neighbors, which are
 * often similar. In a full run it selects all.
 */
export function sampleUnlessFull<Item>(items: readonly Item[], { oneIn }: SampleSize): readonly Item[] {
  return isFullRun ? items : items.filter((_item, index) => index % oneIn === 0);
}

/** Divides the number of runs of a property-based test by `oneIn`, except in a full run. */
export function sampledRunsUnlessFull(runs: number, { oneIn }: SampleSize): number {
  return isFullRun ? runs : Math.ceil(runs / oneIn);
}
