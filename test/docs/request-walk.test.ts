import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readPage } from './page.js';

test('docs/architecture.md names every file that a request runs through, each table in order', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/docs/request-walk.mjs']);
  const walk = stdout.trimEnd().split('\n');
  const [, section = ''] = readPage('docs/architecture.md').split('### The files that a request runs through');
  const tables = (section.split('\n#')[0] ?? '')
    .split('| ---- | ----------------- |')
    .map((table) => [...table.matchAll(/^\| `([\w/-]+\.ts)` \|/gm)].map(([, file = '']) => file))
    .filter((files) => files.length > 0);
  expect(tables).toEqual(tables.map((files) => walk.filter((file) => files.includes(file))));
  expect(tables.flat().sort()).toEqual([...walk].sort());
});
