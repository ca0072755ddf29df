import type { MachineClock } from '../simulation/state/ports.js';

/** Longest delay of a Node timer in milliseconds; a longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's clock, from which the simulation gets the real time and its timers. */
export const machineClock: MachineClock = {
  now: () => Date.now(),
  setTimer(milliseconds, callback) {
    // A shortened timer fires too early. The schedule then finds nothing due, and sets the next timer.
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerMs));
    // A waiting timer must not keep the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
