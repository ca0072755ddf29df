import type { MachineClock } from '../simulation/state/ports.js';

/** Longest delay of a Node timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's clock: the one place where the simulator reads the time. */
export const machineClock: MachineClock = {
  now: () => Date.now(),
  wake(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerMs));
    // A simulator that has nothing else to do may end.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
