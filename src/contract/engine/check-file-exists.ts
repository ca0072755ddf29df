import { existsSync } from 'node:fs';
import { CannotRun } from './cannot-run.js';

/**
 * Checks that a file exists.
 * @param name names the file in the message: `the driver ./driver.mjs`
 * @throws CannotRun
 */
export function checkFileExists(file: string, name: string): void {
  if (!existsSync(file)) throw new CannotRun(`cannot read ${name}: no such file`);
}
