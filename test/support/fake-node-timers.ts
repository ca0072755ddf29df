import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { onTestFinished, vi } from 'vitest';

type TimerFunction = 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval';

/**
 * Fakes timers until the end of the test, also those of `node:timers`, which the simulator uses and which
 * `vi.useFakeTimers` does not replace.
 */
export function fakeNodeTimers(names: readonly TimerFunction[] = ['setTimeout', 'clearTimeout']): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = timers;
  vi.useFakeTimers({ toFake: [...names] });
  for (const name of names) Object.assign(timers, { [name]: globalThis[name] });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    Object.assign(timers, { setTimeout, clearTimeout, setInterval, clearInterval });
    syncBuiltinESMExports();
  });
}
