import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runUntilReady } from '../support/cli.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { edit, journalOf } from './damaged-folder.js';
import { numbered, numbersIn, openFolder } from './open-store.js';

/** Creates a folder after a clean stop, and a copy of its `db.json` from three commits before. */
async function stoppedFolder(): Promise<{ folder: string; older: string }> {
  const folder = tempFolder();
  const older = join(tempFolder(), 'db.json');
  for (const number of [1, 2, 3, 4]) {
    const { store, append } = await openFolder(folder);
    await append(numbered(number));
    await store.close();
    if (number === 1) cpSync(join(folder, 'db.json'), older);
  }
  return { folder, older };
}

async function numbersAfter(folder: string): Promise<number[]> {
  const { store, loaded } = await openFolder(folder);
  await store.close();
  return numbersIn(loaded);
}

describe('after a clean stop', () => {
  test('a deleted db.json is noticed', async () => {
    const { folder } = await stoppedFolder();
    rmSync(join(folder, 'db.json'));
    await expect(openFolder(folder)).rejects.toThrow(
      'commits 1 to 4 are missing: db.json is missing, and this journal continues with 5. Nothing has been changed; restore the files, or start with --accept-rollback',
    );
  });

  test('an older db.json is noticed', async () => {
    const { folder, older } = await stoppedFolder();
    cpSync(older, join(folder, 'db.json'));
    await expect(openFolder(folder)).rejects.toThrow(
      'commits 2 to 4 are missing: commit 1 is the last before, and this journal continues with 5',
    );
  });

  test('rows that were edited or deleted by hand are accepted', async () => {
    const { folder } = await stoppedFolder();
    edit(join(folder, 'db.json'), (text) => text.replace(/\n {4}\{"id":"2".*/, ''));
    expect(await numbersAfter(folder)).toEqual([1, 3, 4]);
  });
});

describe('with a rollback accepted', () => {
  test('the store continues with the data present, and reports which commits are missing', async () => {
    const { folder, older } = await stoppedFolder();
    cpSync(older, join(folder, 'db.json'));
    const { store, loaded, notices, append } = await openFolder(folder, { acceptRollback: true });
    expect(numbersIn(loaded)).toEqual([1]);
    expect(notices).toEqual([
      expect.stringMatching(/commits 2 to 4 are missing: .*; continuing without them because of --accept-rollback$/),
    ]);
    await append(numbered(9));
    expect(await numbersAfter(copyAsAfterCrash(folder))).toEqual([1, 9]);
    await store.close();
    expect(await numbersAfter(folder)).toEqual([1, 9]);
  });

  test('commits that do not fit the older checkpoint are set aside, not deleted', async () => {
    const { folder, older } = await stoppedFolder();
    const crashed = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numbered(5));
    cpSync(copyAsAfterCrash(folder), crashed, { recursive: true });
    await store.close();
    cpSync(older, join(crashed, 'db.json'));
    const journal = readFileSync(journalOf(crashed), 'utf8');
    await (await openFolder(crashed, { acceptRollback: true })).store.close();
    const aside = readdirSync(crashed).filter((name) => name.endsWith('.set-aside'));
    expect(aside.map((name) => readFileSync(join(crashed, name), 'utf8'))).toContain(journal);
    expect(await numbersAfter(crashed)).toEqual([1]);
  });

  test('the command option accepts a rollback once', async () => {
    const { folder, older } = await stoppedFolder();
    cpSync(older, join(folder, 'db.json'));
    const refused = await runUntilReady('--port', '0', '--data', folder);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('start with --accept-rollback')]);
    const accepted = await runUntilReady('--port', '0', '--data', folder, '--accept-rollback');
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining('commits 2 to 4 are missing')]);
    expect((await runUntilReady('--port', '0', '--data', folder)).code).toBe(0);
  });
});
