import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { checkInstalledSuite } from './contract/installed.js';
import { clientOf } from './support/client.js';
import { isFull } from './support/sample.js';
import { tempFolder } from './support/temp-folder.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs a packed package as its users do. */
async function install(folder: string, filename: string): Promise<void> {
  const { stderr } = await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
  });
  expect(stderr).not.toMatch(/EBADENGINE/);
}

/** Puts a packed package where npm would, beside links to its dependencies and to nothing else, in a tenth of the time. */
async function unpack(folder: string, filename: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'billing-sim');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(installed);
  await run('tar', ['-xzf', filename, '-C', installed, '--strip-components=1'], { cwd: folder });
  const { dependencies, bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(root, 'node_modules/vitest/vitest.mjs'), join(modules, '.bin/vitest'));
  chmodSync(join(installed, bin['billing-sim']), 0o755);
  symlinkSync(join(installed, bin['billing-sim']), join(modules, '.bin/billing-sim'));
}

test('the package, installed into an empty folder, starts, and is a library with types', async () => {
  const folder = tempFolder();
  // Without scripts: the build is there, and other tests run it meanwhile.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename, files }] = JSON.parse(stdout);
  const names = files.map(({ path }: { path: string }) => path.split('/')[0]);
  expect([...new Set(names)].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'fixtures', 'openapi', 'package.json']);

  writeFileSync(join(folder, 'package.json'), '{"name": "integrator", "private": true, "type": "module"}');
  if (isFull) await install(folder, filename);
  else await unpack(folder, filename);

  const child = spawn(join(folder, 'node_modules/.bin/billing-sim'), ['start', '--json', '--port', '0', '--memory'], {
    cwd: folder,
  });
  onTestFinished(() => void child.kill());
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = JSON.parse(line).url;
    break;
  }
  const { data } = await clientOf(`${url}/api/v1`).GET('/invoices');
  expect(data?.data.total).toBe(9);
  for (const path of ['/docs/swagger-ui-bundle.js', '/dashboard/demo', '/assets/style.css', '/assets/htmx.min.js']) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }

  await checkInstalledSuite(folder, `${url}/api/v1`);

  const program =
    "import { startSimulator } from 'billing-sim'; const s = await startSimulator(); console.log(s.account.id); await s.close();";
  const library = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(library.stdout).toBe('demo\n');
  const installed = join(folder, 'node_modules/billing-sim');
  const { types } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const [, entry = ''] = /from '(.+)\.js'/.exec(readFileSync(join(installed, types), 'utf8')) ?? [];
  expect(readFileSync(join(installed, dirname(types), `${entry}.d.ts`), 'utf8')).toContain('startSimulator');
});
