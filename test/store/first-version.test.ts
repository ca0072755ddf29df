import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { edit, hashesOf, journalOf } from './damaged-folder.js';

/**
 * A data folder in the first version of the format, written by version 0.1.0: a `db.json`, a journal as after a crash,
 * and a saved snapshot in each of them.
 */
const firstVersion = fileURLToPath(new URL('version-1', import.meta.url));

function copyOfFirstVersion(): string {
  const folder = tempFolder();
  cpSync(firstVersion, folder, { recursive: true });
  return folder;
}

async function open(folder: string) {
  const simulator = await startSimulator({ data: folder, log: () => undefined });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** State of the account as the API returns it. */
async function stateOf(baseUrl: string) {
  const client = clientOf(baseUrl);
  const deposits = await client.GET('/deposits', { params: { query: { per_page: 100 } } });
  const stats = await client.GET('/invoices/stats');
  return {
    deposits: deposits.data?.data.data.map(({ id, status, captured_amount }) => `${id} ${status} ${captured_amount}`),
    outstanding: stats.data?.data.total_outstanding,
  };
}

describe('a folder of the first version', () => {
  test('is read completely, and written in the new format', async () => {
    const folder = copyOfFirstVersion();
    const { account, baseUrl } = await open(folder);
    const state = await stateOf(baseUrl);
    expect(state.deposits).toEqual(expect.arrayContaining(['8 partially_captured 20', '9 captured 55']));
    expect(await account.snapshots.names()).toEqual(['first', 'second']);
    await expect
      .poll(() => JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8')).format, { timeout: hangTimeoutMs })
      .toBe('billing-sim/2');
    const again = await open(copyAsAfterCrash(folder));
    expect(await stateOf(again.baseUrl)).toEqual(state);
  });

  test.each([
    ['first', ['8 authorized 0']],
    ['second', ['8 partially_captured 20', '9 pending 0']],
  ])('can be restored to its snapshot %s', async (name, deposits) => {
    const { account, baseUrl } = await open(copyOfFirstVersion());
    await account.snapshots.restore(name);
    expect((await stateOf(baseUrl)).deposits).toEqual(expect.arrayContaining(deposits));
  });

  test('keeps writes from before it was rewritten', async () => {
    const folder = copyOfFirstVersion();
    const { baseUrl } = await open(folder);
    await clientOf(baseUrl).POST('/deposits', { body: { booking_reference: 'BK-NEW', amount: 7 } });
    const again = await open(copyAsAfterCrash(folder));
    expect((await stateOf(again.baseUrl)).deposits).toEqual(expect.arrayContaining(['10 pending 0']));
  });

  test('keeps its profile, except for a choice that no longer exists', async () => {
    const folder = copyOfFirstVersion();
    rmSync(journalOf(folder));
    const profile = '"profile":{"rate.unauthenticated":"neither","list.order":"oldest-first"}';
    edit(join(folder, 'db.json'), (text) => text.replaceAll('"profile":{}', profile));
    const { url } = await open(folder);
    const settings = await fetch(`${url}/_sim/accounts/demo/settings`);
    expect(await settings.json()).toMatchObject({
      profile: {
        'rate.unauthenticated': 'uncounted',
        'list.order': 'oldest-first',
      },
    });
  });

  test('is not changed by a start that fails', async () => {
    const folder = copyOfFirstVersion();
    const before = hashesOf(folder);
    const refused = startSimulator({ data: folder, now: '2001-01-01T00:00:00Z', log: () => undefined });
    await expect(refused).rejects.toMatchObject({ code: 'clock-backwards' });
    expect(hashesOf(folder)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(firstVersion).sort());
  });
});
