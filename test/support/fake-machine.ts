import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MachineClock } from '../../src/simulation/state/ports.js';

/** A machine's clock that goes only when it is told to. */
export interface FakeMachine extends MachineClock {
  /** Lets time pass; timers go off at their moments, and what they set going is given the turns it needs. */
  pass(milliseconds: number): Promise<void>;
  /** Lets time pass while the machine is busy: what timers were set for comes late, with the next `pass`. */
  stall(milliseconds: number): void;
  /** Number of timers set. */
  readonly timers: number;
}

export function fakeMachine(start: string): FakeMachine {
  let now = Date.parse(start);
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    wake(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
        await settled();
      }
      now = end;
      await settled();
    },
    stall(milliseconds) {
      now += milliseconds;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** Gives everything in progress that waits for no timer and no network the turns to get on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
