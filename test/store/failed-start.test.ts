import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  copyCrashedFolder,
  damageCases,
  hashFiles,
  latestJournal,
  makeNewer,
  newerFolderError,
} from './damaged-folder.js';
import { readCommitNumbers } from './open-store.js';

const quiet = { log: () => undefined };

test('a start on an undamaged folder after a crash loads all deposits', async () => {
  const simulator = await startSimulator({ data: await copyCrashedFolder(), ...quiet });
  onTestFinished(() => simulator.close());
  const { data } = await clientOf(simulator.baseUrl).GET('/deposits', { params: { query: { per_page: 100 } } });
  expect(data?.data.data.map(({ booking_reference }) => booking_reference)).toEqual(
    expect.arrayContaining(['BK-1', 'BK-2', 'BK-3', 'BK-4', 'BK-5']),
  );
});

describe('a start that fails leaves every byte of the folder unchanged', () => {
  test.each(damageCases)('because of %s', async (_name, damage, error) => {
    const folder = await copyCrashedFolder();
    damage(folder);
    const hashesBefore = hashFiles(folder);
    await expect(startSimulator({ data: folder, ...quiet })).rejects.toThrow(error);
    expect(hashFiles(folder)).toEqual(hashesBefore);
    expect(readdirSync(folder)).not.toContain('lock');
  });

  test('because of a newer format version', async () => {
    const folder = await copyCrashedFolder();
    makeNewer(folder);
    const hashesBefore = hashFiles(folder);
    await expect(startSimulator({ data: folder, ...quiet })).rejects.toThrow(newerFolderError(folder));
    expect(hashFiles(folder)).toEqual(hashesBefore);
  });

  // One damage is enough here, since commands start slowly.
  test.each(damageCases.slice(0, 1))(
    'because of %s, with the commands `start` and `seed`',
    async (_name, damage, error) => {
      const folder = await copyCrashedFolder();
      damage(folder);
      const hashesBefore = hashFiles(folder);
      for (const command of [
        ['start', '--port', '0'],
        ['seed', '--invoices', '5'],
      ]) {
        const { code, stderr } = await runCli(...command, '--data', folder);
        expect([code, stderr.trimEnd().split('\n')]).toEqual([2, [expect.stringMatching(error)]]);
      }
      expect(hashFiles(folder)).toEqual(hashesBefore);
    },
  );

  test('because of a flipped bit at any of 60 positions in the journal', async () => {
    const positionCount = 60;
    const folder = await copyCrashedFolder();
    const journal = latestJournal(folder);
    const bytes = readFileSync(journal);
    const [, ...commitLines] = bytes.toString().trimEnd().split('\n');
    expect(commitLines).toHaveLength(5);
    // The last byte is a newline. The line before it is complete even without it.
    for (let offset = 0; offset < bytes.length - 1; offset += Math.ceil(bytes.length / positionCount)) {
      const flipped = Buffer.from(bytes);
      flipped[offset] = (flipped[offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(journal, flipped);
      const hashesBefore = hashFiles(folder);
      await expect(readCommitNumbers(folder), `byte ${offset}`).rejects.toThrow('Nothing has been changed');
      expect(hashFiles(folder)).toEqual(hashesBefore);
    }
  });

  test('because of a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const existing = await copyCrashedFolder();
    const hashesBefore = hashFiles(existing);
    const missing = join(tempFolder(), 'new', 'folder');
    for (const folder of [existing, missing]) {
      const { code, stderr } = await runCli('start', '--port', port, '--data', folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is already in use`)]);
    }
    expect(hashFiles(existing)).toEqual(hashesBefore);
    expect(existsSync(join(missing, '..'))).toBe(false);
  });

  test('because of a `now` after the year 8999', async () => {
    const folder = await copyCrashedFolder();
    const hashesBefore = hashFiles(folder);
    // The webhook URL is valid, but must not be stored either.
    const options = { webhookUrl: 'http://127.0.0.1:9/hooks', now: '9000-01-01T00:00:00Z' };
    await expect(startSimulator({ data: folder, ...options, ...quiet })).rejects.toMatchObject({
      code: 'clock-too-far',
    });
    expect(hashFiles(folder)).toEqual(hashesBefore);
  });
});
