import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { readPage } from './page.js';

interface GeneratedPage {
  readonly text: string;
  /** Lines about exports without a docstring. */
  readonly undocumented: readonly string[];
}

/** Runs a script that generates a page. */
async function generatePage(script: string): Promise<GeneratedPage> {
  const file = join(tempFolder(), 'page.md');
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, file]);
  return { text: readFileSync(file, 'utf8'), undocumented: stdout.split('\n').filter((line) => line !== '') };
}

test.each([
  { page: 'docs/commands.md', script: 'command-reference.mjs' },
  { page: 'docs/control-api.md', script: 'control-reference.mjs' },
])('$page equals the output of $script', async ({ page, script }) => {
  const { text } = await generatePage(script);
  expect(readPage(page), `${page} is stale: run \`npm run docs\``).toBe(text);
});

// One test, since the script compiles the whole library.
test('docs/library-reference.md is up to date, and every export, method and option has a docstring', async () => {
  const { text, undocumented } = await generatePage('library-reference.mjs');
  expect(undocumented).toEqual([]);
  expect(readPage('docs/library-reference.md'), 'stale: run `npm run docs`').toBe(text);
});

test('openapi/config.schema.json matches the options of the commands', async () => {
  const file = join(tempFolder(), 'schema.json');
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('config-schema.mjs', import.meta.url)), file]);
  expect(JSON.parse(readPage('openapi/config.schema.json')), 'stale: run `npm run docs`').toEqual(
    JSON.parse(readFileSync(file, 'utf8')),
  );
});
