const signals = ['SIGINT', 'SIGTERM'] as const;

/** Aborted by the first SIGINT or SIGTERM, so that what was opened is closed. A second one ends the process. */
export function untilSignalled(): AbortSignal {
  return ending().signal;
}

/** Aborted as by `untilSignalled`, and once nobody reads the standard output any more. */
export function untilSignalledOrUnread(): AbortSignal {
  const ended = ending();
  process.stdout.once('error', () => ended.abort());
  return ended.signal;
}

/** Aborted as by `untilSignalled`; prints so, and a second signal ends the process with exit code 2. */
export function untilForced(): AbortSignal {
  const { signal } = ending();
  signal.addEventListener('abort', () => {
    console.error('Stopping. Press Ctrl-C again to force.');
    for (const name of signals) process.on(name, () => process.exit(2));
  });
  return signal;
}

function ending(): AbortController {
  const ended = new AbortController();
  for (const name of signals) process.once(name, () => ended.abort());
  return ended;
}
