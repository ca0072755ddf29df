import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.js';

interface MakeFolderOptions {
  /** Permissions of the created folders. */
  readonly mode?: number;
  /** Receives the path of each created folder, parents first, even if a later one cannot be created. */
  readonly created?: string[];
}

/**
 * Creates a folder and its parents, unless they exist. Does not use the `recursive` option of `mkdir`, with which Node
 * hangs if a parent such as /proc exists but does not allow new folders.
 */
export async function makeFolder(path: string, options: MakeFolderOptions = {}): Promise<void> {
  try {
    await makeUnlessExists(path, options);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), options);
    await makeUnlessExists(path, options);
  }
}

async function makeUnlessExists(path: string, { mode, created }: MakeFolderOptions): Promise<void> {
  try {
    await mkdir(path, { mode });
    created?.push(path);
  } catch (error) {
    const code = errorCode(error);
    // On Windows, the error for the root of a drive is EPERM.
    const exists = code === 'EEXIST' || (code === 'EPERM' && existsSync(path));
    if (!exists) throw error;
  }
}
