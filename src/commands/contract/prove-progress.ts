import { SingleBar } from 'cli-progress';
import { formatCount } from '../../text/format.js';
import { understandsEscapes } from '../support/style.js';

/** Shows the progress of a mutation test on stderr. */
export interface ProveProgress {
  /** @param total number of mutants to test */
  readonly start: (total: number) => void;
  /** Called each time a mutant has been tested. */
  readonly mutantTested: () => void;
  readonly stop: () => void;
}

/** Shows a progress bar on stderr, or prints a line for every ten percent if stderr cannot show a bar. */
export function createProveProgress(): ProveProgress {
  if (!understandsEscapes(process.stderr)) return createLineProgress();
  const bar = new SingleBar({
    stream: process.stderr,
    format: 'testing [{bar}] {value}/{total} mutants, {eta_formatted} left',
    hideCursor: true,
    clearOnComplete: true,
  });
  return { start: (total) => bar.start(total, 0), mutantTested: () => bar.increment(), stop: () => bar.stop() };
}

function createLineProgress(): ProveProgress {
  let mutantCount = 0;
  let testedCount = 0;
  return {
    start(total) {
      mutantCount = total;
      console.error(`all clauses pass against the unmodified simulator; testing ${formatCount(total, 'mutant')}`);
    },
    mutantTested() {
      testedCount += 1;
      const completeTenths = (count: number): number => Math.floor((count * 10) / mutantCount);
      if (testedCount < mutantCount && completeTenths(testedCount) > completeTenths(testedCount - 1))
        console.error(`${testedCount} of ${formatCount(mutantCount, 'mutant')} tested`);
    },
    stop: () => undefined,
  };
}
