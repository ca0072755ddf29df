import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readPage } from './page.js';

test("docs/architecture.md names every file of a request's walk, in order", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/docs/request-walk.mjs']);
  const [, section = ''] = readPage('docs/architecture.md').split("### A request's walk");
  const fileNames = [...(section.split('\n#')[0] ?? '').matchAll(/^\| `([\w/-]+\.ts)` \|/gm)].map(([, file]) => file);
  expect(fileNames).toEqual(stdout.trimEnd().split('\n'));
});
