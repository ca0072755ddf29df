import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import { crashedFolder, damages, hashesOf, journalOf } from './damaged-folder.js';
import { openFolder } from './open-store.js';

const quiet = { log: () => undefined };

describe('a start that fails leaves every byte of the folder unchanged', () => {
  let whole: Promise<Record<string, Buffer>> | undefined;

  async function filesOf(folder: string): Promise<Record<string, Buffer>> {
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  }

  /** The crashed folder is made once, by the first test. */
  async function freshFolder(): Promise<string> {
    whole ??= crashedFolder().then(filesOf);
    const folder = tempFolder();
    for (const [name, content] of Object.entries(await whole)) writeFileSync(join(folder, name), content);
    return folder;
  }

  test('the folder itself starts, and has all deposits', async () => {
    const simulator = await startSimulator({ data: await freshFolder(), ...quiet });
    onTestFinished(() => simulator.close());
    const { data } = await clientOf(simulator.baseUrl).GET('/deposits', { params: { query: { per_page: 100 } } });
    expect(data?.data.data.map(({ booking_reference }) => booking_reference)).toEqual(
      expect.arrayContaining(['BK-1', 'BK-2', 'BK-3', 'BK-4', 'BK-5']),
    );
  });

  test.each(damages)('%s', async (_, damage, message) => {
    const folder = await freshFolder();
    damage(folder);
    const before = hashesOf(folder);
    await expect(startSimulator({ data: folder, ...quiet })).rejects.toThrow(message);
    expect(hashesOf(folder)).toEqual(before);
    expect(readdirSync(folder)).not.toContain('lock');
  });

  test.each(damages.slice(0, 1))('%s, with the command `start` and with `seed`', async (_, damage, message) => {
    const folder = await freshFolder();
    damage(folder);
    const before = hashesOf(folder);
    for (const command of [
      ['start', '--port', '0'],
      ['seed', '--invoices', '5'],
    ]) {
      const { code, stderr } = await runCli(...command, '--data', folder);
      expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringMatching(message)]]);
    }
    expect(hashesOf(folder)).toEqual(before);
  });

  test('a start never loses a commit without an error if any bit of the journal is flipped', async () => {
    const folder = await freshFolder();
    const journal = journalOf(folder);
    const bytes = readFileSync(journal);
    const commits = bytes.toString().trimEnd().split('\n').length - 1;
    // The last byte is a newline, without which the line is still complete.
    for (let at = 0; at < bytes.length - 1; at += Math.ceil(bytes.length / 60)) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(journal, flipped);
      const before = hashesOf(folder);
      const opened = openFolder(folder).then(async ({ store, loaded }) => {
        await store.close();
        return loaded;
      });
      await expect(opened, `byte ${at}`).rejects.toThrow('Nothing has been changed');
      expect(hashesOf(folder)).toEqual(before);
    }
    expect(commits).toBe(5);
  });

  test('a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const used = await freshFolder();
    const before = hashesOf(used);
    const unused = join(tempFolder(), 'new', 'folder');
    for (const folder of [used, unused]) {
      const { code, stderr } = await runCli('start', '--port', port, '--data', folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is already in use`)]);
    }
    expect(hashesOf(used)).toEqual(before);
    expect(existsSync(join(unused, '..'))).toBe(false);
  });

  test('options that contradict the stored data', async () => {
    const folder = await freshFolder();
    const before = hashesOf(folder);
    const settings = { webhookUrl: 'http://127.0.0.1:9/hooks', now: '2001-01-01T00:00:00Z' };
    await expect(startSimulator({ data: folder, ...settings, ...quiet })).rejects.toMatchObject({
      code: 'clock-backwards',
    });
    expect(hashesOf(folder)).toEqual(before);
  });
});
