import { getAsset } from 'node:sea';
import { errorCode } from '../lib/error-code.js';
import type * as inPackage from '../lib/read-package-file.js';

/** Reads a file that the build has put into the executable. */
export const readPackageFile: typeof inPackage.readPackageFile = (path) => {
  try {
    return Buffer.from(getAsset(path));
  } catch (error) {
    if (errorCode(error) === 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND') return undefined;
    throw error;
  }
};
