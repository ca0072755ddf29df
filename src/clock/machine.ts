import type { MachineClock } from '../simulation/world.js';

/** The machine's clock: the one place where the simulator reads the time. */
export const machineClock: MachineClock = { now: () => Date.now() };
