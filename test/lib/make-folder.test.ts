import fs, { existsSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../src/lib/make-folder.js';
import { tempFolder } from '../support/temp-folder.js';

test('creates a folder and its missing parents with the given permissions, and lists them in `created`, parents first', async () => {
  const parent = join(tempFolder(), 'a');
  const created: string[] = [];
  await makeFolder(join(parent, 'b', 'c'), { mode: 0o700, created });
  expect(created).toEqual([parent, join(parent, 'b'), join(parent, 'b', 'c')]);
  expect(created.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '700', '700']);
  await makeFolder(parent, { created });
  expect(created).toHaveLength(3);
});

test.each(['a/../b', 'a/b'])('%s can be created several times at once', async (path) => {
  const folder = tempFolder();
  await Promise.all(Array.from({ length: 10 }, () => makeFolder(`${folder}/${path}`)));
  expect(existsSync(join(folder, path))).toBe(true);
});

test('a folder cannot be created below a file', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('creating a folder in /proc fails', async (context) => {
  context.skip(!existsSync('/proc/self'), 'needs /proc');
  await expect(makeFolder('/proc/none/a')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/none' });
});

test('the root of a drive counts as an existing folder on Windows, where `mkdir` fails with EPERM for it', async () => {
  const { mkdir } = fs.promises;
  const use = (makeFolderOf: unknown): void => {
    Object.assign(fs.promises, { mkdir: makeFolderOf });
    syncBuiltinESMExports();
  };
  use(() => Promise.reject(Object.assign(new Error('operation not permitted'), { code: 'EPERM' })));
  onTestFinished(() => use(mkdir));
  await makeFolder('/');
  await expect(makeFolder('/no-such-folder')).rejects.toMatchObject({ code: 'EPERM' });
});
