import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { controlDocument } from '../../src/generated/control-document.js';
import { tempFolder } from '../support/temp-folder.js';
import { commandReference } from './command-reference.js';
import { configSchema } from './config-schema.js';
import { controlReference } from './control-reference.js';
import { readPage } from './page.js';

interface GeneratedPage {
  readonly text: string;
  /** Names of the exports, methods and options without a docstring. */
  readonly undocumented: readonly string[];
}

/** Runs a script that generates a page. */
async function generatePage(script: string): Promise<GeneratedPage> {
  const file = join(tempFolder(), 'page.md');
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, file]);
  return { text: readFileSync(file, 'utf8'), undocumented: stdout.split('\n').filter((line) => line !== '') };
}

test('docs/commands.md describes the commands', async () => {
  expect(readPage('docs/commands.md'), 'stale: run `npm run docs`').toBe(await commandReference());
});

test('openapi/config.schema.json matches the options of the commands', async () => {
  expect(JSON.parse(readPage('openapi/config.schema.json')), 'stale: run `npm run docs`').toEqual(await configSchema());
});

test('docs/control-api.md describes openapi/control.yaml', () => {
  expect(readPage('docs/control-api.md'), 'stale: run `npm run docs`').toBe(controlReference(controlDocument));
});

test('docs/control-api.md lists headers and query parameters in separate tables', () => {
  expect(controlReference(controlDocument)).toContain('| Header | Type | |\n| --- | --- | --- |\n| `Last-Event-ID` |');
});

// One test, since the script compiles the whole library.
test('docs/library-reference.md is up to date, and every export, method and option has a docstring', async () => {
  const { text, undocumented } = await generatePage('library-reference.mjs');
  expect(undocumented).toEqual([]);
  expect(readPage('docs/library-reference.md'), 'stale: run `npm run docs`').toBe(text);
});
