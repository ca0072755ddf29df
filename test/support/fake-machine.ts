import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MachineClock } from '../../src/simulation/state/ports.js';

/** A machine clock that the test advances. */
export interface FakeMachine extends MachineClock {
  /** Advances the clock, fires timers as they fall due, and waits for the work that they start. */
  advance(milliseconds: number): Promise<void>;
  /** Advances the clock without firing timers, as on a busy machine; they fire at the next `advance`. */
  stall(milliseconds: number): void;
  /** Sets the clock forward, or back if negative. Timers do not notice: each still waits as long as before. */
  shift(milliseconds: number): void;
  /** Number of pending timers. */
  readonly timerCount: number;
}

export function createFakeMachine(start: string): FakeMachine {
  let now = Date.parse(start);
  const timers = new Set<{ at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    setTimer(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
        await untilSettled();
      }
      now = end;
      await untilSettled();
    },
    stall(milliseconds) {
      now += milliseconds;
    },
    shift(milliseconds) {
      now += milliseconds;
      for (const timer of timers) timer.at += milliseconds;
    },
    get timerCount() {
      return timers.size;
    },
  };
}

/** Waits for work that needs neither a timer nor the network. Such work takes fewer than 20 turns of the event loop. */
export async function untilSettled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
