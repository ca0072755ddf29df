import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/**
 * Lets the disk fail from now on as a full one does: half of what is written gets there, then comes the error.
 * @returns what mends the disk
 */
export function breakDisk(code: 'ENOSPC' | 'EIO'): () => void {
  const { writeSync } = fs;
  let attempts = 0;
  const broken = (file: number, data: NodeJS.ArrayBufferView, offset?: number | null): number => {
    attempts += 1;
    if (attempts === 1 && data.byteLength > 1)
      return writeSync(file, data, offset ?? 0, Math.floor(data.byteLength / 2));
    throw Object.assign(new Error(`${code}: the disk fails, write`), { code });
  };
  Object.assign(fs, { writeSync: broken });
  syncBuiltinESMExports();
  const repair = (): void => {
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  };
  onTestFinished(repair);
  return repair;
}

/** Counts the writes to files while something is done. */
export async function countWrites(work: () => Promise<unknown>): Promise<number> {
  const { writeSync } = fs;
  let writes = 0;
  const counting = (...values: Parameters<typeof writeSync>): number => {
    writes += 1;
    return writeSync(...values);
  };
  Object.assign(fs, { writeSync: counting });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  }
  return writes;
}
