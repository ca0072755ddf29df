import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../lib/errors.js';

/** Returns true if a file does not exist or can be replaced. Pipes and terminals can only be written to. */
export function isReplaceable(file: string): boolean {
  const path = resolve(file);
  // These paths may lead to a file that another process has open, such as redirected output. After a replacement, that
  // process would go on writing to the old file.
  if (/^\/(?:dev|proc)\//.test(path)) return false;
  return lstatSync(realPath(path), { throwIfNoEntry: false })?.isFile() ?? true;
}

/**
 * Writes a file. If it can be replaced, this is atomic: if the process is killed, the file has its old or its new
 * content.
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

/** Resolves links, so that the file is replaced and not the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}
