/** Resolves once a signal is aborted, at once where it is already; never where there is none. */
export function whenAborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined);
    signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
