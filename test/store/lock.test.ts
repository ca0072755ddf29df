import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { lockFolder } from '../../src/store/lock.js';
import { spawnCli, startCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { numbered, openFolder } from './open-store.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Lock of a process that is not visible here, such as one in another container. */
const elsewhere = `7 100\n${JSON.stringify({ host: 'other', space: 'other boot', token: 'abc' })}\n`;

/** Sets the modification time of a file to a number of seconds ago. */
function touched(path: string, secondsAgo: number): void {
  const time = new Date(Date.now() - secondsAgo * 1_000);
  utimesSync(path, time, time);
}

describe('the lock', () => {
  test('keeps a second simulator out, with an error that names the process using the folder', async () => {
    const folder = tempFolder();
    const { store } = await openFolder(folder);
    await expect(openFolder(folder)).rejects.toThrow(
      `the data folder ${folder} is in use by process ${process.pid}; stop it, or choose another folder with --data`,
    );
    await store.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a process that is gone', '999999999 1\n'],
    ['an earlier process of the same id', `${process.pid} 1\n`],
  ])('of %s is taken over at once', async (_, content) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), content);
    const { store } = await openFolder(folder);
    await store.close();
    expect(readdirSync(folder)).not.toContain('lock');
  });

  test.each([
    ['of a process elsewhere', elsewhere],
    ['without content', ''],
  ])('%s that was not touched for long is taken over', async (_, content) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), content);
    touched(join(folder, 'lock'), 60);
    const { store } = await openFolder(folder);
    await store.close();
  });

  test('of an invisible process is taken over once its heartbeat has stopped', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), elsewhere);
    const { store } = await openFolder(folder);
    await store.close();
  });

  test('of an invisible process is respected and unchanged while its heartbeat continues', async () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, elsewhere);
    let beats = 0;
    const heart = setInterval(() => touched(path, -++beats / 100), 20);
    onTestFinished(() => clearInterval(heart));
    await expect(openFolder(folder)).rejects.toThrow('is in use by process 7 on other; stop it');
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(readFileSync(path, 'utf8')).toBe(elsewhere);
  });

  test.each<[string, (path: string) => void, string]>([
    ['names pid 0', (path) => writeFileSync(path, '0 0\n'), 'does not name a process'],
    ['has something else in it', (path) => writeFileSync(path, 'hello\n'), 'does not name a process'],
    ['is a dangling symbolic link', (path) => symlinkSync('nowhere', path), 'is not a file but a symbolic link'],
    ['is a folder', (path) => mkdirSync(path), 'is not a file but a folder'],
  ])('that %s is refused in one line', async (_, make, reason) => {
    const folder = tempFolder();
    make(join(folder, 'lock'));
    const { code, stderr } = await spawnCli('start', '--port', '0', '--data', folder);
    expect([code, stderr]).toEqual([
      2,
      `error: ${join(folder, 'lock')} ${reason}, so it is unknown whether the data folder is in use; remove it if no simulator uses the folder\n`,
    ]);
  });

  test('that cannot be read for lack of permission stops the start with a one-line error', async (context) => {
    if (process.getuid?.() !== 0) context.skip('another user can be put on only by root');
    const folder = tempFolder();
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'lock'), elsewhere, { mode: 0o600 });
    const started = spawnSync(process.execPath, [cli, 'start', '--port', '0', '--data', folder], {
      uid: 65534,
      encoding: 'utf8',
    });
    if (!started.stderr.startsWith('error: '))
      context.skip(`the build cannot be read by another user: ${started.stderr.split('\n')[0]}`);
    expect(started.stderr).toContain(
      'lock cannot be read (EACCES), so it is unknown whether the data folder is in use',
    );
  });

  test('is taken over by exactly one of several simulators that try', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock'), '999999999 1\n');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(held).toHaveLength(1);
    held[0]?.check();
    held[0]?.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a process that has lost the lock', () => {
  test('acknowledges no more writes, logs why, and leaves the folder to the other process', async () => {
    const folder = tempFolder();
    const log: string[] = [];
    const simulator = await startSimulator({ data: folder, seed: 'empty', log: (line) => log.push(line) });
    const deposit = { body: { booking_reference: 'BK-1', amount: 5 } };
    await clientOf(simulator.baseUrl).POST('/deposits', deposit);
    writeFileSync(join(folder, 'other'), elsewhere);
    renameSync(join(folder, 'other'), join(folder, 'lock'));
    const { response } = await clientOf(simulator.baseUrl).POST('/deposits', deposit);
    expect(response.status).toBe(503);
    expect(log.join('\n')).toContain(`another process has taken over the data folder ${folder}`);
    const before = readdirSync(folder);
    await simulator.close();
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(elsewhere);
  });

  test('cannot overwrite its successor with a late write', async () => {
    const folder = tempFolder();
    const first = await openFolder(folder);
    await first.append(numbered(1));
    // The first process is suspended, and its lock expires: another process takes over.
    touched(join(folder, 'lock'), 60);
    writeFileSync(join(folder, 'lock'), elsewhere);
    touched(join(folder, 'lock'), 60);
    const second = await openFolder(folder);
    await second.append(numbered(2));
    // The first process resumes during its write: the line reaches its journal, but is not acknowledged.
    await expect(first.append(numbered(3))).rejects.toThrow('another process has taken over');
    appendFileSync(join(folder, 'journal-000000000001-000001.ndjson'), lateLine(folder));
    await second.store.close();
    const third = await openFolder(folder);
    expect(third.loaded.flatMap(({ changes }) => changes.replays?.map(({ id }) => id) ?? [])).toEqual(['1', '2']);
    await third.store.close();
    await first.store.close();
  });
});

/** A late journal line of an earlier lease, with the same number as the first line of its successor. */
function lateLine(folder: string): string {
  const journal = readFileSync(join(folder, 'journal-000000000002-000002.ndjson'), 'utf8');
  return `${journal.split('\n')[1]}\n`;
}

describe('two simulators on one folder, in different PID namespaces', () => {
  test('the second fails to start, even with the same process id as the first', async (context) => {
    const flags = ['--pid', '--fork', '--kill-child', '--mount-proc'];
    if (spawnSync('unshare', [...flags, 'true']).status !== 0) {
      context.skip('`unshare --pid` does not work here: it needs Linux and root');
    }
    const folder = tempFolder();
    const start = ['start', '--json', '--port', '0', '--seed', 'empty', '--data', folder];
    const first = spawn('unshare', [...flags, process.execPath, cli, ...start], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void first.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: first.stdout }), 'line');
    const { baseUrl, tokens } = JSON.parse(line);
    const client = clientOf(baseUrl, tokens.full);
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    for (const prefix of [[], ['unshare', ...flags]]) {
      const [command = process.execPath, ...args] = [...prefix, process.execPath, cli, ...start];
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`is in use by process 1 on ${hostname()}; stop it`),
      ]);
    }
    const { response } = await client.POST('/deposits', { body: { booking_reference: 'BK-2', amount: 5 } });
    expect(response.status).toBe(201);
    const ended = once(first, 'close');
    first.kill('SIGKILL');
    await ended;
    const { child, ready } = await startCli('--seed', 'empty', '--data', folder);
    const { data } = await clientOf(ready.baseUrl, tokens.full).GET('/deposits');
    expect(data?.data.total).toBe(2);
    child.kill('SIGTERM');
    await once(child, 'close');
  });
});
