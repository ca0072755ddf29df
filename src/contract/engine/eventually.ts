import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseContext } from './session.js';

const firstWait = 100;

/**
 * Repeats a read until its result matches, doubling the wait before each repetition. Gives up, with the last result,
 * once the waits add up to the session's timeout. Only waits count, so a busy machine or a slow target gets as many
 * reads as any other.
 */
export async function eventually<Seen>(
  context: ClauseContext,
  look: () => Promise<Seen>,
  holds: (seen: Seen) => boolean,
): Promise<Seen> {
  let remaining = context.session.eventuallyTimeoutMs;
  for (let wait = firstWait; ; wait *= 2) {
    const seen = await look();
    if (holds(seen) || wait > remaining) return seen;
    await sleep(wait);
    remaining -= wait;
  }
}
