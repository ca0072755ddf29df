import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadedModules } from '../support/loaded-modules.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Returns the names of the packages that a command loads. */
async function loadedBy(...commandLine: string[]): Promise<string[]> {
  const urls = await loadedModules(cli, ...commandLine);
  // Proves that the hook recorded modules at all.
  expect(urls).toContain(pathToFileURL(cli).href);
  const names = urls.join('\n').matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

test.each([
  ['--help'],
  ['start', '--help'],
  ['clock', '--help'],
  ['contract', '--help'],
  ['calibrate', '--help'],
  ['prove', '--help'],
])('the libraries of the suite are not loaded by: %s %s', async (...commandLine) => {
  const loaded = await loadedBy(...commandLine);
  for (const name of ['vitest', 'vite', 'supertest']) expect(loaded).not.toContain(name);
});

test('vitest is not loaded by: contract --list', async () => {
  expect(await loadedBy('contract', '--list')).not.toContain('vitest');
});
