import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInstalledSuite } from './contract/check-installed-suite.js';
import { localTargets, prose } from './docs/markdown.js';
import { clientOf } from './support/client.js';
import { demoCounts } from './support/counts.js';
import { killAfterTest } from './support/kill-after-test.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const workFolder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
let tarball = '';
/** A project that has installed the package, but none of its optional packages. */
let projectWithoutPeers = '';
/** The simulator of this project, which the tests share, and its address. */
let simulator: ChildProcessByStdio<null, Readable, null> | undefined;
let simulatorUrl = '';
beforeAll(async () => {
  tarball = await pack(workFolder);
  projectWithoutPeers = await install([]);
  simulator = spawn(commandIn(projectWithoutPeers), ['start', '--json', '--port', '0', '--memory'], {
    cwd: projectWithoutPeers,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  simulatorUrl = JSON.parse(await firstLine(simulator.stdout)).url;
});
afterAll(() => {
  simulator?.kill('SIGKILL');
  rmSync(workFolder, { recursive: true });
});

async function pack(folder: string): Promise<string> {
  // Without scripts, since a new build would replace the one that other tests are using.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename, files }] = JSON.parse(stdout);
  const names = files.map(({ path }: { path: string }) => path.split('/')[0]);
  expect([...new Set(names)].sort()).toEqual([
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'dist', 'docs', 'examples'],
    ...['fixtures', 'llms.txt', 'openapi', 'package.json', 'test'],
  ]);
  return join(folder, filename);
}

/**
 * Creates a project, and unpacks the tarball to where npm would install it. That takes a tenth of the time of an
 * installation with npm, which `npm run test:consumers` tests.
 * @param optional optional packages to install, too
 * @returns the folder of the project
 */
async function install(optional: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(workFolder, 'project-'));
  writeFileSync(join(folder, 'package.json'), '{"name": "integrator", "private": true, "type": "module"}');
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'billing-sim');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(installed);
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], { cwd: folder });
  const { dependencies = {}, bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), ...optional]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  if (optional.includes('vitest'))
    symlinkSync(join(root, 'node_modules/vitest/vitest.mjs'), join(modules, '.bin/vitest'));
  chmodSync(join(installed, bin['billing-sim']), 0o755);
  symlinkSync(join(installed, bin['billing-sim']), join(modules, '.bin/billing-sim'));
  return folder;
}

/** Returns the path of the installed command. */
const commandIn = (folder: string): string => join(folder, 'node_modules/.bin/billing-sim');

/** Waits for the first line that a process prints. @throws Error if it ends before that */
async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error('the process ended without output');
}

test('the package, installed into an empty folder, works as a command and as a library', async () => {
  const folder = projectWithoutPeers;
  const { data } = await clientOf(`${simulatorUrl}/api/v1`).GET('/invoices');
  expect(data?.data.total).toBe(demoCounts.invoices);
  for (const path of ['/docs/swagger-ui-bundle.js', '/dashboard/demo', '/assets/style.css', '/assets/htmx.min.js']) {
    expect((await fetch(simulatorUrl + path)).status, path).toBe(200);
  }
  const seedArguments = ['seed', '--data', join(folder, 'data'), '--invoices', '3'];
  await run(commandIn(folder), seedArguments, { cwd: folder });

  const program =
    "import { startSimulator } from 'billing-sim'; const s = await startSimulator(); console.log(s.account.id); await s.close();";
  const library = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(library.stdout).toBe('demo\n');
});

test('the contract suite runs from an installed package, with types', async () => {
  const folder = await install(['vitest']);
  await checkInstalledSuite(folder, `${simulatorUrl}/api/v1`);
});

test('the contract suite, the proxy and stateless responses need no other package', async () => {
  const folder = projectWithoutPeers;
  const headers = { Authorization: 'Bearer demo_full', Prefer: 'code=404' };
  expect((await fetch(`${simulatorUrl}/api/v1/invoices/1`, { headers })).status).toBe(404);

  const command = commandIn(folder);
  const target = ['--base-url', `${simulatorUrl}/api/v1`, '--token', 'demo_full', '--only', 'INV-STATS-02'];
  const { stdout } = await run(command, ['contract', ...target], { cwd: folder });
  expect(stdout).toContain('exit code 0');

  const proxyArguments = ['proxy', '--upstream', `${simulatorUrl}/api/v1`, '--port', '0', '--json'];
  const proxy = spawn(command, proxyArguments, { cwd: folder });
  killAfterTest(proxy);
  const { baseUrl } = JSON.parse(await firstLine(proxy.stdout));
  const response = await fetch(`${baseUrl}/invoices/1?unknown=1`, { headers: { Authorization: 'Bearer demo_full' } });
  expect(response.headers.get('x-sim-deviations')).toContain('notes=1');
});

test('contractSuite without vitest says how to run it', async () => {
  const program =
    "import { contractSuite } from 'billing-sim/contract'; try { contractSuite({ baseUrl: 'http://127.0.0.1:9/api/v1', token: 'demo_full' }); } catch (error) { console.log(error.message); }";
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: projectWithoutPeers });
  expect(stdout).toBe(
    'contractSuite needs a vitest run: start it with npx vitest run, or pass clauses() to another runner\n',
  );
});

test('peer dependencies are optional', () => {
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
  expect(Object.values(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies).map(() => ({ optional: true })));
});

/** Functions whose result types are inferred. Declarations must name these types, so the package must export them. */
const helpersText = `import type { Deposit, ServiceRecord, SimulatorAccount, Webhook, WebhookPayload } from 'billing-sim';
import type { ClauseReport } from 'billing-sim/contract';
export const createCustomer = ({ customers }: SimulatorAccount) => customers.create({ name: 'Ada', email: 'a@b.example' });
export const triggerExpiry = (account: SimulatorAccount) => account.trigger('deposit.expired');
export const exportSnapshot = ({ snapshots }: SimulatorAccount) => snapshots.export('start');
export const paymentInput = ({ paymentLinks }: SimulatorAccount, ...[, input]: Parameters<typeof paymentLinks.pay>) => input;
export const lastAttempt = ({ attempts }: Webhook) => attempts.at(-1);
export const evidence = (clause: ClauseReport) => [clause.evidence, clause.deliveries] as const;
export const asDeposit = (record: ServiceRecord) => record as Deposit;
export const asPayload = ({ payload }: Webhook) => payload as WebhookPayload;
`;

test('types of internal modules are not part of the package, and public types need only peer dependencies', async () => {
  const installed = join(projectWithoutPeers, 'node_modules/billing-sim');
  const types = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.[cm]?ts$/.test(name),
  );
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const entries = Object.values<{ types?: string } | string>(exports).flatMap((entry) =>
    typeof entry === 'object' && entry.types !== undefined ? [entry.types.replace('./', '')] : [],
  );
  expect(entries.filter((entry) => !types.includes(entry))).toEqual([]);
  // Types are bundled: only a few files are shared by entry points.
  expect(types.length).toBeLessThan(2 * entries.length);
  const imports = types.flatMap((name) =>
    [...readFileSync(join(installed, name), 'utf8').matchAll(/^(?:import|export) .*from ['"]([^'"]+)['"]/gm)].map(
      ([, source = '']) => source,
    ),
  );
  expect(imports.filter((source) => !/^(?:\.|node:)/.test(source) && !(source in peerDependencies))).toEqual([]);
});

test('functions of users that return what the library returns compile to declarations, also with TypeScript 7', async () => {
  const folder = await install(['@types/node']);
  writeFileSync(join(folder, 'helpers.ts'), helpersText);
  const options =
    '--strict --exactOptionalPropertyTypes --declaration --module nodenext --target es2023 --outDir build';
  const args = [join(root, 'node_modules/typescript-7/bin/tsc'), ...options.split(' '), 'helpers.ts'];
  const compilation = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
  expect(compilation.stdout).toBe('');
});

test('the built command is executable', () => {
  // npm sets the permission when it links the command, but each build writes a new file, which loses it.
  expect(() => accessSync(join(root, 'dist/cli.js'), constants.X_OK)).not.toThrow();
});

test('the links of the documentation in the package lead to its files, unless their paragraph mentions the repository', () => {
  const installed = join(projectWithoutPeers, 'node_modules/billing-sim');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name === 'llms.txt' || name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(50);
  const brokenLinks = pages.flatMap((page) => {
    const paragraphs = prose(readFileSync(join(installed, page), 'utf8')).split(/\n{2,}/);
    return (
      paragraphs
        .filter((paragraph) => !paragraph.includes('repository'))
        .flatMap(localTargets)
        // Pictures are not in the package, as docs/README.md says.
        .filter((target) => !target.endsWith('.png'))
        .filter((target) => !existsSync(join(installed, dirname(page), target.split('#')[0] ?? '')))
        .map((target) => `${page}: ${target}`)
    );
  });
  expect(brokenLinks).toEqual([]);
});

test.each(['fixtures/webhooks/deposit.created.json', 'openapi/config.schema.json'])(
  '%s can be imported',
  async (file) => {
    const program = `import { createRequire } from 'node:module'; createRequire(import.meta.url)('billing-sim/${file}');`;
    const args = ['--input-type=module', '-e', program];
    await expect(run(process.execPath, args, { cwd: projectWithoutPeers })).resolves.toMatchObject({ stderr: '' });
  },
);

test('the package has no source maps and its bundles refer to none, so stack frames name files of the package', () => {
  const installed = join(projectWithoutPeers, 'node_modules/billing-sim');
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const bundles = files.filter((name) => /\.c?js$/.test(name));
  expect(bundles).toContain('cli.js');
  const refersToMap = (name: string): boolean =>
    readFileSync(join(installed, 'dist', name), 'utf8').includes('\n//# sourceMappingURL=');
  expect(bundles.filter(refersToMap)).toEqual([]);
});

test('a clone can be installed without the development dependencies, and the command then says how to build it', async () => {
  const clone = mkdtempSync(join(workFolder, 'clone-'));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, script = ''] = /^node (.+)$/.exec(scripts.postprepare) ?? [];
  mkdirSync(dirname(join(clone, script)));
  cpSync(join(root, script), join(clone, script));
  await run(process.execPath, [script], { cwd: clone });
  await expect(run(process.execPath, ['dist/cli.js', 'start'], { cwd: clone })).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: billing-sim is not built, .+; run npm ci, .+\n$/),
  });
});

/** The tarball, for the tools with which publishers check their packages. */
const tarballBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(tarball));

test('publint finds no problems', async () => {
  const { messages } = await publint({ pack: { tarball: tarballBytes().buffer }, strict: true });
  expect(messages).toEqual([]);
});

test('the types of every entry point resolve for ES modules and bundlers', async () => {
  const result = await checkPackage(createPackageFromTarballData(tarballBytes()));
  // False means that the package has no types.
  expect(result.types).not.toBe(false);
  // The package has only ES modules, which Node 20.19 and newer load with `require()`, too. The checker still reports
  // them as problems for CommonJS, because its TypeScript 5.6 does not know that.
  const problems = 'problems' in result ? result.problems : [];
  const problemsOfEsModules = problems.filter(
    (problem) => !('resolutionKind' in problem) || !/^node(?:10|16-cjs)$/.test(problem.resolutionKind),
  );
  expect(problemsOfEsModules).toEqual([]);
});
