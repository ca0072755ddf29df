import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of a data folder in use, as it would be found after its process was killed at this moment. */
export function asCrashLeavesIt(folder: string): string {
  const copy = tempFolder();
  // A snapshot that is being written may be there at one moment and renamed at the next; to a start it is nothing.
  cpSync(folder, copy, { recursive: true, filter: (source) => !source.endsWith('.tmp') });
  rmSync(join(copy, 'lock'));
  return copy;
}
