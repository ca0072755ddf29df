import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../lib/errors.js';

/** Returns true if a file does not exist or can be replaced. Pipes and terminals must be written in place. */
export function isReplaceable(file: string): boolean {
  const path = resolve(file);
  // These paths may lead to a file that another process has open, such as redirected output. That process would go on
  // writing to the old file, which no longer has a name.
  if (/^\/(?:dev|proc)\//.test(path)) return false;
  return lstatSync(realPath(path), { throwIfNoEntry: false })?.isFile() ?? true;
}

/**
 * Writes a file. Regular files are replaced as a whole, unless they are bind mounts: if the process is killed, the file
 * has either its old or its new content.
 */
export function replaceFile(file: string, text: string): void {
  if (!isReplaceable(file)) {
    writeFileSync(file, text);
    return;
  }
  const path = realPath(resolve(file));
  const temporaryPath = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(temporaryPath, text);
    renameSync(temporaryPath, path);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    // A bind-mounted file cannot be replaced, so its content is overwritten.
    if (errorCode(error) !== 'EBUSY') throw error;
    writeFileSync(path, text);
  }
}

/** Resolves symbolic links, so that the file is replaced and not the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}
