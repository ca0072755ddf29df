import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Replaces `writeSync` of `node:fs`, also for modules that import it by name. */
function replaceWriteSync(write: (...values: never[]) => number): void {
  Object.assign(fs, { writeSync: write });
  syncBuiltinESMExports();
}

/**
 * Makes writes fail with this error code, as on a full disk: the first write stores half of its bytes, and later ones
 * fail. The disk is repaired after the test.
 * @returns a function that repairs the disk earlier
 */
export function breakDisk(code: 'ENOSPC' | 'EIO'): () => void {
  const { writeSync } = fs;
  let writeCount = 0;
  const failingWriteSync = (file: number, data: NodeJS.ArrayBufferView, offset?: number | null): number => {
    writeCount += 1;
    if (writeCount === 1 && data.byteLength > 1)
      return writeSync(file, data, offset ?? 0, Math.floor(data.byteLength / 2));
    throw Object.assign(new Error(`${code}: simulated disk failure, write`), { code });
  };
  replaceWriteSync(failingWriteSync);
  const repair = (): void => replaceWriteSync(writeSync);
  onTestFinished(repair);
  return repair;
}

/**
 * Makes `ftruncateSync` fail, as on a disk that no longer takes any change. It is repaired after the test.
 * @returns a function that repairs it earlier
 */
export function breakTruncation(): () => void {
  const { ftruncateSync } = fs;
  const use = (truncate: (file: number, length?: number) => void): void => {
    Object.assign(fs, { ftruncateSync: truncate });
    syncBuiltinESMExports();
  };
  const repair = (): void => use(ftruncateSync);
  use(() => {
    throw Object.assign(new Error('EIO: simulated disk failure, ftruncate'), { code: 'EIO' });
  });
  onTestFinished(repair);
  return repair;
}

/**
 * Makes `fdatasync` fail with this error code: what was written may not survive a crash of the machine. It is repaired
 * after the test.
 * @returns a function that repairs it earlier
 */
export function breakFdatasync(code: 'EIO'): () => void {
  const { fdatasync } = fs;
  const use = (sync: (file: number, callback: (error: Error | null) => void) => void): void => {
    Object.assign(fs, { fdatasync: sync });
    syncBuiltinESMExports();
  };
  const repair = (): void => use(fdatasync);
  use((_file, callback) => callback(Object.assign(new Error(`${code}: simulated disk failure, fdatasync`), { code })));
  onTestFinished(repair);
  return repair;
}

/** Runs `work`. @returns number of file writes in the meantime */
export async function countWrites(work: () => Promise<unknown>): Promise<number> {
  const { writeSync } = fs;
  let writeCount = 0;
  const countingWriteSync = (...values: Parameters<typeof writeSync>): number => {
    writeCount += 1;
    return writeSync(...values);
  };
  replaceWriteSync(countingWriteSync);
  try {
    await work();
  } finally {
    replaceWriteSync(writeSync);
  }
  return writeCount;
}

/** Runs `work` once, just before the next file write of this process. */
export function beforeNextWrite(work: () => void): void {
  const { writeSync } = fs;
  onTestFinished(() => replaceWriteSync(writeSync));
  replaceWriteSync((...values: Parameters<typeof writeSync>) => {
    replaceWriteSync(writeSync);
    work();
    return writeSync(...values);
  });
}
