import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseContext } from './session.js';

const firstWaitMs = 100;

/**
 * Repeats a read until its result matches, and doubles the wait before each repetition. If the next wait would exceed
 * what is left of the session's timeout, returns the last result. The time of the reads does not count, so the maximum
 * number of reads does not depend on the speed of the machine or the target.
 */
export async function eventually<Result>(
  context: ClauseContext,
  read: () => Promise<Result>,
  matches: (result: Result) => boolean,
): Promise<Result> {
  let remainingMs = context.session.eventuallyTimeoutMs;
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    const result = await read();
    if (matches(result) || waitMs > remainingMs) return result;
    await sleep(waitMs);
    remainingMs -= waitMs;
  }
}
