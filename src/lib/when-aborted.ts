/** Resolves once a signal is aborted, or immediately if it already is; never without a signal. */
export function whenAborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined);
    signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
