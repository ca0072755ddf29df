import { setTimeout as sleep } from 'node:timers/promises';
import { UnreachableError } from '../support/control.js';
import { printNotice } from '../support/style.js';

interface PollOptions {
  readonly intervalMs: number;
  /** Maximum delay between two attempts to reconnect. */
  readonly maxRetryDelayMs: number;
  readonly stopSignal: AbortSignal;
}

/** Delay before the first attempt to reconnect. It doubles with each attempt, up to a maximum. */
const firstRetryDelayMs = 250;

/**
 * Polls the simulator at intervals until the signal aborts. If the simulator does not respond, prints a notice, and
 * waits until it is back.
 * @param poll sends the requests, and returns a function that prints the result. After a lost connection, this function
 * is called after the notice that the connection is back.
 */
export async function pollSimulator(
  { intervalMs, maxRetryDelayMs, stopSignal }: PollOptions,
  poll: () => Promise<() => void>,
): Promise<void> {
  /** Undefined while the simulator responds. */
  let retryDelayMs: number | undefined;
  while (true) {
    await sleep(retryDelayMs ?? intervalMs, undefined, { signal: stopSignal }).catch(() => undefined);
    if (stopSignal.aborted) return;
    try {
      const printResult = await poll();
      if (retryDelayMs !== undefined) printNotice('Connected to the simulator again.');
      retryDelayMs = undefined;
      printResult();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      if (retryDelayMs === undefined) printNotice('Lost the connection to the simulator; waiting for it.');
      retryDelayMs = retryDelayMs === undefined ? firstRetryDelayMs : Math.min(retryDelayMs * 2, maxRetryDelayMs);
    }
  }
}
