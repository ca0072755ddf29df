import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { fencedBlocks } from './docs/markdown.js';
import { tempFolder } from './support/temp-folder.js';

/** Tests action.yml. Its steps are run as GitHub's runner would run them. */

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
type Context = Map<string, string>;

function evaluate(text: string, context: Context): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => {
    const value = context.get(name);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  });
}

interface ActionRun {
  readonly code: number;
  readonly printed: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const jobEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BILLING_')));

/** Runs the action in a folder with these files, and with the environment of a job. Stops the simulator after the test. */
async function runAction(
  inputs: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const folder = tempFolder();
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const context: Context = new Map([['github.action_path', root]]);
  for (const [name, input] of Object.entries(action.inputs))
    context.set(`inputs.${name}`, inputs[name] ?? input.default);
  let printed = '';
  for (const step of action.runs.steps) {
    const outputFile = join(temp, `${step.id}.output`);
    const scriptFile = join(temp, `${step.id}.sh`);
    writeFileSync(outputFile, '');
    writeFileSync(scriptFile, step.run);
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, evaluate(value, context)]));
    const result = await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', scriptFile], {
      cwd: folder,
      env: { ...jobEnv, RUNNER_TEMP: temp, GITHUB_OUTPUT: outputFile, ...env },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
    );
    printed += result.stdout;
    for (const line of readFileSync(outputFile, 'utf8').split('\n')) {
      const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) context.set(`steps.${step.id}.outputs.${name}`, value);
    }
    const pid = context.get('steps.start.outputs.pid');
    if (pid !== undefined) onTestFinished(() => void process.kill(Number(pid)));
    if (result.code !== 0) return { code: result.code, printed, outputs: {} };
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, context)]);
  return { code: 0, printed, outputs: Object.fromEntries(outputs) };
}

const authorized = (token = ''): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

test('the action starts a simulator, and outputs its addresses and secrets', async () => {
  const { code, printed, outputs } = await runAction({ port: '0' });
  expect(code, printed).toBe(0);
  const { url, 'base-url': baseUrl, 'control-url': controlUrl, token, 'webhook-secret': secret, log = '' } = outputs;
  expect(printed).toBe(`billing-sim is listening on ${url}\n`);
  const stats = await fetch(`${baseUrl}/invoices/stats`, authorized(token));
  expect(stats.status).toBe(200);
  const settings = await fetch(`${controlUrl}/accounts/demo/settings`);
  expect(await settings.json()).toMatchObject({ webhook_secret: secret });
  expect(existsSync(log)).toBe(true);
});

test('the action passes the profile, the control token and further options on to the simulator', async () => {
  const inputs = {
    port: '0',
    profile: 'profile.yaml',
    'control-token': 'control-secret',
    options: '--now 2026-03-01T09:00:00Z --seed empty',
  };
  const { code, printed, outputs } = await runAction(inputs, { 'profile.yaml': 'list.order: oldest-first\n' });
  expect(code, printed).toBe(0);
  const account = `${outputs['control-url']}/accounts/demo`;
  expect((await fetch(`${account}/settings`)).status).toBe(401);
  const settings = await fetch(`${account}/settings`, authorized('control-secret'));
  expect(await settings.json()).toMatchObject({ profile: { 'list.order': 'oldest-first' } });
  const clock = await fetch(`${account}/clock`, authorized('control-secret'));
  expect(await clock.json()).toMatchObject({ now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
});

test('the action keeps the data in the given folder', async () => {
  const data = join(tempFolder(), 'data');
  const { code, printed } = await runAction({ port: '0', data });
  expect(code, printed).toBe(0);
  expect(existsSync(data)).toBe(true);
});

test('the action installs the given version', async () => {
  const folder = tempFolder();
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', pack, { cwd: root });
  const [{ filename }] = JSON.parse(stdout);
  const { code, printed, outputs } = await runAction({ port: '0', version: join(folder, filename) });
  expect(code, printed).toBe(0);
  expect((await fetch(`${outputs['url']}/_sim/health`)).status).toBe(200);
});

test('the action prints the error of a simulator that does not start, and fails', async () => {
  const { code, printed } = await runAction({ port: '0', profile: 'missing.yaml' });
  expect(code).toBe(1);
  expect(printed).toContain('missing.yaml');
  expect(printed).toContain('::error title=billing-sim::The simulator ended before it was ready');
});

test('the action fails if the simulator is not ready in time', async () => {
  const { code, printed } = await runAction({ port: '0', 'wait-timeout': '0' });
  expect(code).toBe(1);
  expect(printed).toContain('::error title=billing-sim::The simulator was not ready after 0 seconds');
});

test('every input of the action is used by a step', () => {
  const used = JSON.stringify(action.runs.steps);
  expect(Object.keys(action.inputs).filter((name) => !used.includes(`\${{ inputs.${name} }}`))).toEqual([]);
});

test('scripts of the action contain no expressions: values reach them as environment variables', () => {
  // An expression in a script would let an input run commands.
  expect(action.runs.steps.filter(({ run }) => run.includes('${{')).map(({ id }) => id)).toEqual([]);
});

/** Steps that use the action, in a workflow or in the workflows that a page shows. */
function usesOf(file: string): { readonly id?: string; readonly with?: object; readonly text: string }[] {
  const text = readFileSync(join(root, file), 'utf8');
  const documents = file.endsWith('.md')
    ? fencedBlocks(text)
        .filter(({ language }) => language === 'yaml')
        .map((block) => block.text)
    : [text];
  return documents.flatMap((document) => {
    const { jobs = {} }: { jobs?: Record<string, { steps?: { uses?: string; id?: string; with?: object }[] }> } =
      parse(document);
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    return steps
      .filter(({ uses }) => uses === './' || uses?.includes('/billing-sim@'))
      .map((step) => ({ ...step, text: document }));
  });
}

test.each(['docs/ci.md', '.github/workflows/ci.yml'])('%s uses inputs and outputs that exist', (file) => {
  const uses = usesOf(file);
  expect(uses.length).toBeGreaterThan(0);
  for (const { id, with: inputs = {}, text } of uses) {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    const outputs = [...text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)].filter(([, step]) => step === id);
    expect(outputs.length).toBeGreaterThan(0);
    expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(outputs.map(([, , output]) => output)));
  }
});
