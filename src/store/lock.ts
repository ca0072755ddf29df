import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../lib/error-code.js';
import { DataFolderError } from './data-folder-error.js';

/** How often the holder of a lock touches it. */
const heartbeatMs = 1_000;

/** A lock that was not touched for so long has no holder any more. */
const leaseMs = 5_000;

/** How often a process that waits for a heartbeat looks for it. */
const pollMs = 50;

/** The lock on a data folder: a file that names its holder, touched by a heartbeat. */
export interface FolderLock {
  /**
   * Makes sure that this process still holds the lock. To be called after something was written and before it is
   * acknowledged: whoever takes the lock over reads the folder only afterwards.
   * @throws DataFolderError if another process has taken it over
   */
  check(): void;
  release(): void;
}

/**
 * Makes this process the only one on a data folder. A lock whose holder is gone is taken over: where its process can be
 * seen, that is known at once; where it cannot (in another container, on another machine), once its heartbeat has stopped.
 * @throws DataFolderError if another process holds the lock, or the file `lock` cannot be used
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  for (;;) {
    const file = create(path);
    if (file !== undefined) return new HeldLock(folder, path, file);
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats) continue;
    if (!stats.isFile()) throw unusable(path, `is not a file but ${kindOf(stats)}`);
    const text = read(path);
    if (text === undefined) continue;
    await refuseLiving(folder, path, text, stats);
    const taken = await takeOver(path, text);
    if (taken !== undefined) return new HeldLock(folder, path, taken);
  }
}

class HeldLock implements FolderLock {
  readonly #folder: string;
  readonly #path: string;
  readonly #file: number;
  readonly #own: BigIntStats;
  readonly #heartbeat: NodeJS.Timeout;
  #isReleased = false;

  constructor(folder: string, path: string, { file, text }: LockFile) {
    this.#folder = folder;
    this.#path = path;
    this.#file = file;
    this.#own = fstatSync(file, { bigint: true });
    // Writing sets the time by the clock of the file system. The path may lead to another process's lock by now.
    this.#heartbeat = setInterval(() => {
      try {
        writeSync(file, text, 0);
      } catch {
        // Without a heartbeat another process may take the lock over, which `check` finds out.
      }
    }, heartbeatMs).unref();
  }

  check(): void {
    if (this.#isHeld()) return;
    throw new DataFolderError(
      `another process has taken over the data folder ${this.#folder}; stop this simulator, and start it on a folder of its own with --data`,
    );
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearInterval(this.#heartbeat);
    if (this.#isHeld()) rmSync(this.#path, { force: true });
    closeSync(this.#file);
  }

  /** The file is open, so that no other file can come to have its number. */
  #isHeld(): boolean {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return stats?.ino === this.#own.ino && stats.dev === this.#own.dev;
  }
}

/** A lock that this process has created: the open file, and what it holds. */
interface LockFile {
  readonly file: number;
  readonly text: string;
}

/** @returns undefined if there is something of this name */
function create(path: string): LockFile | undefined {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  const text = holderText();
  writeSync(file, text);
  return { file, text };
}

function discard(path: string, { file }: LockFile): void {
  closeSync(file);
  rmSync(path, { force: true });
}

/**
 * Puts a lock of our own in the place of one whose holder is gone. Only one process can: the one that creates the claim
 * to that very lock.
 * @returns undefined where the lock has changed since it was read
 */
async function takeOver(path: string, text: string): Promise<LockFile | undefined> {
  const claimed = `${path}.${tokenOf(text)}`;
  const claim = create(claimed);
  if (!claim) {
    // Another process is about to take it over; unless a crash has left the claim behind.
    const stats = statSync(claimed, { bigint: true, throwIfNoEntry: false });
    if (stats && !(await isTouched(claimed, stats))) rmSync(claimed, { force: true });
    return undefined;
  }
  if (read(path) !== text) {
    discard(claimed, claim);
    return undefined;
  }
  renameSync(claimed, path);
  return claim;
}

/** @throws DataFolderError if the holder of a lock is alive, or the lock does not say who holds it */
async function refuseLiving(folder: string, path: string, text: string, stats: BigIntStats): Promise<void> {
  const holder = holderOf(text);
  if (!holder && text.trim() !== '') throw unusable(path, 'does not name a process');
  const isAlive = holder && isVisible(holder) ? isRunning(holder) : await isTouched(path, stats);
  if (!isAlive) return;
  const by = holder ? `process ${holder.pid}${isVisible(holder) ? '' : ` on ${holder.host}`}` : 'another process';
  throw new DataFolderError(
    `the data folder ${folder} is in use by ${by}; stop it, or choose another folder with --data`,
  );
}

/** Who holds a lock. What the system does not tell is empty. */
interface Holder {
  readonly pid: number;
  /** When the process was started, in the system's own unit. */
  readonly started: string;
  readonly host: string;
  /** Where its id means something: a boot of a machine, and a namespace of processes there. Undefined in version 1. */
  readonly space: string | undefined;
}

/** The first line is what version 1 writes and reads. */
function holderText(): string {
  const own = { host: hostname(), space: ownSpace(), token: randomUUID() };
  return `${process.pid} ${startOf(process.pid)}\n${JSON.stringify(own)}\n`;
}

function holderOf(text: string): Holder | undefined {
  const [, pid = '', started = '', details = ''] = /^(\d+) (\d*)\n(.*)\n?$/.exec(text) ?? [];
  if (!(Number(pid) > 0)) return undefined;
  const holder = { pid: Number(pid), started, host: '', space: undefined };
  if (details === '') return holder;
  const { host, space } = parseDetails(details);
  return typeof host === 'string' && typeof space === 'string' ? { ...holder, host, space } : undefined;
}

function parseDetails(text: string): { host?: unknown; space?: unknown; token?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Identity of a lock, different from every other at the same path. */
function tokenOf(text: string): string {
  const { token } = parseDetails(text.split('\n')[1] ?? '');
  return typeof token === 'string' && /^[\w-]+$/.test(token) ? token : 'earlier';
}

/** Whether the process of a holder would be seen from here, were it running. */
function isVisible({ host, space }: Holder): boolean {
  if (space === undefined) return true;
  return space === ownSpace() && (space !== '' || host === hostname());
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
  }
  // Ids of processes are used again: in a container every restart may have the same one.
  return started === startOf(pid) && !(pid === process.pid && started === '');
}

/** Waits until a lock is touched or changes hands, or neither has happened for the time of a lease. */
async function isTouched(path: string, { mtimeMs, mtimeNs, ino }: BigIntStats): Promise<boolean> {
  if (timeAt(path) - mtimeMs > leaseMs) return false;
  const deadline = performance.now() + leaseMs;
  while (performance.now() < deadline) {
    await wait(pollMs);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats) return false;
    if (stats.mtimeNs !== mtimeNs || stats.ino !== ino) return true;
  }
  return false;
}

/** The present time by the clock of a file system, in milliseconds: on a shared folder it may not be this machine's. */
function timeAt(path: string): bigint {
  const probe = `${path}.${randomUUID()}`;
  const file = openSync(probe, 'wx', 0o600);
  try {
    return fstatSync(file, { bigint: true }).mtimeMs;
  } finally {
    closeSync(file);
    rmSync(probe, { force: true });
  }
}

/** Identifies the boot of this machine and the namespace of its processes; empty where the system does not tell. */
function ownSpace(): string {
  const boot = readOptional('/proc/sys/kernel/random/boot_id')?.trim();
  return boot === undefined ? '' : `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** When a process was started, in the system's own unit; empty where the system does not tell. */
function startOf(pid: number): string {
  const status = readOptional(`/proc/${pid}/stat`);
  // The name, in brackets, may hold spaces; the start is the 20th field after it.
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function kindOf(stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  return stats.isDirectory() ? 'a folder' : 'something else';
}

function read(path: string): string | undefined {
  try {
    return readOptional(path);
  } catch (error) {
    throw unusable(path, `cannot be read (${errorCode(error) ?? String(error)})`);
  }
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function unusable(path: string, reason: string): DataFolderError {
  return new DataFolderError(
    `${path} ${reason}, so whether the data folder is in use cannot be told; remove it if no simulator uses the folder`,
  );
}
