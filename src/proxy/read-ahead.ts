import type { Readable } from 'node:stream';

/** The beginning of a stream, or all of it. */
export interface ReadAhead {
  readonly chunks: readonly Buffer[];
  /** True if the stream has ended, in which case the chunks are the whole stream. */
  readonly isWhole: boolean;
}

/**
 * Reads a stream to its end. If it exceeds the size limit or the time limit, pauses it and returns the chunks read so
 * far; the caller may read the rest.
 * @param maxMs undefined for no time limit
 */
export function readAhead(stream: Readable, maxBytes: number, maxMs: number | undefined): Promise<ReadAhead> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const read = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) stop();
    };
    const end = (): void => settle(() => resolve({ chunks, isWhole: true }));
    const fail = (error?: Error): void =>
      settle(() => reject(error ?? new Error('the connection was closed before the end')));
    const stop = (): void =>
      settle(() => {
        stream.pause();
        resolve({ chunks, isWhole: false });
      });
    // If the process was too busy to read in time, `setImmediate` lets it first read what has arrived in the meantime.
    const timer = maxMs === undefined ? undefined : setTimeout(() => setImmediate(stop), maxMs);
    const settle = (callback: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      stream.off('data', read).off('end', end).off('error', fail).off('close', fail);
      callback();
    };
    stream.on('data', read).once('end', end).once('error', fail).once('close', fail);
  });
}
