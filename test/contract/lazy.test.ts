import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Notes what is loaded, a line each. */
const hook = `import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  appendFileSync(process.env.LOADED, resolved.url + '\\n');
  return resolved;
}`;
const asUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
const preload = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))});`);

/** The packages that a command loads. */
async function loadedBy(...words: string[]): Promise<string[]> {
  const file = join(tempFolder(), 'loaded');
  await promisify(execFile)(process.execPath, ['--import', preload, cli, ...words], {
    env: { ...process.env, LOADED: file },
  });
  const urls = readFileSync(file, 'utf8');
  // Otherwise the hook has not noted anything.
  expect(urls).toContain(pathToFileURL(cli).href);
  const names = urls.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

test.each([
  ['--help'],
  ['start', '--help'],
  ['clock', '--help'],
  ['contract', '--help'],
  ['calibrate', '--help'],
  ['prove', '--help'],
])('the libraries of the suite are not loaded by: %s %s', async (...words) => {
  const loaded = await loadedBy(...words);
  for (const name of ['vitest', 'vite', 'supertest']) expect(loaded).not.toContain(name);
});

test('vitest is not loaded by: contract --list', async () => {
  expect(await loadedBy('contract', '--list')).not.toContain('vitest');
});
