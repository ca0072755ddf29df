import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { fencedBlocks } from './docs/markdown.js';
import { hangTimeoutMs } from './support/hang-timeout.js';
import { isFullRun } from './support/sample.js';
import { tempFolder } from './support/temp-folder.js';

/** Tests of action.yml, whose steps are run as GitHub's runner would run them, and of the shell script in docs/ci.md. */

interface Step {
  readonly id: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/** Values by the names that expressions use: `inputs.port`, `steps.start.outputs.url`. */
type ExpressionValues = Map<string, string>;

/** Replaces the expressions in a text, such as `${{ inputs.port }}`, with their values. */
function evaluate(text: string, values: ExpressionValues): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_expression, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  });
}

interface ActionRun {
  readonly code: number;
  readonly stdout: string;
  /** The runner's folder for temporary files. */
  readonly runnerTemp: string;
  /** Folders that the action has added to the `PATH` of later steps. */
  readonly addedPaths: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** Environment of a job, without the BILLING_ variables of this process, which would configure the simulator. */
const jobEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BILLING_')));

interface Job {
  /** Files in the folder of the job. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables in the environment of the job. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the action; by default this repository. */
  readonly actionFolder?: string;
  /** Folder of the job; by default a new one. */
  readonly folder?: string;
}

/** Runs the action in a job. Stops the simulator after the test. */
async function runAction(
  inputs: Readonly<Record<string, string>> = {},
  { files = {}, env: jobVariables = {}, actionFolder = root, folder = tempFolder() }: Job = {},
): Promise<ActionRun> {
  const runnerTemp = join(folder, 'temp');
  mkdirSync(runnerTemp);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const values: ExpressionValues = new Map([['github.action_path', actionFolder]]);
  for (const [name, input] of Object.entries(action.inputs))
    values.set(`inputs.${name}`, inputs[name] ?? input.default);
  let stdout = '';
  const pathFile = join(runnerTemp, 'path');
  writeFileSync(pathFile, '');
  for (const step of action.runs.steps) {
    const outputFile = join(runnerTemp, `${step.id}.output`);
    const scriptFile = join(runnerTemp, `${step.id}.sh`);
    writeFileSync(outputFile, '');
    writeFileSync(scriptFile, step.run);
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, evaluate(value, values)]));
    const result = await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', scriptFile], {
      cwd: folder,
      env: {
        ...jobEnv,
        ...jobVariables,
        RUNNER_TEMP: runnerTemp,
        GITHUB_OUTPUT: outputFile,
        GITHUB_PATH: pathFile,
        ...env,
      },
    }).then(
      (output) => ({ code: 0, stdout: output.stdout }),
      (failure: { readonly code: number; readonly stdout: string }) => failure,
    );
    stdout += result.stdout;
    for (const line of readFileSync(outputFile, 'utf8').split('\n')) {
      const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) values.set(`steps.${step.id}.outputs.${name}`, value);
    }
    const pid = step.id === 'start' ? values.get('steps.start.outputs.pid') : undefined;
    if (pid !== undefined) onTestFinished(() => void process.kill(Number(pid)));
    if (result.code !== 0) return { code: result.code, stdout, runnerTemp, addedPaths: [], outputs: {} };
  }
  const addedPaths = readFileSync(pathFile, 'utf8').trim().split('\n');
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, values)]);
  return { code: 0, stdout, runnerTemp, addedPaths, outputs: Object.fromEntries(outputs) };
}

/** Writes a package with the name of billing-sim, and with the given code in place of its command. */
function writeFakePackage(folder: string, command: string): void {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"billing-sim","version":"1.0.0","type":"module"}');
  writeFileSync(join(folder, 'dist/cli.js'), command);
}

const withToken = (token = ''): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

test('the action starts a simulator, outputs its addresses and secrets, and lets later steps run its command', async () => {
  const { code, stdout, outputs, addedPaths } = await runAction({ port: '0' });
  expect(code, stdout).toBe(0);
  const { url, 'base-url': baseUrl, 'control-url': controlUrl, token, 'webhook-secret': secret, log = '' } = outputs;
  expect(stdout).toBe(`billing-sim is listening on ${url}\n`);
  const stats = await fetch(`${baseUrl}/invoices/stats`, withToken(token));
  expect(stats.status).toBe(200);
  const settings = await fetch(`${controlUrl}/accounts/demo/settings`);
  expect(await settings.json()).toMatchObject({ webhook_secret: secret });
  expect(existsSync(log)).toBe(true);
  const env = { ...jobEnv, PATH: [...addedPaths, process.env['PATH']].join(delimiter), BILLING_SIM_URL: url };
  const show = promisify(execFile)('bash', ['-c', 'billing-sim deposit show 1 --json'], { env });
  expect(JSON.parse((await show).stdout)).toMatchObject({ booking_reference: 'BK-1001' });
});

test('the action passes the profile, the control token and further options, also on several lines, on to the simulator', async () => {
  const inputs = {
    port: '0',
    profile: 'profile.yaml',
    'control-token': 'control-secret',
    options: '--now 2026-03-01T09:00:00Z --rate-limit off\n--seed empty\n',
  };
  const { code, stdout, outputs } = await runAction(inputs, {
    files: { 'profile.yaml': 'list.order: oldest-first\n' },
  });
  expect(code, stdout).toBe(0);
  const account = `${outputs['control-url']}/accounts/demo`;
  expect((await fetch(`${account}/settings`)).status).toBe(401);
  const settings = await fetch(`${account}/settings`, withToken('control-secret'));
  expect(await settings.json()).toMatchObject({ profile: { 'list.order': 'oldest-first' } });
  const clock = await fetch(`${account}/clock`, withToken('control-secret'));
  expect(await clock.json()).toMatchObject({ now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
  const response = await fetch(`${outputs['base-url']}/invoices/stats`, withToken(outputs['token']));
  expect(await response.json()).toMatchObject({ data: { total_invoices: 0 } });
});

test('the action stores the data in the given folder, and reaches the simulator on a runner with a proxy', async () => {
  const data = join(tempFolder(), 'data');
  // A simulator that is stopping still writes to its folder. The folder can be removed once the lock is gone.
  onTestFinished(() => expect.poll(() => existsSync(join(data, 'lock'))).toBe(false));
  // Nothing listens on port 9, so a request through this proxy would fail.
  const env = { http_proxy: 'http://127.0.0.1:9', no_proxy: '', NO_PROXY: '' };
  const { code, stdout } = await runAction({ port: '0', data, 'wait-timeout': '20' }, { env });
  expect(code, stdout).toBe(0);
  expect(existsSync(data)).toBe(true);
});

test('the action installs the given version', async ({ skip }) => {
  skip(!isFullRun, 'npm installs the packed package: `npm run test:full` runs it');
  const folder = tempFolder();
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = await promisify(execFile)('npm', pack, { cwd: root });
  const [{ filename }] = JSON.parse(packed.stdout);
  const run = await runAction({ port: '0', version: join(folder, filename) });
  expect(run.code, run.stdout).toBe(0);
  expect(existsSync(join(run.runnerTemp, 'billing-sim/node_modules/billing-sim/dist/cli.js'))).toBe(true);
  expect((await fetch(`${run.outputs['url']}/_sim/health`)).status).toBe(200);
});

test.each(['vendor/billing-sim', '2026/billing-sim.tgz'])(
  'the action installs the package at the relative path %s',
  async (path) => {
    const job = tempFolder();
    // In a file that npm has packed, the folder of the package has this name.
    const folder = path.endsWith('.tgz') ? join(tempFolder(), 'package') : join(job, path);
    writeFakePackage(folder, `await import(${JSON.stringify(pathToFileURL(join(root, 'dist/cli.js')).href)});`);
    if (path.endsWith('.tgz')) {
      mkdirSync(dirname(join(job, path)));
      await promisify(execFile)('tar', ['-czf', join(job, path), '-C', dirname(folder), 'package']);
    }
    const run = await runAction({ port: '0', version: path }, { folder: job });
    expect(run.code, run.stdout).toBe(0);
    expect((await fetch(`${run.outputs['url']}/_sim/health`)).status).toBe(200);
  },
);

test.each(['vendor/billing-sim', 'billing-sim.tgz'])(
  'the action rejects the path %s, which does not exist, instead of installing a GitHub repository of that name',
  async (path) => {
    const { code, stdout } = await runAction({ version: path });
    expect(code).toBe(1);
    expect(stdout).toBe(`::error title=billing-sim::version is the path '${path}', which does not exist\n`);
  },
);

test('the action builds itself with the development dependencies even if the job sets NODE_ENV=production', async ({
  skip,
}) => {
  skip(!isFullRun, 'npm installs a package: `npm run test:full` runs it');
  const actionFolder = tempFolder();
  const build = "fs.mkdirSync('dist'); fs.copyFileSync(require.resolve('tool'), 'dist/cli.js')";
  const project = { name: 'action', version: '1.0.0', devDependencies: { tool: 'file:tool' } };
  const tool = { name: 'tool', version: '1.0.0', main: 'tool.js' };
  const lockedPackages = {
    '': project,
    'node_modules/tool': { resolved: 'tool', link: true, dev: true },
    tool: { version: tool.version, dev: true },
  };
  const files = {
    'package.json': { ...project, scripts: { prepare: `node -e "${build}"` } },
    'package-lock.json': { ...project, lockfileVersion: 3, packages: lockedPackages },
    'tool/package.json': tool,
    'tool/tool.js': 0,
  };
  mkdirSync(join(actionFolder, 'tool'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(actionFolder, name), JSON.stringify(content));
  const { stdout } = await runAction({ port: '0' }, { env: { NODE_ENV: 'production' }, actionFolder });
  expect(existsSync(join(actionFolder, 'dist/cli.js')), stdout).toBe(true);
});

test('the action prints the error of a simulator that does not start, and fails', async () => {
  const { code, stdout } = await runAction({ port: '0', profile: 'missing.yaml' });
  expect(code).toBe(1);
  expect(stdout).toContain('missing.yaml');
  expect(stdout).toContain('::error title=billing-sim::The simulator ended before it was ready');
});

test('the action fails if the simulator is not ready in time', async () => {
  const { code, stdout } = await runAction({ port: '0', 'wait-timeout': '0' });
  expect(code).toBe(1);
  expect(stdout).toContain('::error title=billing-sim::The simulator was not ready after 0 seconds');
});

test('the action fails if the simulator listens but does not respond', async () => {
  const folder = tempFolder();
  const start = `const server = net.createServer().listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port })));`;
  writeFakePackage(folder, `import net from 'node:net';\n${start}`);
  const { code, stdout } = await runAction({ port: '0', version: folder, 'wait-timeout': '3' });
  expect(code).toBe(1);
  expect(stdout).toContain('::error title=billing-sim::The simulator was not ready after 3 seconds');
});

test('the action refuses a timeout that is not a whole number of seconds', async () => {
  const { code, stdout } = await runAction({ port: '0', 'wait-timeout': '1m' });
  expect(code).toBe(1);
  expect(stdout).toBe("::error title=billing-sim::wait-timeout must be a whole number of seconds, not '1m'\n");
});

test('every input of the action is used by a step', () => {
  const steps = JSON.stringify(action.runs.steps);
  expect(Object.keys(action.inputs).filter((name) => !steps.includes(`\${{ inputs.${name} }}`))).toEqual([]);
});

test('scripts of the action contain no expressions: values reach them as environment variables', () => {
  // An expression in a script would let an input run commands.
  expect(action.runs.steps.filter(({ run }) => run.includes('${{')).map(({ id }) => id)).toEqual([]);
});

interface UsingStep {
  readonly id?: string;
  readonly with?: object;
  /** The workflow that contains the step. */
  readonly workflow: string;
}

/** Lists the steps that use the action, in a workflow or in the workflows that a page shows. */
function stepsUsingAction(file: string): UsingStep[] {
  const text = readFileSync(join(root, file), 'utf8');
  const workflows = file.endsWith('.md')
    ? fencedBlocks(text)
        .filter(({ language }) => language === 'yaml')
        .map((block) => block.text)
    : [text];
  return workflows.flatMap((workflow) => {
    const { jobs = {} }: { jobs?: Record<string, { steps?: { uses?: string; id?: string; with?: object }[] }> } =
      parse(workflow);
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    return steps
      .filter(({ uses }) => uses === './' || uses?.includes('/billing-sim@'))
      .map((step) => ({ ...step, workflow }));
  });
}

test.each(['docs/ci.md', '.github/workflows/ci.yml'])('%s uses inputs and outputs that exist', (file) => {
  const steps = stepsUsingAction(file);
  expect(steps).not.toEqual([]);
  for (const { id, with: inputs = {}, workflow } of steps) {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    const outputs = [...workflow.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)].filter(([, step]) => step === id);
    expect(outputs).not.toEqual([]);
    expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(outputs.map(([, , output]) => output)));
  }
});

/** Runs the shell script in docs/ci.md in a folder whose `billing-sim` executes the given shell command. */
async function runShellExample(command: string, files: Readonly<Record<string, string>> = {}) {
  const script = fencedBlocks(readFileSync(join(root, 'docs/ci.md'), 'utf8')).find(({ language }) => language === 'sh');
  const folder = tempFolder();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.bin/billing-sim'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return promisify(execFile)('sh', ['-ec', `${script?.text}`], { cwd: folder, env: jobEnv, timeout: hangTimeoutMs });
}

const startCommand = `exec '${process.execPath}' '${join(root, 'dist/cli.js')}' "$@"`;

test('the shell script in docs/ci.md ignores the addresses of an earlier job in the same folder', async () => {
  const earlier = { baseUrl: 'http://127.0.0.1:9/api/v1', tokens: { full: 'demo_full' } };
  await runShellExample(`sleep 0.2; ${startCommand}`, { 'ready.json': JSON.stringify(earlier) });
});

test('the shell script in docs/ci.md fails if the simulator does not start', async () => {
  await expect(runShellExample('echo "port in use" >&2; exit 2')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('port in use'),
  });
});
