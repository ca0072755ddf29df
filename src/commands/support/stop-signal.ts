import { exitEarly } from '../../lib/exit-process.js';

/** SIGHUP is sent when the terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns an AbortSignal that aborts on the first SIGINT, SIGTERM or SIGHUP, so that resources can be closed. A second
 * signal of the same kind ends the process.
 */
export function stopOnSignal(): AbortSignal {
  return abortOnSignal().signal;
}

/** Like `stopOnSignal`, but also aborts when the program that reads stdout has ended. */
export function stopOnSignalOrClosedOutput(): AbortSignal {
  const controller = abortOnSignal();
  process.stdout.once('error', () => controller.abort());
  return controller.signal;
}

/** Like `stopOnSignal`, but also prints a notice. A second signal ends the process with exit code 2. */
export function stopOnSignalWithNotice(): AbortSignal {
  const { signal } = abortOnSignal();
  signal.addEventListener('abort', () => {
    console.error('Stopping. Press Ctrl-C again to force.');
    for (const name of signals) process.on(name, () => exitEarly(2));
  });
  return signal;
}

function abortOnSignal(): AbortController {
  const controller = new AbortController();
  for (const name of signals) process.once(name, () => controller.abort());
  return controller;
}
