import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../../src/generated/version.js';

/** The bundle from which the single executable is made; `npm run test:executable` builds and starts the executable. */

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'billing-sim-bundle-'));
const preload = join(folder, 'assets.cjs');
let main = '';
let execArgv: readonly string[] = [];
let simulator: ChildProcessByStdio<null, Readable, null> | undefined;
let url = '';
let assets: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  await run(process.execPath, ['scripts/bundle-executable.mjs', folder], { cwd: root });
  ({ main, assets, execArgv } = JSON.parse(readFileSync(join(folder, 'sea-config.json'), 'utf8')));
  writeFileSync(preload, assetsFromDisk);
  url = await start();
});
afterAll(() => {
  simulator?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Preload script that makes `node:sea` read the assets from disk, by the names that they have in the executable. */
const assetsFromDisk = `
const { assets } = require('./sea-config.json');
require('node:sea').getAsset = (key) => {
  if (Object.hasOwn(assets, key)) return new Uint8Array(require('node:fs').readFileSync(assets[key])).buffer;
  throw Object.assign(new Error(key), { code: 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND' });
};`;

/** Starts the bundle with a seed file that a configuration file names. @returns its address */
async function start(): Promise<string> {
  const settings = { memory: true, port: 0, json: true, seed: join(root, 'fixtures/accounts/demo.json') };
  const program = `export default await { start: ${JSON.stringify(settings)} };`;
  writeFileSync(join(folder, 'billing-sim.config.mjs'), program);
  simulator = spawn(process.execPath, [...execArgv, '--require', preload, main, 'start'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: simulator.stdout })) return JSON.parse(line).url;
  throw new Error('the simulator did not start');
}

test('the bundle imports only built-in modules of Node', () => {
  const text = readFileSync(main, 'utf8');
  const required = [...text.matchAll(/^\s*(?:let|const|var) \S+ = (?:__toESM\()?require\("([^"]+)"\)/gm)].map(
    ([, name = '']) => name,
  );
  expect(required).toContain('node:http');
  expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
});

async function request(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, { headers });
  return { status: response.status, text: await response.text() };
}

test.each([
  ['/dashboard/demo', '/assets/style.css'],
  ['/docs', '/docs/swagger-ui-bundle.js'],
  ['/docs/control', '/docs/start-control.js'],
])('the bundle serves %s, and every file that this page loads', async (page, example) => {
  const { text } = await request(page);
  const paths = [...text.matchAll(/(?:src|href)="(\/(?:assets|docs)\/[^"]+\.[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths).toContain(example);
  for (const path of paths) expect((await request(path)).status, path).toBe(200);
});

test('the bundle reports its version', async () => {
  expect(JSON.parse((await request('/_sim/health')).text)).toMatchObject({ version });
});

test('the bundle responds with 404 for a file that the package does not have', async () => {
  expect((await request('/assets/nothing.css')).status).toBe(404);
});

test('the bundle responds to a Prefer header with prism-http', async () => {
  const readUnknownDeposit = (prefer: Record<string, string>) =>
    request('/api/v1/deposits/999', { Authorization: 'Bearer demo_full', ...prefer });
  expect((await readUnknownDeposit({})).status).toBe(404);
  expect((await readUnknownDeposit({ Prefer: 'code=200' })).status).toBe(200);
});

test('the bundle contains every file of the package that the sources read', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('executable'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'));
  const readPaths = sources.flatMap((text) =>
    [...text.matchAll(/(?:readSchema|readPackageFile|servePackageFolder)\('([^']+)'\)/g)].map(([, path = '']) => path),
  );
  expect(readPaths).toContain('dist/assets');
  const assetNames = Object.keys(assets);
  expect(readPaths.filter((path) => !assetNames.some((name) => name === path || name.startsWith(`${path}/`)))).toEqual(
    [],
  );
});
