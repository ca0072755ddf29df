const signals = ['SIGINT', 'SIGTERM'] as const;

/** Aborts on the first SIGINT or SIGTERM, so that resources can be closed. A second signal ends the process. */
export function untilSignalled(): AbortSignal {
  return abortOnSignal().signal;
}

/** Aborts like `untilSignalled`, and also once the reader of stdout is gone. */
export function untilSignalledOrUnread(): AbortSignal {
  const ended = abortOnSignal();
  process.stdout.once('error', () => ended.abort());
  return ended.signal;
}

/** Aborts like `untilSignalled`, and prints a notice; a second signal ends the process with exit code 2. */
export function untilForced(): AbortSignal {
  const { signal } = abortOnSignal();
  signal.addEventListener('abort', () => {
    console.error('Stopping. Press Ctrl-C again to force.');
    for (const name of signals) process.on(name, () => process.exit(2));
  });
  return signal;
}

function abortOnSignal(): AbortController {
  const ended = new AbortController();
  for (const name of signals) process.once(name, () => ended.abort());
  return ended;
}
