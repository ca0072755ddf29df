import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, startSimulatorInProcess } from '../support/cli.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { copyCrashedFolder, editFile, latestJournal } from './damaged-folder.js';
import { commitNumbers, numberedCommit, openFolder, readCommitNumbers } from './open-store.js';

/** Creates a folder with four commits, each followed by a clean stop, and a copy of `db.json` after the first. */
async function createStoppedFolder(): Promise<{ folder: string; olderCheckpoint: string }> {
  const folder = tempFolder();
  const olderCheckpoint = join(tempFolder(), 'db.json');
  for (const number of [1, 2, 3, 4]) {
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(number));
    await store.close();
    if (number === 1) cpSync(join(folder, 'db.json'), olderCheckpoint);
  }
  return { folder, olderCheckpoint };
}

describe('after a clean stop', () => {
  test('a deleted db.json causes an error at startup', async () => {
    const { folder } = await createStoppedFolder();
    rmSync(join(folder, 'db.json'));
    await expect(openFolder(folder)).rejects.toThrow(
      'commits 1 to 4 are missing: db.json is missing, and this journal continues with 5. Nothing has been changed; restore the files, or start with --accept-rollback',
    );
  });

  test('an older db.json causes an error at startup', async () => {
    const { folder, olderCheckpoint } = await createStoppedFolder();
    cpSync(olderCheckpoint, join(folder, 'db.json'));
    await expect(openFolder(folder)).rejects.toThrow(
      'commits 2 to 4 are missing: the preceding commit is 1, and this journal continues with 5',
    );
  });

  test('a db.json from which rows were deleted in an editor is accepted', async () => {
    const { folder } = await createStoppedFolder();
    editFile(join(folder, 'db.json'), (text) => text.replace(/\n {4}\{"id":"2".*/, ''));
    expect(await readCommitNumbers(folder)).toEqual([1, 3, 4]);
  });
});

describe('with acceptRollback', () => {
  test('the store loads the older data, and reports which commits are missing', async () => {
    const { folder, olderCheckpoint } = await createStoppedFolder();
    cpSync(olderCheckpoint, join(folder, 'db.json'));
    const { store, loaded, notices, append } = await openFolder(folder, { acceptRollback: true });
    expect(commitNumbers(loaded)).toEqual([1]);
    expect(notices).toEqual([
      expect.stringMatching(
        /commits 2 to 4 are missing: .*; continuing without the missing commits because of --accept-rollback$/,
      ),
    ]);
    await append(numberedCommit(9));
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1, 9]);
    await store.close();
    expect(await readCommitNumbers(folder)).toEqual([1, 9]);
  });

  test('a journal that does not continue the older db.json is renamed, not deleted', async () => {
    const { folder, olderCheckpoint } = await createStoppedFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(5));
    const crashed = copyAsIfCrashed(folder);
    await store.close();
    cpSync(olderCheckpoint, join(crashed, 'db.json'));
    const journal = readFileSync(latestJournal(crashed), 'utf8');
    await (await openFolder(crashed, { acceptRollback: true })).store.close();
    const renamedJournals = readdirSync(crashed).filter((name) => name.endsWith('.set-aside'));
    expect(renamedJournals.map((name) => readFileSync(join(crashed, name), 'utf8'))).toContain(journal);
    expect(await readCommitNumbers(crashed)).toEqual([1]);
  });

  test('snapshots that no commit refers to any longer are renamed, not deleted', async () => {
    const folder = await copyCrashedFolder();
    for (const name of ['db.json', basename(latestJournal(folder))]) rmSync(join(folder, name));
    const snapshot = readFileSync(join(folder, 'snapshot-000001.json'), 'utf8');
    const earlierFile = join(folder, 'snapshot-000001.json.set-aside');
    writeFileSync(earlierFile, 'set aside after an earlier loss');
    const { store, loaded, notices, append } = await openFolder(folder, { acceptRollback: true });
    expect([loaded, notices]).toEqual([[], [expect.stringContaining('there are saved snapshots, but no commits')]]);
    await append(numberedCommit(1));
    await store.close();
    expect(readFileSync(join(folder, 'snapshot-000001.json.2.set-aside'), 'utf8')).toBe(snapshot);
    expect(readFileSync(earlierFile, 'utf8')).toBe('set aside after an earlier loss');
    expect(await readCommitNumbers(folder)).toEqual([1]);
  });

  test('the next start needs no acceptRollback even if the first checkpoint failed, since closing the store writes it', async () => {
    const { folder, olderCheckpoint } = await createStoppedFolder();
    cpSync(olderCheckpoint, join(folder, 'db.json'));
    const { store, notices } = await openFolder(folder, { acceptRollback: true });
    // A folder with the name of the new journal makes the checkpoint fail.
    const obstacle = join(folder, 'journal-000000000002-000005.ndjson');
    mkdirSync(obstacle);
    await expect.poll(() => notices).toContainEqual(expect.stringContaining('EISDIR'));
    rmSync(obstacle, { recursive: true });
    await store.close();
    expect(await readCommitNumbers(folder)).toEqual([1]);
  });

  test('the --accept-rollback option is needed for only one start', async () => {
    const { folder, olderCheckpoint } = await createStoppedFolder();
    cpSync(olderCheckpoint, join(folder, 'db.json'));
    const withoutOption = await runCli('start', '--port', '0', '--data', folder);
    expect([withoutOption.code, withoutOption.stderr]).toEqual([
      2,
      expect.stringContaining('start with --accept-rollback'),
    ]);
    const startAndStop = async (...flags: string[]) =>
      (await startSimulatorInProcess('--data', folder, ...flags)).end();
    expect(await startAndStop('--accept-rollback')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('commits 2 to 4 are missing'),
    });
    expect(await startAndStop()).toMatchObject({ code: 0 });
  });
});
