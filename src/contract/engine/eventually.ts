import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseContext } from './session.js';

const firstWaitMs = 100;

/**
 * Repeats a read until its result matches or the session's timeout is over. Doubles the wait before each repetition;
 * the last read comes exactly at the timeout. Only the waits count towards it, so the maximum number of reads does not
 * depend on the speed of the machine or the target.
 * @returns the last result
 */
export async function eventually<Result>(
  context: ClauseContext,
  read: () => Promise<Result>,
  matches: (result: Result) => boolean,
): Promise<Result> {
  let remainingMs = context.session.eventuallyTimeoutMs;
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    const result = await read();
    if (matches(result) || remainingMs <= 0) return result;
    const nextWaitMs = Math.min(waitMs, remainingMs);
    await sleep(nextWaitMs);
    remainingMs -= nextWaitMs;
  }
}

/** Formats the time that the suite has waited, with the option that extends it. */
export function timeoutText({ session }: ClauseContext): string {
  return `${session.eventuallyTimeoutMs / 1_000} s (--webhook-timeout)`;
}
