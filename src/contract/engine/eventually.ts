import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseContext } from './session.js';

const firstWaitMs = 100;

/**
 * Repeats a read until its result matches, doubling the wait before each repetition. Gives up, with the last result,
 * once the waits add up to the session's timeout. Only waits count, so a busy machine or a slow target gets as many
 * reads as any other.
 */
export async function eventually<Result>(
  context: ClauseContext,
  read: () => Promise<Result>,
  matches: (result: Result) => boolean,
): Promise<Result> {
  let remaining = context.session.eventuallyTimeoutMs;
  for (let wait = firstWaitMs; ; wait *= 2) {
    const result = await read();
    if (matches(result) || wait > remaining) return result;
    await sleep(wait);
    remaining -= wait;
  }
}
