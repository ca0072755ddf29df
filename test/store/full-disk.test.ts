import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { breakDisk } from '../support/failing-disk.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { numberedCommit, openFolder, readCommitNumbers } from './open-store.js';

const notStoredError = { success: false, error: 'The change could not be stored' };

function depositWith(reference: string) {
  return { booking_reference: reference, amount: 10 };
}

/** Booking references of up to 100 deposits, newest first. */
async function listReferences(baseUrl: string): Promise<(string | null | undefined)[]> {
  const { data } = await clientOf(baseUrl).GET('/deposits', { params: { query: { per_page: 100 } } });
  return (data?.data.data ?? []).map(({ booking_reference }) => booking_reference);
}

/** Mounts an empty file system of this size; skips the test if that is not possible. */
function mountSmallFileSystem(context: TestContext, sizeKb: number): string {
  const folder = tempFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', folder]);
  if (mounted.status !== 0) context.skip('this test mounts a small file system, which needs Linux and root');
  onTestFinished(() => void spawnSync('umount', [folder]));
  return folder;
}

describe('a write that cannot be stored', () => {
  test('fails with 503 and changes nothing', async () => {
    const log: string[] = [];
    const folder = tempFolder();
    const sim = await startSimulator({ data: folder, seed: 'empty', log: (line) => log.push(line) });
    onTestFinished(() => sim.close());
    const client = clientOf(sim.baseUrl);
    await client.POST('/deposits', { body: depositWith('before') });
    const repair = breakDisk('ENOSPC');
    const header = { 'Idempotency-Key': 'key-1' };
    const results = await Promise.all([
      client.POST('/deposits', { params: { header }, body: depositWith('refused') }),
      client.POST('/payment-links', { body: { description: 'Refused', amount: 5 } }),
    ]);
    expect(results.map(({ response, error }) => [response.status, error])).toEqual([
      [503, notStoredError],
      [503, notStoredError],
    ]);
    expect([...new Set(log)]).toEqual(['a change could not be stored: ENOSPC: simulated disk failure, write']);
    expect(await listReferences(sim.baseUrl)).toEqual(['before']);

    // The failed writes used up neither the id, nor the idempotency key, nor the path of the payment link.
    repair();
    const retried = await client.POST('/deposits', { params: { header }, body: depositWith('after') });
    expect(retried.data?.data).toMatchObject({ id: 2, booking_reference: 'after' });
    const link = await client.POST('/payment-links', { body: { description: 'Refused', amount: 5 } });
    expect(link.data?.data.url).toBe(`${sim.url}/pay/refused`);

    const restarted = await startSimulator({ data: copyAsIfCrashed(folder), log: () => undefined });
    onTestFinished(() => restarted.close());
    expect(await listReferences(restarted.baseUrl)).toEqual(['after', 'before']);
  });

  test.each(['os', 'disk'] as const)(
    'is not loaded after a crash, even if it was written before the check of the lock failed (durability %s)',
    async (durability) => {
      const folder = tempFolder();
      const lock = join(folder, 'lock');
      const { store, append } = await openFolder(folder, { durability });
      await append(numberedCommit(1));
      // A symbolic link to itself cannot be resolved.
      renameSync(lock, join(folder, 'lock-aside'));
      symlinkSync('lock', lock);
      await expect(append(numberedCommit(2))).rejects.toThrow('ELOOP');
      expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1]);

      renameSync(join(folder, 'lock-aside'), lock);
      await append(numberedCommit(3));
      expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1, 3]);
      await store.close();
    },
  );

  test('fails with 503 on a file system that is full, and leaves every acknowledged write in the journal', async (context) => {
    const folder = mountSmallFileSystem(context, 256);
    const sim = await startSimulator({ data: folder, seed: 'empty', rateLimit: false, log: () => undefined });
    const client = clientOf(sim.baseUrl);
    const acknowledged: string[] = [];
    let lastStatus = 201;
    // 5,000 deposits need several times the size of the file system.
    for (let number = 0; lastStatus === 201 && number < 5_000; number++) {
      const { response } = await client.POST('/deposits', { body: depositWith(`BK-${number}`) });
      lastStatus = response.status;
      if (lastStatus === 201) acknowledged.unshift(`BK-${number}`);
    }
    expect(lastStatus).toBe(503);
    expect((await listReferences(sim.baseUrl)).slice(0, 3)).toEqual(acknowledged.slice(0, 3));
    const journal = readFileSync(join(folder, 'journal-000000000001-000001.ndjson'), 'utf8');
    expect(journal.slice(-2)).toBe('}\n');
    // Besides the deposits: the header, the commit that creates the account, and the empty string that `split` returns
    // after the final newline.
    expect(journal.split('\n')).toHaveLength(acknowledged.length + 3);
    await sim.close();
  });
});

test('a checkpoint that does not fit on the disk takes up no space afterwards, so that later writes succeed', async (context) => {
  const folder = mountSmallFileSystem(context, 64);
  const { store, append, notices } = await openFolder(folder, { journalLimit: 1 });
  await append(numberedCommit(1, 'x'.repeat(40_000)));
  await expect.poll(() => notices).toEqual([expect.stringContaining('ENOSPC')]);
  await append(numberedCommit(2, 'x'.repeat(8_000)));
  await store.close();
  expect(await readCommitNumbers(folder)).toEqual([1, 2]);
});

test.for([
  ['start', 8, ['--port', '0'], 'cannot use the data folder FOLDER (ENOSPC: no space left on device, write); choose'],
  [
    'seed',
    8,
    ['--customers', '1'],
    'cannot use the data folder FOLDER (ENOSPC: no space left on device, write); choose',
  ],
  ['seed', 64, ['--customers', '1000'], 'some records could not be stored in FOLDER, for the reason above; the others'],
] as const)(
  'billing-sim %s says what to do if the disk has only %i kB',
  async ([command, sizeKb, flags, message], context) => {
    const folder = mountSmallFileSystem(context, sizeKb);
    const { code, stderr } = await runCli(command, '--data', folder, ...flags);
    const [logged, ...errorLines] = stderr.replaceAll(folder, 'FOLDER').split('\n');
    expect(logged).toBe('a change could not be stored: ENOSPC: no space left on device, write');
    expect([code, errorLines]).toEqual([2, [expect.stringContaining(`error: ${message}`), '']]);
  },
);
