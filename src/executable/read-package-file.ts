import { getAsset } from 'node:sea';
import { errorCode } from '../lib/errors.js';
import type * as packageModule from '../lib/read-package-file.js';

/**
 * Reads a file that the build has put into the executable. In the executable, this function replaces that of
 * `src/lib/read-package-file.ts`.
 */
export const readPackageFile: typeof packageModule.readPackageFile = (path) => {
  try {
    return Buffer.from(getAsset(path));
  } catch (error) {
    if (errorCode(error) === 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND') return undefined;
    throw error;
  }
};
