import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './servers.mjs';

const document = fileURLToPath(new URL('../../openapi/billing.yaml', import.meta.url));

/**
 * Other mock servers, which serve the same OpenAPI document, or the same invoices and deposits, as the simulator. `prepare`
 * returns the arguments that start one, and the paths of its first page of invoices and of its deposits.
 */
export const peers = [
  {
    name: 'Prism CLI',
    async prepare() {
      const script = scriptOf('@stoplight/prism-cli', 'prism');
      return {
        args: (port) => [script, 'mock', '--host', '127.0.0.1', '--port', port, document],
        page: '/invoices',
        deposits: '/deposits',
      };
    },
  },
  {
    name: 'json-server',
    async prepare({ workFolder }, { invoices, deposits }) {
      const script = scriptOf('json-server', 'json-server');
      const file = join(workFolder, 'db.json');
      writeFileSync(file, JSON.stringify({ invoices, deposits }));
      return {
        args: (port) => [script, '--host', '127.0.0.1', '--port', port, '--quiet', file],
        page: '/invoices?_page=1&_limit=25',
        deposits: '/deposits',
      };
    },
  },
  {
    name: 'Mockoon CLI',
    async prepare({ workFolder }) {
      const script = scriptOf('@mockoon/cli', 'mockoon-cli');
      const file = join(workFolder, 'mockoon.json');
      await run('Mockoon import', [script, 'import', '--input', document, '--output', file], workFolder);
      const quiet = ['--disable-log-to-file', '--disable-admin-api'];
      return {
        args: (port) => [script, 'start', '--data', file, '--hostname', '127.0.0.1', '--port', port, ...quiet],
        page: '/api/v1/invoices',
        deposits: '/api/v1/deposits',
      };
    },
  },
];

/** Returns the path of a command's script, which Node can run without a shell. */
function scriptOf(name, command) {
  // Some packages do not export their package.json, so this looks into the folders where npm installs packages.
  const paths = createRequire(import.meta.url).resolve.paths(name);
  for (const path of paths) {
    try {
      const file = join(path, name, 'package.json');
      const { bin } = JSON.parse(readFileSync(file, 'utf8'));
      return join(dirname(file), typeof bin === 'string' ? bin : bin[command]);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} is not installed; run npm --prefix test/bench ci`);
}
