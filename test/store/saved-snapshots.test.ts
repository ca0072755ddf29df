import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { breakDisk } from '../support/failing-disk.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';

const snapshotFiles = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('snapshot-'));

async function open(folder: string) {
  const simulator = await startSimulator({ data: folder, rateLimit: false, log: () => undefined });
  onTestFinished(() => simulator.close());
  return simulator;
}

describe('a saved snapshot', () => {
  test('is in a file of its own, so that db.json does not grow', async () => {
    const [plain, withSnapshots] = [tempFolder(), tempFolder()];
    await (await open(plain)).close();
    const { account, close } = await open(withSnapshots);
    for (const name of ['one', 'two', 'three']) await account.snapshots.save(name);
    await close();
    expect(snapshotFiles(withSnapshots)).toHaveLength(3);
    const [small, large] = [plain, withSnapshots].map((folder) => statSync(join(folder, 'db.json')).size);
    expect((large ?? 0) - (small ?? 0)).toBeLessThan(600);
  });

  test('survives a crash', async () => {
    const folder = tempFolder();
    const { account, baseUrl } = await open(folder);
    await account.snapshots.save('before');
    await clientOf(baseUrl).POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const again = await open(copyAsAfterCrash(folder));
    const total = async () => (await clientOf(again.baseUrl).GET('/deposits')).data?.data.total;
    expect(await total()).toBe(8);
    await again.account.snapshots.restore('before');
    expect(await total()).toBe(7);
  });

  test('that was removed or replaced leaves no file behind after a clean stop', async () => {
    const folder = tempFolder();
    const { account, close } = await open(folder);
    await account.snapshots.save('kept');
    await account.snapshots.save('kept');
    await account.snapshots.save('removed');
    await account.snapshots.remove('removed');
    await close();
    expect(snapshotFiles(folder)).toEqual(['snapshot-000002.json']);
  });

  test('that cannot be stored does not exist', async () => {
    const folder = tempFolder();
    const { account } = await open(folder);
    const repair = breakDisk('ENOSPC');
    await expect(account.snapshots.save('lost')).rejects.toMatchObject({ code: 'not-stored' });
    repair();
    expect(await account.snapshots.names()).toEqual([]);
    await account.snapshots.save('kept');
    expect(await account.snapshots.names()).toEqual(['kept']);
  });
});
