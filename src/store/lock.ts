import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A data folder is in use, or cannot be used. The message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Makes this process the only one on a data folder, by a file that names it. A file left behind by a process that is
 * gone does not count.
 * @returns what gives the folder free
 * @throws DataFolderError if another process has it
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const own = `${process.pid} ${startOf(process.pid)}\n`;
  for (;;) {
    try {
      writeFileSync(path, own, { flag: 'wx' });
      return once(() => rmSync(path, { force: true }));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = read(path);
    if (holder === undefined) continue;
    if (isAlive(holder)) throw inUse(folder, holder);
    takeAway(path, holder, folder);
  }
}

/** By the second call another process may have the folder. */
function once(release: () => void): () => void {
  let released = false;
  return () => {
    if (!released) release();
    released = true;
  };
}

/** Takes away a lock that was left behind, unless another process has just replaced it by its own. */
function takeAway(path: string, stale: string, folder: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const taken = read(aside) ?? '';
  if (taken !== stale) {
    linkSync(aside, path);
    unlinkSync(aside);
    throw inUse(folder, taken);
  }
  unlinkSync(aside);
}

function inUse(folder: string, holder: string): DataFolderError {
  return new DataFolderError(
    `the data folder ${folder} is in use by process ${holder.split(' ')[0]}; stop it, or choose another folder with --data`,
  );
}

function isAlive(holder: string): boolean {
  const [pid = '', started = ''] = holder.trim().split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  // Ids of processes are used again: in a container every restart may have the same one.
  return started === startOf(Number(pid)) && !(Number(pid) === process.pid && started === '');
}

/** When a process was started, in the system's own unit; empty where the system does not tell. */
function startOf(pid: number): string {
  const status = read(`/proc/${pid}/stat`);
  // The name, in brackets, may hold spaces; the start is the 20th field after it.
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
