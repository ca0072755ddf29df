import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { lockFolder, readUnusedFolder } from '../../src/store/lock.js';
import { DataFolderError } from '../../src/store/problem.js';
import { runCli, spawnSimulator } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { beforeNextWrite, breakDisk } from '../support/failing-disk.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { killAfterTest } from '../support/kill-after-test.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { numberedCommit, openFolder, readCommitNumbers } from './open-store.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/**
 * Lock file of process 7 with the start time 100. It has another `space` (boot and process namespace) than the process of
 * this test, which therefore cannot tell whether process 7 is still running.
 */
const invisibleLock = `7 100\n${JSON.stringify({ host: 'other', space: 'other boot', token: 'abc' })}\n`;

/** Process id in the lock file of a folder. */
function lockHolderPid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'lock'), 'utf8'), 10);
}

/** Sets the modification time of a file to a number of seconds ago. */
function setAge(path: string, ageSeconds: number): void {
  const time = new Date(Date.now() - ageSeconds * 1_000);
  utimesSync(path, time, time);
}

/** Touches a lock file repeatedly, as its holder does, until the test ends or the returned function is called. */
function startHeartbeat(path: string): () => void {
  let beats = 0;
  // Each beat moves the modification time 10 ms further into the future, so that it always differs.
  const heartbeat = setInterval(() => {
    beats += 1;
    setAge(path, -beats / 100);
  }, 20);
  const stop = () => clearInterval(heartbeat);
  onTestFinished(stop);
  return stop;
}

describe('reading a folder that no process uses', () => {
  test('fails if a process opens the folder in the meantime, even if the process closes it again', async () => {
    const folder = tempFolder();
    // Otherwise, on a file system with coarse timestamps, the folder could get the time that it already has.
    setAge(folder, 60);
    const reading = readUnusedFolder(folder, async () => (await lockFolder(folder)).release());
    await expect(reading).rejects.toThrow(
      `another process has changed the data folder ${folder} while it was being read`,
    );
  });

  test('fails while the heartbeat of an invisible process continues, and creates no file', async () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, invisibleLock);
    startHeartbeat(path);
    const { mtimeMs } = statSync(folder);
    await expect(readUnusedFolder(folder, async () => undefined)).rejects.toThrow('is in use by process 7 on other');
    expect(statSync(folder).mtimeMs).toBe(mtimeMs);
  });
});

describe('the lock', () => {
  test('prevents a second start, and the error names the process that uses the folder', async () => {
    const folder = tempFolder();
    const { store } = await openFolder(folder);
    await expect(openFolder(folder)).rejects.toThrow(
      `the data folder ${folder} is in use by process ${process.pid}; stop it, or choose another folder with --data`,
    );
    await store.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a process that has ended', '999999999 1\n'],
    ['an earlier process with the same id', `${process.pid} 1\n`],
  ])('of %s is taken over, although its file is still being touched', async (_name, content) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), content);
    const stopHeartbeat = startHeartbeat(join(folder, 'lock'));
    const { store } = await openFolder(folder);
    stopHeartbeat();
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
    expect(readdirSync(folder)).not.toContain('lock');
  });

  test('of a killed process is taken over at once, although its parent has not read its exit status', async (context) => {
    if (!existsSync('/proc/self/stat'))
      context.skip('without /proc, a zombie cannot be distinguished from a running process');
    const folder = tempFolder();
    // The shell becomes `sleep`, which never waits for its child.
    const command = '"$0" "$@" & exec sleep 60';
    const start = [cli, 'start', '--json', '--port', '0', '--seed', 'empty', '--data', folder];
    const parent = spawn('sh', ['-c', command, process.execPath, ...start], { stdio: ['ignore', 'pipe', 'inherit'] });
    killAfterTest(parent);
    await once(createInterface({ input: parent.stdout }), 'line');
    const pid = lockHolderPid(folder);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    const { store } = await openFolder(folder);
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
  });

  test.each([
    ['of an invisible process', invisibleLock],
    ['without content', ''],
  ])('%s is taken over if it was last modified a minute ago', async (_name, content) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), content);
    setAge(join(folder, 'lock'), 60);
    const { store } = await openFolder(folder);
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
  });

  test('of a worker thread that ended without closing its simulator is taken over by the same process', async () => {
    const folder = tempFolder();
    // The lock file of such a thread remains, and nothing touches it.
    const lock = await lockFolder(folder);
    const text = readFileSync(join(folder, 'lock'), 'utf8');
    lock.release();
    writeFileSync(join(folder, 'lock'), text);
    setAge(join(folder, 'lock'), 60);
    (await lockFolder(folder)).release();
  });

  test('of an invisible process is taken over once its heartbeat has stopped, even by a process with fake timers', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), invisibleLock);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store } = await openFolder(folder);
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
  });

  test('of an invisible process prevents a start while its heartbeat continues', async () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, invisibleLock);
    startHeartbeat(path);
    await expect(openFolder(folder)).rejects.toThrow('is in use by process 7 on other; stop it');
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(readFileSync(path, 'utf8')).toBe(invisibleLock);
  });

  test.each<[string, (path: string) => void, string]>([
    ['names pid 0', (path) => writeFileSync(path, '0 0\n'), 'does not name a process'],
    ['has other content', (path) => writeFileSync(path, 'hello\n'), 'does not name a process'],
    ['is a dangling symbolic link', (path) => symlinkSync('nowhere', path), 'is not a file but a symbolic link'],
    ['is a folder', (path) => mkdirSync(path), 'is not a file but a folder'],
  ])('that %s causes a one-line error at startup', async (_name, createLock, reason) => {
    const folder = tempFolder();
    createLock(join(folder, 'lock'));
    const { code, stderr } = await runCli('start', '--port', '0', '--data', folder);
    expect([code, stderr]).toEqual([
      2,
      `error: ${join(folder, 'lock')} ${reason}, so it is unknown whether the data folder is in use; if no simulator uses the folder, remove the lock\n`,
    ]);
  });

  test('that the current user cannot read causes a one-line error at startup', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can start a process as another user');
    const folder = tempFolder();
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'lock'), invisibleLock, { mode: 0o600 });
    const started = spawnSync(process.execPath, [cli, 'start', '--port', '0', '--data', folder], {
      uid: 65534, // nobody
      encoding: 'utf8',
      timeout: hangTimeoutMs,
    });
    if (/Cannot find module|EACCES[^\n]*cli\.js/.test(started.stderr))
      context.skip(`the build cannot be read by another user: ${started.stderr.split('\n')[0]}`);
    expect(started.stderr).toMatch(
      /^error: \S+lock cannot be read \(EACCES\), so it is unknown whether the data folder is in use[^\n]*\n$/,
    );
  });

  test('is removed if its content cannot be written because the disk is full', async () => {
    const folder = tempFolder();
    breakDisk('ENOSPC');
    await expect(openFolder(folder)).rejects.toThrow('ENOSPC');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken over although a process has crashed while it was taking it over', async () => {
    const folder = tempFolder();
    // The process has left the file with which it claimed the lock.
    for (const name of ['lock', 'lock.abc']) {
      writeFileSync(join(folder, name), invisibleLock);
      setAge(join(folder, name), 60);
    }
    const { store } = await openFolder(folder);
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
    expect(readdirSync(folder)).not.toContain('lock.abc');
  });

  test('is not taken over if another process is about to do so', async () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, invisibleLock);
    setAge(path, 60);
    const claim = `${path}.abc`;
    const successorLock = invisibleLock.replace('7 100', '8 200').replace('abc', 'def');
    writeFileSync(claim, successorLock);
    const opening = expect(openFolder(folder)).rejects.toThrow('is in use by process 8 on other; stop it');
    // The process waits for the claim to be used or left.
    await sleep(50);
    renameSync(claim, path);
    startHeartbeat(path);
    await opening;
    expect(readFileSync(path, 'utf8')).toBe(successorLock);
  });

  test('is taken over by exactly one of several concurrent starts', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), '999999999 1\n');
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const locks = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(locks).toHaveLength(1);
    locks[0]?.check();
    locks[0]?.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.each([
  ['without /proc', 'ENOENT'],
  ['that does not allow /proc to be read', 'EACCES'],
])('the lock on a system %s, where processes have no known start time', (_system, code) => {
  /** Makes /proc unreadable until the test ends. */
  function hideProc(): void {
    const { readFileSync, readlinkSync } = fs;
    const requireOutsideProc = (path: unknown): void => {
      if (String(path).startsWith('/proc/')) throw Object.assign(new Error('unreadable'), { code });
    };
    const use = (functions: object): void => {
      Object.assign(fs, functions);
      syncBuiltinESMExports();
    };
    use({
      readFileSync(...args: Parameters<typeof readFileSync>): string | Buffer {
        requireOutsideProc(args[0]);
        return readFileSync(...args);
      },
      readlinkSync(...args: Parameters<typeof readlinkSync>): string | Buffer {
        requireOutsideProc(args[0]);
        return readlinkSync(...args);
      },
    });
    onTestFinished(() => use({ readFileSync, readlinkSync }));
  }

  /** Writes the lock of a running process, the parent of this one, without its start time and its space. */
  function writeLockOfParent(path: string): void {
    writeFileSync(path, `${process.ppid} \n${JSON.stringify({ host: hostname(), space: '', token: 'abc' })}\n`);
  }

  test('is taken over if its heartbeat has stopped, even if another process now has the id of its holder', async () => {
    hideProc();
    const folder = tempFolder();
    writeLockOfParent(join(folder, 'lock'));
    setAge(join(folder, 'lock'), 60);
    const { store } = await openFolder(folder);
    expect(lockHolderPid(folder)).toBe(process.pid);
    await store.close();
  });

  test('prevents a start while its heartbeat continues', async () => {
    hideProc();
    const folder = tempFolder();
    writeLockOfParent(join(folder, 'lock'));
    startHeartbeat(join(folder, 'lock'));
    await expect(openFolder(folder)).rejects.toThrow(`is in use by process ${process.ppid}; stop it`);
  });

  test('prevents a second start in the same process', async () => {
    hideProc();
    const folder = tempFolder();
    const { store } = await openFolder(folder);
    await expect(openFolder(folder)).rejects.toThrow(`is in use by process ${process.pid}; stop it`);
    await store.close();
  });
});

function removeLock(lock: string): void {
  rmSync(lock);
}

function replaceLock(lock: string): void {
  writeFileSync(`${lock}-of-successor`, invisibleLock);
  renameSync(`${lock}-of-successor`, lock);
}

describe('a process that has lost its lock', () => {
  test('refuses writes, logs why, and does not touch the folder again', async () => {
    const folder = tempFolder();
    const log: string[] = [];
    const simulator = await startSimulator({ data: folder, seed: 'empty', log: (line) => log.push(line) });
    const deposit = { body: { booking_reference: 'BK-1', amount: 5 } };
    await clientOf(simulator.baseUrl).POST('/deposits', deposit);
    replaceLock(join(folder, 'lock'));
    const { response } = await clientOf(simulator.baseUrl).POST('/deposits', deposit);
    expect(response.status).toBe(503);
    expect(log.join('\n')).toContain(`another process has taken over the data folder ${folder}`);
    const filesBefore = readdirSync(folder);
    await simulator.close();
    expect(readdirSync(folder)).toEqual(filesBefore);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(invisibleLock);
  });

  test.each([
    ['its lock file was removed', removeLock],
    ['another process has the lock', replaceLock],
  ])('stores nothing of a write that it refuses because %s', async (_reason, loseLock) => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    loseLock(join(folder, 'lock'));
    await expect(append(numberedCommit(2))).rejects.toThrow(DataFolderError);
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1]);
    await store.close();
  });

  test('says that its lock file was removed', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    removeLock(join(folder, 'lock'));
    await expect(append(numberedCommit(1))).rejects.toThrow(
      `${join(folder, 'lock')} has been removed, so another process may have used the data folder; restart this simulator`,
    );
    await store.close();
  });

  test('cannot change the checkpoint of its successor by continuing to write its own', async () => {
    const folder = tempFolder();
    // The previous lock holder was paused while writing a checkpoint, for example because its container was paused.
    const unfinished = openSync(join(folder, 'db.json.tmp'), 'w');
    onTestFinished(() => closeSync(unfinished));
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    await store.close();
    fs.writeSync(unfinished, 'late');
    expect(await readCommitNumbers(folder)).toEqual([1]);
  });

  test('cannot overwrite commits of its successor with a late write', async () => {
    const folder = tempFolder();
    const lock = join(folder, 'lock');
    const first = await openFolder(folder);
    await first.append(numberedCommit(1));
    // The first process is suspended, its lock expires, and another process takes over. This test plays both roles in one
    // process. Since its own lock would never expire, the lock is rewritten to name an invisible process.
    writeFileSync(lock, invisibleLock);
    setAge(lock, 60);
    linkSync(lock, `${lock}-of-first`);
    const second = await openFolder(folder);
    await second.append(numberedCommit(2));
    // The first process was suspended just after it had found that it still held the lock. It resumes and writes. Commit 3
    // reaches its old journal, but is not acknowledged.
    renameSync(lock, `${lock}-of-second`);
    renameSync(`${lock}-of-first`, lock);
    beforeNextWrite(() => renameSync(`${lock}-of-second`, lock));
    await expect(first.append(numberedCommit(3))).rejects.toThrow('another process has taken over');
    // Commit 3 consists of a row of the `keyed_responses` table with the id 3.
    expect(readFileSync(join(folder, 'journal-000000000001-000001.ndjson'), 'utf8')).toContain(
      '"keyed_responses":[{"id":"3"',
    );
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1, 2]);
    await second.store.close();
    expect(await readCommitNumbers(folder)).toEqual([1, 2]);
    await first.store.close();
  });
});

describe('a closed store', () => {
  test('refuses writes and stores no part of them', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    await store.close();
    await expect(append(numberedCommit(2))).rejects.toThrow(`the data folder ${folder} has been closed`);
    expect(await readCommitNumbers(folder)).toEqual([1]);
  });
});

describe('two simulators on one folder in different PID namespaces', () => {
  test('the second fails to start, even with the process id of the first, which keeps running and keeps its data', async (context) => {
    const flags = ['--pid', '--fork', '--kill-child', '--mount-proc'];
    if (spawnSync('unshare', [...flags, 'true']).status !== 0) {
      context.skip('`unshare --pid` does not work here: it needs Linux and root');
    }
    const folder = tempFolder();
    const startArguments = ['start', '--json', '--port', '0', '--seed', 'empty', '--data', folder];
    const first = spawn('unshare', [...flags, process.execPath, cli, ...startArguments], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killAfterTest(first);
    const [line] = await once(createInterface({ input: first.stdout }), 'line');
    const { baseUrl, tokens } = JSON.parse(line);
    const client = clientOf(baseUrl, tokens.full);
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    // First without a new namespace, then in one, where the second simulator is process 1, like the first.
    for (const [command, ...args] of [
      [process.execPath, cli, ...startArguments],
      ['unshare', ...flags, process.execPath, cli, ...startArguments],
    ] satisfies [string, ...string[]][]) {
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: hangTimeoutMs });
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`is in use by process 1 on ${hostname()}; stop it`),
      ]);
    }
    const { response } = await client.POST('/deposits', { body: { booking_reference: 'BK-2', amount: 5 } });
    expect(response.status).toBe(201);
    const closed = once(first, 'close');
    first.kill('SIGKILL');
    await closed;
    const { child, ready } = await spawnSimulator('--seed', 'empty', '--data', folder);
    const { data } = await clientOf(ready.baseUrl, tokens.full).GET('/deposits');
    expect(data?.data.total).toBe(2);
    child.kill('SIGTERM');
    await once(child, 'close');
  });
});
