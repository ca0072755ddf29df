import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../lib/error-code.js';

/** Whether writing to a path replaces a file; a pipe or a terminal is written to. */
export function isReplaceable(file: string): boolean {
  const path = resolve(file);
  // What they name may be a file that somebody else has open.
  if (/^\/(?:dev|proc)\//.test(path)) return false;
  return lstatSync(realPath(path), { throwIfNoEntry: false })?.isFile() ?? true;
}

/** Writes a file so that a process that is killed meanwhile leaves the old one or the new one. */
export function replaceFile(file: string, text: string): void {
  if (!isReplaceable(file)) {
    writeFileSync(file, text);
    return;
  }
  const path = realPath(resolve(file));
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    // A file that is mounted by itself cannot be replaced.
    if (errorCode(error) !== 'EBUSY') throw error;
    writeFileSync(path, text);
  }
}

/** Follows links, so that the file is replaced and not the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}
