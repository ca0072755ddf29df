import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { readPage } from './page.js';

test.each([
  { page: 'docs/commands.md', script: 'command-reference.mjs' },
  { page: 'docs/control-api.md', script: 'control-reference.mjs' },
])('$page says what $script generates now', async ({ page, script }) => {
  const file = join(tempFolder(), 'page.md');
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), file]);
  expect(readPage(page), `${page} is stale: run \`npm run docs\``).toBe(readFileSync(file, 'utf8'));
});
