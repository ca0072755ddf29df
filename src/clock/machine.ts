import type { MachineClock } from '../simulation/state/ports.js';

/** The longest that a timer takes, in milliseconds; with a longer one it would go off at once. */
const longest = 2 ** 31 - 1;

/** The machine's clock: the one place where the simulator reads the time. */
export const machineClock: MachineClock = {
  now: () => Date.now(),
  wake(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longest));
    // A simulator that has nothing else to do may end.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
