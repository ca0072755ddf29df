import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { errorCode } from '../../src/lib/errors.js';

/** Creates an empty folder, which is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies a data folder that a simulator is using, as it would be left if that process were killed now. */
export function copyAsIfCrashed(folder: string): string {
  const copy = tempFolder();
  // A checkpoint that is being written is not part of the data yet.
  const isData = (source: string): boolean => !source.endsWith('.tmp');
  for (let isCopied = false; !isCopied; ) {
    try {
      cpSync(folder, copy, { recursive: true, filter: isData });
      isCopied = true;
    } catch (error) {
      // A checkpoint was written during the copy, and the journals before it were removed. No crash can leave an old
      // checkpoint without its journal, so copying starts again.
      if (errorCode(error) !== 'ENOENT') throw error;
      for (const name of readdirSync(copy)) rmSync(join(copy, name), { recursive: true });
    }
  }
  // The lock names the process that uses the original folder, which would be gone after a crash.
  rmSync(join(copy, 'lock'), { force: true });
  return copy;
}
