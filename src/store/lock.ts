import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  existsSync,
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
// Imported, like the timers, because tests in the same process may replace the global ones with fakes.
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../lib/errors.js';
import { parseJson } from '../lib/json.js';
import { DataFolderError } from './problem.js';

/** Interval at which the holder of a lock touches the file, in milliseconds. */
const heartbeatMs = 1_000;

/** Time without a touch after which a lock counts as abandoned, in milliseconds. */
const leaseMs = 5_000;

/** Interval at which a waiting process checks for a heartbeat, in milliseconds. */
const pollMs = 50;

/** Lock of a data folder: a file that names the process that holds it. That process touches the file as a heartbeat. */
export interface FolderLock {
  /**
   * Checks that this process still holds the lock. Call it after writing a change and before confirming the change to a
   * client: a process that takes over replaces the lock before it reads the folder, so it reads every confirmed change.
   * @throws DataFolderError if another process has taken over
   */
  check(): void;
  release(): void;
}

/**
 * Locks a data folder for this process. Takes over a lock whose holder is gone: immediately if the system can tell that
 * the holder is gone. If it cannot (the holder ran in another container or on another machine, or the system does not
 * say when a process started), takes over once the heartbeat has stopped.
 * @throws DataFolderError if another process holds the lock, or the `lock` file cannot be used
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  for (;;) {
    const created = createLockFile(path);
    if (created !== undefined) return new HeldLock(folder, path, created);
    const text = await requireAbandonedLock(folder, path, { canWrite: true });
    if (text === undefined) continue;
    const takenOver = await takeOver(path, text);
    if (takenOver !== undefined) return new HeldLock(folder, path, takenOver);
  }
}

/**
 * Reads a data folder that no process uses. Creates no lock, so that read access is enough. A process that opens the
 * folder in the meantime is noticed, since its lock changes the modification time of the folder.
 * @throws DataFolderError if a process uses the folder or opens it in the meantime, or the `lock` file cannot be used
 */
export async function readUnusedFolder<Result>(folder: string, read: () => Promise<Result>): Promise<Result> {
  const { mtimeNs } = statSync(folder, { bigint: true });
  await requireAbandonedLock(folder, join(folder, 'lock'), { canWrite: false });
  const result = await read();
  if (statSync(folder, { bigint: true }).mtimeNs === mtimeNs) return result;
  throw new DataFolderError(
    `another process has changed the data folder ${folder} while it was being read; stop that process, and try again`,
  );
}

/** Tokens of the locks that this thread holds. */
const heldTokens = new Set<string>();

class HeldLock implements FolderLock {
  readonly #folder: string;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #token: string;
  readonly #ownStats: BigIntStats;
  readonly #heartbeat: NodeJS.Timeout;
  #isReleased = false;

  constructor(folder: string, path: string, { descriptor, text }: LockFile) {
    this.#folder = folder;
    this.#path = path;
    this.#descriptor = descriptor;
    this.#token = tokenOf(text);
    heldTokens.add(this.#token);
    this.#ownStats = fstatSync(descriptor, { bigint: true });
    // Writes to the open file instead of calling `utimes` on the path: writing uses the clock of the file system, and
    // the path may already be the lock of another process.
    this.#heartbeat = setInterval(() => {
      try {
        writeSync(descriptor, text, 0);
      } catch {
        // Without a heartbeat another process may take over, which `check` detects.
      }
    }, heartbeatMs).unref();
  }

  check(): void {
    if (this.#isReleased) throw new DataFolderError(`the data folder ${this.#folder} has been closed`);
    if (this.#isStillOurs()) return;
    throw new DataFolderError(
      existsSync(this.#path)
        ? `another process has taken over the data folder ${this.#folder}; stop this simulator, and start it with another folder (--data)`
        : `${this.#path} has been removed, so another process may have used the data folder; restart this simulator`,
    );
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearInterval(this.#heartbeat);
    heldTokens.delete(this.#token);
    if (this.#isStillOurs()) rmSync(this.#path, { force: true });
    closeSync(this.#descriptor);
  }

  /** Compares inode numbers; while the file is open, its inode number is not reused. */
  #isStillOurs(): boolean {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return stats?.ino === this.#ownStats.ino && stats.dev === this.#ownStats.dev;
  }
}

/** A lock created by this process: the descriptor of the open file, and its content. */
interface LockFile {
  readonly descriptor: number;
  readonly text: string;
}

/** @returns undefined if the file exists */
function createLockFile(path: string): LockFile | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  const text = holderText();
  try {
    writeSync(descriptor, text);
  } catch (error) {
    discard(path, descriptor);
    throw error;
  }
  return { descriptor, text };
}

function discard(path: string, descriptor: number): void {
  closeSync(descriptor);
  rmSync(path, { force: true });
}

/**
 * Replaces a lock whose holder is gone. Processes compete by creating a claim file; only the one that creates it may
 * replace the lock.
 * @returns undefined if the lock has changed since it was read, or another process has the claim: try again
 */
async function takeOver(path: string, text: string): Promise<LockFile | undefined> {
  const claimPath = `${path}.${tokenOf(text)}`;
  const claim = createLockFile(claimPath);
  if (!claim) {
    // Another process is taking over the lock, unless the claim was left by a crash. A claim is short-lived and has no
    // heartbeat, so one that still exists after the wait was left by a crash.
    const stats = statSync(claimPath, { bigint: true, throwIfNoEntry: false });
    if (stats && !(await waitForTouch(claimPath, stats, { canWrite: true }))) rmSync(claimPath, { force: true });
    return undefined;
  }
  if (readLockText(path) !== text) {
    discard(claimPath, claim.descriptor);
    return undefined;
  }
  renameSync(claimPath, path);
  return claim;
}

interface FolderAccess {
  /** True if this process can create files in the data folder. */
  readonly canWrite: boolean;
}

/**
 * Reads a lock whose holder is gone; undefined if the file does not exist.
 * @throws DataFolderError if its holder is alive, or the file cannot be used as a lock
 */
async function requireAbandonedLock(folder: string, path: string, access: FolderAccess): Promise<string | undefined> {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) throw unusableLock(path, `is not a file but ${kindOf(stats)}`);
  const text = readLockText(path);
  if (text === undefined) return undefined;
  const holder = holderOf(text);
  // An empty file is valid: the process that created it has not written to it yet, or crashed before that.
  if (!holder && text.trim() !== '') throw unusableLock(path, 'does not name a process');
  if (!(await isHolderAlive(text, path, stats, access))) return text;
  const holderName = holder
    ? `process ${holder.pid}${isVisible(holder) ? '' : ` on ${holder.host}`}`
    : 'another process';
  throw new DataFolderError(
    `the data folder ${folder} is in use by ${holderName}; stop it, or choose another folder with --data`,
  );
}

/** Holder of a lock. Values that the system does not provide are empty. */
interface Holder {
  readonly pid: number;
  /** Start time of the process, in the system's own unit. */
  readonly started: string;
  readonly host: string;
  /**
   * Where the process id is valid: identifies a boot of a machine, and a process namespace. The file calls it `space`;
   * undefined in locks of the first format.
   */
  readonly pidScope: string | undefined;
}

/** Content of a lock file of this process. Its first line alone is a lock in the first format, for older versions. */
function holderText(): string {
  const details = { host: hostname(), space: ownPidScope(), token: randomUUID() };
  return `${process.pid} ${statOf(process.pid).started}\n${JSON.stringify(details)}\n`;
}

function holderOf(text: string): Holder | undefined {
  const [, pid = '', started = '', details = ''] = /^(\d+) (\d*)\n(.*)\n?$/.exec(text) ?? [];
  if (!(Number(pid) > 0)) return undefined;
  const holder = { pid: Number(pid), started, host: '', pidScope: undefined };
  if (details === '') return holder;
  const { host, space: pidScope } = parseDetails(details);
  return typeof host === 'string' && typeof pidScope === 'string' ? { ...holder, host, pidScope } : undefined;
}

function parseDetails(text: string): { host?: unknown; space?: unknown; token?: unknown } {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Identity of a lock, unique among all locks at the same path; all locks in the first format share one. */
function tokenOf(text: string): string {
  const { token } = parseDetails(text.split('\n')[1] ?? '');
  return typeof token === 'string' && /^[\w-]+$/.test(token) ? token : 'first-format';
}

/** Returns true if the process id of a holder is valid for this process, so that it can be looked up. */
function isVisible({ host, pidScope }: Holder): boolean {
  if (pidScope === undefined) return true;
  return pidScope === ownPidScope() && (pidScope !== '' || host === hostname());
}

/** Returns true if the holder of a lock is alive. If looking up its process is inconclusive, waits for a heartbeat. */
async function isHolderAlive(text: string, path: string, stats: BigIntStats, access: FolderAccess): Promise<boolean> {
  const holder = holderOf(text);
  if (holder && isVisible(holder)) {
    if (!isRunning(holder)) return false;
    // A lock with the id of this process may belong to a worker thread that has ended without releasing it.
    const isCertain = holder.pid !== process.pid || heldTokens.has(tokenOf(text));
    // Without a start time, this may be another process that reuses the id.
    if (holder.started !== '' && isCertain) return true;
  }
  return waitForTouch(path, stats, access);
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error means that the process exists, for example EPERM, if another user runs it.
    if (errorCode(error) === 'ESRCH') return false;
  }
  const stat = statOf(pid);
  // Process ids are reused: in a container every restart may get the same one. A zombie has ended; it only keeps its id
  // until its parent reads its exit status.
  return started === stat.started && stat.state !== 'Z';
}

/**
 * Waits until a lock is touched, gets another holder or is removed, or until the lease has expired.
 * @returns true if it was touched or got another holder
 */
async function waitForTouch(
  path: string,
  { mtimeMs, mtimeNs, ino }: BigIntStats,
  { canWrite }: FolderAccess,
): Promise<boolean> {
  // Without write access, the time of the file system is unknown, so this waits for the whole lease.
  if (canWrite && fileSystemTime(path) - mtimeMs > leaseMs) return false;
  const deadline = performance.now() + leaseMs;
  while (performance.now() < deadline) {
    await wait(pollMs);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats) return false;
    if (stats.mtimeNs !== mtimeNs || stats.ino !== ino) return true;
  }
  return false;
}

/** Current time of a file system, in milliseconds: on a shared folder it may differ from this machine's. */
function fileSystemTime(path: string): bigint {
  const probe = `${path}.${randomUUID()}`;
  const descriptor = openSync(probe, 'wx', 0o600);
  try {
    return fstatSync(descriptor, { bigint: true }).mtimeMs;
  } finally {
    closeSync(descriptor);
    rmSync(probe, { force: true });
  }
}

/** Identifies the boot of this machine and the process namespace; empty if the system does not provide them. */
function ownPidScope(): string {
  const boot = fromProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim();
  const namespace = fromProc(() => readlinkSync('/proc/self/ns/pid'));
  return boot === undefined || namespace === undefined ? '' : `${boot} ${namespace}`;
}

/** State of a process, and its start time in the system's own unit; empty if the system does not provide them. */
function statOf(pid: number): { readonly state: string; readonly started: string } {
  const stat = fromProc(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The name, in parentheses, may contain spaces; the state is the first field after it, the start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** Reads from /proc; undefined if the system does not have the file or does not allow it, or if the process has ended. */
function fromProc(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function kindOf(stats: BigIntStats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  return stats.isDirectory() ? 'a folder' : 'something else';
}

function readLockText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw unusableLock(path, `cannot be read (${errorCode(error) ?? String(error)})`);
  }
}

function unusableLock(path: string, reason: string): DataFolderError {
  return new DataFolderError(
    `${path} ${reason}, so it is unknown whether the data folder is in use; if no simulator uses the folder, remove the lock`,
  );
}
