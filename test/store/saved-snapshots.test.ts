import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { demoCounts } from '../support/counts.js';
import { breakDisk } from '../support/failing-disk.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';

const listSnapshotFiles = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('snapshot-'));

async function startOn(folder: string) {
  const simulator = await startSimulator({ data: folder, rateLimit: false, log: () => undefined });
  onTestFinished(() => simulator.close());
  return simulator;
}

describe('a saved snapshot', () => {
  test('is stored in a separate file, and adds less than 200 bytes to db.json', async () => {
    const [withoutSnapshots, withSnapshots] = [tempFolder(), tempFolder()];
    await (await startOn(withoutSnapshots)).close();
    const { account, close } = await startOn(withSnapshots);
    const names = ['first', 'second', 'third'];
    for (const name of names) await account.snapshots.save(name);
    await close();
    expect(listSnapshotFiles(withSnapshots)).toHaveLength(names.length);
    const [bytesWithout = 0, bytesWith = 0] = [withoutSnapshots, withSnapshots].map(
      (folder) => statSync(join(folder, 'db.json')).size,
    );
    expect(bytesWith - bytesWithout).toBeLessThan(names.length * 200);
  });

  test('survives a crash', async () => {
    const folder = tempFolder();
    const { account, baseUrl } = await startOn(folder);
    await account.snapshots.save('before');
    await clientOf(baseUrl).POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const restarted = await startOn(copyAsIfCrashed(folder));
    const countDeposits = async () => (await clientOf(restarted.baseUrl).GET('/deposits')).data?.data.total;
    expect(await countDeposits()).toBe(demoCounts.deposits + 1);
    await restarted.account.snapshots.restore('before');
    expect(await countDeposits()).toBe(demoCounts.deposits);
  });

  test('whose file has the id of another account is restored to its own account', async () => {
    const folder = tempFolder();
    const { account, url } = await startOn(folder);
    await account.snapshots.save('before');
    const file = join(folder, 'snapshot-000001.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"id":"demo"', '"id":"other"'));
    await account.snapshots.restore('before');
    const accounts = await fetch(`${url}/_sim/accounts`);
    expect(await accounts.json()).toMatchObject({ data: [{ id: 'demo' }], total: 1 });
  });

  test('that was removed or replaced has no file after a clean stop', async () => {
    const folder = tempFolder();
    const { account, close } = await startOn(folder);
    await account.snapshots.save('kept');
    await account.snapshots.save('kept');
    await account.snapshots.save('removed');
    await account.snapshots.remove('removed');
    await close();
    expect(listSnapshotFiles(folder)).toEqual(['snapshot-000002.json']);
  });

  test('with a choice that no longer exists cannot be restored, and the error names the choice', async () => {
    const folder = tempFolder();
    const profile = { 'deposit.id': 'uuid' } as const;
    const simulator = await startSimulator({ data: folder, profile, log: () => undefined });
    onTestFinished(() => simulator.close());
    await simulator.account.snapshots.save('old');
    const file = join(folder, 'snapshot-000001.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"uuid"', '"gone"'));
    const response = await fetch(`${simulator.url}/_sim/accounts/demo/snapshots/old/restore`, { method: 'POST' });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 422,
      body: { errors: { profile: [expect.stringContaining('gone')] } },
    });
  });

  test.each([
    ['is cut off', (text: string) => text.slice(0, 500), 'invalid JSON'],
    [
      'lacks a customer to whom invoices refer',
      (text: string) => text.replace(/\n {4}\{"id":1,"name":"Ada.*/, ''),
      'invoices: row \\d+ refers to customer 1, which does not exist',
    ],
    [
      'lacks the row of the account',
      (text: string) => text.replace(/("account": \[)\n.*/, '$1'),
      'the snapshot must have exactly one row `account`',
    ],
  ])('whose file %s cannot be restored or exported, and the log says why', async (_name, damage, reason) => {
    const folder = tempFolder();
    const logged: string[] = [];
    const simulator = await startSimulator({ data: folder, log: (line) => logged.push(line) });
    onTestFinished(() => simulator.close());
    const { snapshots } = simulator.account;
    await snapshots.save('damaged');
    const file = join(folder, 'snapshot-000001.json');
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const unreadable = { code: 'snapshot-unreadable', message: expect.stringContaining('see the log') };
    await expect(snapshots.restore('damaged')).rejects.toMatchObject(unreadable);
    await expect(snapshots.export('damaged')).rejects.toMatchObject(unreadable);
    const entry = expect.stringMatching(`a snapshot could not be read: ${file}.*: ${reason}`);
    expect(logged).toEqual([entry, entry]);
  });

  test('whose file was removed cannot be restored, and the log names the file', async () => {
    const folder = tempFolder();
    const logged: string[] = [];
    const simulator = await startSimulator({ data: folder, log: (line) => logged.push(line) });
    onTestFinished(() => simulator.close());
    const { snapshots } = simulator.account;
    await snapshots.save('removed');
    const file = join(folder, 'snapshot-000001.json');
    rmSync(file);
    await expect(snapshots.restore('removed')).rejects.toMatchObject({ code: 'snapshot-unreadable' });
    expect(logged).toEqual([`a snapshot could not be read: ${file} has been removed`]);
  });

  test('that could not be written is not listed', async () => {
    const folder = tempFolder();
    const { account } = await startOn(folder);
    const repair = breakDisk('ENOSPC');
    await expect(account.snapshots.save('lost')).rejects.toMatchObject({ code: 'not-stored' });
    repair();
    expect(await account.snapshots.names()).toEqual([]);
    await account.snapshots.save('kept');
    expect(await account.snapshots.names()).toEqual(['kept']);
  });
});

test('a failure to remove an unused file is logged', async () => {
  const folder = tempFolder();
  await (await startOn(folder)).close();
  // A folder is not removed as if it were a file.
  const path = join(folder, 'snapshot-000001.json.tmp');
  mkdirSync(path);
  const log: string[] = [];
  const simulator = await startSimulator({ data: folder, log: (line) => log.push(line) });
  await simulator.account.trigger('deposit.created');
  await simulator.close();
  expect(log).toEqual([
    expect.stringMatching(/^db\.json could not be written, or files that it replaces could not be removed, .*EISDIR/),
  ]);
  expect(log[0]).toContain(path);
  expect(readFileSync(join(folder, 'db.json'), 'utf8')).toContain('"deposit.created"');
});
