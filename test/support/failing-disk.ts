import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/**
 * Makes the disk fail like a full one: the first write stores half of its bytes, and later ones fail.
 * @returns a function that repairs the disk
 */
export function breakDisk(code: 'ENOSPC' | 'EIO'): () => void {
  const { writeSync } = fs;
  let attempts = 0;
  const broken = (file: number, data: NodeJS.ArrayBufferView, offset?: number | null): number => {
    attempts += 1;
    if (attempts === 1 && data.byteLength > 1)
      return writeSync(file, data, offset ?? 0, Math.floor(data.byteLength / 2));
    throw Object.assign(new Error(`${code}: simulated disk failure, write`), { code });
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

/** Counts file writes during an action. */
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
