// Projects that install the packed package with npm, as users do.
import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));

// The folder is not within `node_modules`, since Playwright and Jest find no tests there.
const folder = mkdtempSync(join(tmpdir(), 'billing-sim-users-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// By default, a signal ends the process without an `exit` event, which would leave the folder and simulators behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A user's environment: without the variables and the paths that npm and vitest set for this script, and our own. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST|BILLING|NODE_ENV|NODE_OPTIONS|INIT_CWD)/.test(name)),
);
env['PATH'] = env['PATH']
  ?.split(delimiter)
  .filter((path) => !path.endsWith(join('node_modules', '.bin')))
  .join(delimiter);

/** Runs a command until it exits. */
export function run(command, args, { cwd, env: extraEnv, timeout = 600_000 } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...env, ...extraEnv },
    encoding: 'utf8',
    timeout,
    maxBuffer: 100_000_000,
  });
  return { status, stdout, stderr: error ? `${stderr}${error.message}` : stderr };
}

/** Runs a command that must succeed. @returns its standard output */
export function succeed(command, args, options) {
  const { status, stdout, stderr } = run(command, args, options);
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** True if npm can fetch packages. Offline, tests that install packages are skipped. */
export function isNpmReachable() {
  return run('npm', ['view', 'vitest', 'version'], { timeout: 30_000 }).status === 0;
}

/** Packs the built package. @returns the path of the tarball */
export function pack() {
  const output = succeed('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root });
  return join(folder, JSON.parse(output)[0].filename);
}

/** Creates a project without dependencies. @param settings additional entries of its package.json */
export function emptyProject(name, settings = {}) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module', ...settings }));
  return project;
}

/** Installs packages as development dependencies. @returns what npm printed to standard error */
export function install(project, ...packages) {
  const args = ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', ...packages];
  const { status, stderr } = run('npm', args, { cwd: project });
  if (status !== 0) throw new Error(`npm install ${packages.join(' ')} exited with ${status}:\n${stderr}`);
  // These warnings are about the machine's npm settings, not about the package.
  return stderr.replace(/^npm warn Unknown (?:user|env|project) config.*\n/gm, '');
}

/** Counts a project's installed packages and the megabytes that they take on disk. */
export function sizeOf(project) {
  const modules = join(project, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(modules, name)))
    // Linux and macOS count blocks of 512 bytes.
    .reduce((sum, { blocks }) => sum + blocks * 512, 0);
  return { packages: Object.keys(packages).length, megabytes: bytes / 1_000_000 };
}

/** Clones the repository. @returns the path of the clone */
export function clone() {
  const copy = join(folder, `clone-${readdirSync(folder).length}`);
  succeed('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, copy]);
  return copy;
}

/** Starts a simulator, and resolves once it responds. */
export async function startSimulator(command, args, cwd) {
  const child = spawn(command, [...args, '--json', '--port', '0', '--memory'], {
    cwd,
    env,
    // npm does not pass signals on to its child processes, so the signal goes to the whole process group.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    try {
      process.kill(-child.pid);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  process.on('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const { url } = JSON.parse(line);
    const response = await fetch(`${url}/api/v1/invoices`, { headers: { Authorization: 'Bearer demo_full' } });
    if (response.status !== 200) throw new Error(`the first response has status ${response.status}`);
    return { url, stop };
  }
  throw new Error(`${command} did not start a simulator`);
}

/** Returns the code of an example program on a page of docs/, by its file name. */
export function exampleIn(page, file) {
  const fence = new RegExp(`^\`\`\`\\w+ ${file.replaceAll('.', '\\.')}\\n([\\s\\S]*?)^\`\`\``, 'm');
  const [, program] = fence.exec(readFileSync(join(root, 'docs', page), 'utf8')) ?? [];
  if (program === undefined) throw new Error(`docs/${page} has no ${file}`);
  return program;
}

/** Thrown by a test case that this machine cannot run; the message is the reason. */
class Skipped extends Error {}

/** @throws Skipped if this Node cannot run a version of vitest */
export function skipUnlessVitestRuns(version) {
  const major = Number.parseInt(process.versions.node, 10);
  if (version === '5' && (major < 22 || major === 23 || major === 25))
    throw new Skipped(`vitest ${version} does not support Node ${process.versions.node}`);
}

/**
 * Runs the test cases named on the command line, or all, prints their results, and ends the process.
 * @param command shown in the help
 * @param cases test functions by name: each gets the path of the tarball, throws if it fails, and may return a figure
 *   to print
 */
export async function runCases(command, cases) {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const names = Object.keys(cases);
  if (values.help) {
    console.log(`${command} -- [PART OF A NAME]…\n\n${names.join('\n')}`);
    process.exit();
  }
  const unknown = positionals.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(', ')}; see --help`);
  if (!isNpmReachable()) {
    console.log('skipped: npm cannot fetch packages; these tests install them');
    process.exit();
  }
  const tarball = pack();
  for (const [name, runCase] of Object.entries(cases)) {
    if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
    // Cases block the event loop, so signals are handled here.
    await nextTurn();
    try {
      const detail = await runCase(tarball);
      console.log(`passed  ${name}${detail === undefined ? '' : `: ${detail}`}`);
    } catch (error) {
      if (!(error instanceof Skipped)) process.exitCode = 1;
      console.log(`${error instanceof Skipped ? 'skipped' : 'failed '} ${name}: ${error.message}`);
    }
  }
  process.exit();
}
