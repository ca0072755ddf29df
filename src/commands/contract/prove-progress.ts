import { SingleBar } from 'cli-progress';
import { countOf } from '../support/output.js';

/** Shows the progress of a proof on stderr. */
export interface ShownProof {
  readonly begin: (total: number) => void;
  readonly onTrial: () => void;
  readonly stop: () => void;
}

/** Shows progress on stderr. If it is not a terminal, prints one line for every ten percent. */
export function startProof(): ShownProof {
  if (!process.stderr.isTTY) return inLines();
  const bar = new SingleBar({
    stream: process.stderr,
    format: 'testing [{bar}] {value}/{total} mutants, {eta_formatted} left',
    hideCursor: true,
    clearOnComplete: true,
  });
  return { begin: (total) => bar.start(total, 0), onTrial: () => bar.increment(), stop: () => bar.stop() };
}

function inLines(): ShownProof {
  let all = 0;
  let tried = 0;
  return {
    begin(total) {
      all = total;
      console.error(`the suite passes on the original simulator; running ${countOf(total, 'mutant')}`);
    },
    onTrial() {
      tried += 1;
      const tenth = (count: number): number => Math.floor((count * 10) / all);
      if (tried < all && tenth(tried) > tenth(tried - 1)) console.error(`${tried} of ${countOf(all, 'mutant')} run`);
    },
    stop: () => undefined,
  };
}
