import { SingleBar } from 'cli-progress';
import type { Target } from '../../contract/engine/target.js';
import { formatDuration } from '../../text/format.js';
import { understandsEscapes } from '../support/style.js';

/** Shows the progress of a run on stderr. */
export interface ProgressDisplay {
  /** Prints a line above the progress bar. */
  readonly print: (line: string) => void;
  readonly onClause: (target: Pick<Target, 'requestCount'>) => void;
  readonly onWait: (milliseconds: number) => void;
  readonly stop: () => void;
}

/** Minimum length of a wait that is printed where no bar is shown. */
const minShownWaitMs = 5_000;

/**
 * Shows a progress bar on stderr. If stderr is not a terminal, or is a dumb terminal, prints a line for each long wait
 * instead.
 * @param total number of clauses (or other checks)
 */
export function startProgress(total: number, unit = 'clauses'): ProgressDisplay {
  if (!understandsEscapes(process.stderr)) {
    return {
      print: (line) => console.error(line),
      onClause: () => undefined,
      onWait: (milliseconds) => {
        if (milliseconds >= minShownWaitMs)
          console.error(`waiting ${formatSeconds(milliseconds)} for the rate limit of the target`);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar({
    stream: process.stderr,
    // The terminal cuts off longer lines, so this one fits into 80 characters.
    format: `[{bar}] {value}/{total} ${unit}, {requests} requests{waiting}`,
    barsize: 10,
    hideCursor: true,
    clearOnComplete: true,
  });
  let [checked, requestCount] = [0, 0];
  const start = (): void => bar.start(total, checked, { requests: requestCount, waiting: '' });
  start();
  let timer: NodeJS.Timeout | undefined;
  return {
    print: (line) => {
      bar.stop();
      console.error(line);
      start();
    },
    onClause: (target) => {
      checked += 1;
      ({ requestCount } = target);
      bar.increment({ requests: requestCount });
    },
    onWait: (milliseconds) => {
      clearInterval(timer);
      const end = Date.now() + milliseconds;
      const show = (): void => {
        const remainingMs = end - Date.now();
        bar.update({ waiting: remainingMs > 0 ? `, waiting ${formatSeconds(remainingMs)} for the rate limit` : '' });
      };
      show();
      if (milliseconds > 0) timer = setInterval(show, 1_000);
    },
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function formatSeconds(milliseconds: number): string {
  return formatDuration(Math.ceil(milliseconds / 1_000) * 1_000);
}
