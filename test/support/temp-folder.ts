import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { errorCode } from '../../src/lib/error-code.js';

/** A new empty folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies a data folder in use, as it would be found after its process was killed at this moment. */
export function asCrashLeavesIt(folder: string): string {
  const copy = tempFolder();
  // A checkpoint that is being written is not part of the data yet.
  const isData = (source: string): boolean => !source.endsWith('.tmp');
  for (let isCopied = false; !isCopied; ) {
    try {
      cpSync(folder, copy, { recursive: true, filter: isData });
      isCopied = true;
    } catch (error) {
      // A checkpoint has just replaced the journal: no crash leaves half of each, so the copy begins again.
      if (errorCode(error) !== 'ENOENT') throw error;
      for (const name of readdirSync(copy)) rmSync(join(copy, name), { recursive: true });
    }
  }
  rmSync(join(copy, 'lock'));
  return copy;
}
