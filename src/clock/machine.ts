import { clearTimeout, setTimeout } from 'node:timers';
import type { MachineClock } from '../simulation/state/ports.js';

/** Longest delay of a Node timer in milliseconds; a longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Saved when the module is loaded, since tests in the same process may replace `Date` with a fake. */
const { now } = Date;

/**
 * The machine's clock, from which the simulation gets the real time and its timers. It uses the timers of
 * `node:timers`, which the fake timers of test frameworks do not replace.
 */
export const machineClock: MachineClock = {
  now,
  setTimer(milliseconds, callback) {
    // A shortened timer fires too early; its callback then sets the next one.
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerMs));
    // A waiting timer must not keep the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
