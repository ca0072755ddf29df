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
  const file = join(tempFolder(), 'library-reference.md');
  const script = fileURLToPath(new URL('library-reference.mjs', import.meta.url));
  // The script prints the names of the exports, methods and options that lack a docstring.
  const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
  expect(stdout).toBe('');
  expect(readPage('docs/library-reference.md'), 'stale: run `npm run docs`').toBe(readFileSync(file, 'utf8'));
});

test('docs/library-reference.md names only error codes that exist', () => {
  const page = readPage('docs/library-reference.md');
  const [, union = ''] = /^type ErrorCode =\n([^;]*);/m.exec(page) ?? [];
  const codes = [...union.matchAll(/'([^']+)'/g)].map(([, code]) => code);
  // Codes of two words or more, so that the words of a sentence after `ServiceError` are not taken for codes.
  const named = [...page.matchAll(/ServiceError ([a-z]+(?:-[a-z]+)+(?:, [a-z]+(?:-[a-z]+)+)*)/g)].flatMap(
    ([, list = '']) => list.split(', '),
  );
  expect(named).toContain('payment-not-found');
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
});
