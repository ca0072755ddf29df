import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadedModules } from '../support/loaded-modules.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs a command, and returns the names of the packages that it loads. */
async function loadedPackages(commandLine: string): Promise<string[]> {
  const urls = await loadedModules(cli, ...commandLine.split(' '));
  // Without recorded modules, the tests below would prove nothing.
  expect(urls).toContain(pathToFileURL(cli).href);
  // supertest is bundled into a file of its own.
  const names = urls.join('\n').matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|\/chunks\/(supertest)\.js/g);
  return [...new Set([...names].map(([, name, chunk = '']) => name ?? chunk))];
}

test.each(['--help', 'start --help', 'clock --help', 'contract --help', 'calibrate --help', 'prove --help'])(
  '`billing-sim %s` does not load the libraries of the contract suite',
  async (commandLine) => {
    const loaded = await loadedPackages(commandLine);
    for (const name of ['vitest', 'vite', 'supertest']) expect(loaded).not.toContain(name);
  },
);

test('`billing-sim contract --list` does not load vitest', async () => {
  expect(await loadedPackages('contract --list')).not.toContain('vitest');
});
