import { readFileSync } from 'node:fs';
import { errorCode } from './errors.js';
import { packageFile } from './package-file.js';

/**
 * Reads a file of this package.
 * @param path such as `dist/assets/style.css`
 * @returns undefined if there is no such file
 */
export function readPackageFile(path: string): Buffer | undefined {
  try {
    return readFileSync(packageFile(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
