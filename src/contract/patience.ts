import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './session.js';

const firstWait = 100;

/**
 * Looks at something that may take its time: again and again, each time after twice as long, until what is seen holds or
 * the session's patience is at an end. Gives what was seen last.
 */
export async function eventually<Seen>(
  scene: Scene,
  look: () => Promise<Seen>,
  holds: (seen: Seen) => boolean,
): Promise<Seen> {
  const end = Date.now() + scene.session.patience;
  for (let wait = firstWait; ; wait *= 2) {
    const seen = await look();
    if (holds(seen) || Date.now() + wait > end) return seen;
    await sleep(wait);
  }
}
