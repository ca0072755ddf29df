import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { editFile, hashFiles, latestJournal } from './damaged-folder.js';

/**
 * A data folder in version 1 of the format, which billing-sim 0.1.0 wrote. `db.json` contains the snapshot `first`. The
 * journal, which continues it, adds the snapshot `second`.
 */
const firstVersionFolder = fileURLToPath(new URL('version-1', import.meta.url));

function copyFirstVersion(): string {
  const folder = tempFolder();
  cpSync(firstVersionFolder, folder, { recursive: true });
  return folder;
}

async function startOn(folder: string) {
  const simulator = await startSimulator({ data: folder, log: () => undefined });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** Reads the deposits, as `id status captured_amount`, and the outstanding total from the API. */
async function readState(baseUrl: string) {
  const client = clientOf(baseUrl);
  const deposits = await client.GET('/deposits', { params: { query: { per_page: 100 } } });
  const stats = await client.GET('/invoices/stats');
  return {
    deposits: deposits.data?.data.data.map(({ id, status, captured_amount }) => `${id} ${status} ${captured_amount}`),
    outstanding: stats.data?.data.total_outstanding,
  };
}

describe('a folder in version 1 of the format', () => {
  test('is loaded completely, and rewritten in version 2', async () => {
    const folder = copyFirstVersion();
    const { account, baseUrl } = await startOn(folder);
    const state = await readState(baseUrl);
    expect(state).toEqual({
      deposits: [
        '9 captured 55',
        '8 partially_captured 20',
        '7 failed 0',
        '6 expired 0',
        '5 released 0',
        '4 captured 200',
        '3 partially_captured 120.5',
        '2 authorized 0',
        '1 pending 0',
      ],
      outstanding: 3716.32,
    });
    expect(await account.snapshots.names()).toEqual(['first', 'second']);
    await expect
      .poll(() => JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8')).format, { timeout: hangTimeoutMs })
      .toBe('billing-sim/2');
    const restarted = await startOn(copyAsIfCrashed(folder));
    expect(await readState(restarted.baseUrl)).toEqual(state);
  });

  test.each([
    ['first', ['8 authorized 0']],
    ['second', ['8 partially_captured 20', '9 pending 0']],
  ])('has the snapshot %s, which can be restored', async (name, deposits) => {
    const { account, baseUrl } = await startOn(copyFirstVersion());
    await account.snapshots.restore(name);
    expect((await readState(baseUrl)).deposits).toEqual(expect.arrayContaining(deposits));
  });

  test('has no snapshot that was removed', async () => {
    const folder = copyFirstVersion();
    const removed = { name: 'first', created_at: '2026-03-01T09:00:00.000Z', contents: null };
    const commit = JSON.stringify({ account: 'demo', put: { snapshots: [removed] } });
    editFile(latestJournal(folder), (text) => {
      const { seq } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
      return `${text}{"seq":${seq + 1},"sum":"${crc32(commit).toString(16).padStart(8, '0')}","commit":${commit}}\n`;
    });
    const { account } = await startOn(folder);
    expect(await account.snapshots.names()).toEqual(['second']);
  });

  test('keeps changes that are made right after the start', async () => {
    const folder = copyFirstVersion();
    const { baseUrl } = await startOn(folder);
    await clientOf(baseUrl).POST('/deposits', { body: { booking_reference: 'BK-NEW', amount: 7 } });
    const restarted = await startOn(copyAsIfCrashed(folder));
    expect((await readState(restarted.baseUrl)).deposits).toEqual(expect.arrayContaining(['10 pending 0']));
  });

  test('keeps its profile, and replaces a choice that no longer exists', async () => {
    const folder = copyFirstVersion();
    // Otherwise the journal, which stores the account again, would replace the profile below with an empty one.
    rmSync(latestJournal(folder));
    const profile = '"profile":{"rate.unauthenticated":"neither","list.order":"oldest-first"}';
    editFile(join(folder, 'db.json'), (text) => text.replaceAll('"profile":{}', profile));
    const { url } = await startOn(folder);
    const settings = await fetch(`${url}/_sim/accounts/demo/settings`);
    expect(await settings.json()).toMatchObject({
      profile: {
        'rate.unauthenticated': 'uncounted',
        'list.order': 'oldest-first',
      },
    });
  });

  test('is refused if the newline before an incomplete last line was changed, since the line before it would be lost', async () => {
    const folder = copyFirstVersion();
    const bytes = readFileSync(latestJournal(folder)).subarray(0, -10);
    bytes.write('\v', bytes.lastIndexOf('\n'));
    writeFileSync(latestJournal(folder), bytes);
    await expect(startSimulator({ data: folder, log: () => undefined })).rejects.toThrow('Nothing has been changed');
  });

  test('is not changed by a start that fails', async () => {
    const folder = copyFirstVersion();
    const hashesBefore = hashFiles(folder);
    const failedStart = startSimulator({ data: folder, now: '9000-01-01T00:00:00Z', log: () => undefined });
    await expect(failedStart).rejects.toMatchObject({ code: 'clock-too-far' });
    expect(hashFiles(folder)).toEqual(hashesBefore);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(firstVersionFolder).sort());
  });
});
