import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSimulator } from '../../../src/index.js';
import { collectAccountName } from '../../../src/library/created-accounts.js';
import BillingEnvironment from '../../../src/library/test-frameworks/jest.js';
import { tempFolder } from '../../support/temp-folder.js';

/** The environment of `billing-sim/jest`. `npm run test:frameworks` runs it with Jest. */

/** Creates a project with a package in place of Jest's node environment, whose globals are those of this process. */
function createProject(
  exported = 'class { global = globalThis; events = []; handleTestEvent({ name }) { this.events.push(name); } }',
) {
  const rootDir = tempFolder();
  const folder = join(rootDir, 'node_modules', 'jest-environment-node');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), `exports.TestEnvironment = ${exported};`);
  return rootDir;
}

/** Creates the environment of a test file as Jest does. */
function createEnvironment(rootDir: string, testEnvironmentOptions: object = { traceFolder: false }) {
  const config = { projectConfig: { rootDir, testEnvironmentOptions } };
  const context = { testPath: join(rootDir, 'deposit.test.js') };
  onTestFinished(() => void Reflect.deleteProperty(globalThis, collectAccountName));
  return Reflect.construct(BillingEnvironment, [config, context]);
}

/** Collects the texts that are printed. */
function watchOutput(): string[] {
  const printed: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(text));
  onTestFinished(() => spy.mockRestore());
  return printed;
}

async function startForTest() {
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
  onTestFinished(() => simulator.close());
  return simulator;
}

const failingTest = { name: 'fails', parent: { name: 'a deposit', parent: { name: 'ROOT_DESCRIBE_BLOCK' } } };
const failure = { name: 'test_fn_failure', test: failingTest };

test('the failure of a test prints the logs of the accounts that exist, in the order of their creation', async () => {
  const printed = watchOutput();
  const environment = createEnvironment(createProject());
  const simulator = await startForTest();
  await simulator.createAccount({ id: 'first' });
  const removed = await simulator.createAccount({ id: 'removed' });
  const second = await simulator.createAccount({ id: 'second' });
  await removed.remove();
  await fetch(`${second.baseUrl}/deposits`, { headers: { Authorization: `Bearer ${second.tokens.full}` } });
  await environment.handleTestEvent(failure, {});
  expect(printed).toEqual([
    'billing-sim: account first, clock frozen at 2026-03-01 09:00:00 UTC\nNo requests.\nNo webhooks.',
    'billing-sim: account second, clock frozen at 2026-03-01 09:00:00 UTC\n1 request:\n  200 GET /api/v1/deposits\nNo webhooks.',
  ]);
});

test('the trace is named after the file, the blocks and the test', async () => {
  const printed = watchOutput();
  const traceFolder = join(tempFolder(), 'traces');
  const environment = createEnvironment(createProject(), { traceFolder });
  await (await startForTest()).createAccount();
  await environment.handleTestEvent(failure, {});
  const [file = '', ...others] = readdirSync(traceFolder);
  expect([file, others]).toEqual([expect.stringMatching(/^deposit-test-js-a-deposit-fails-[0-9a-f]{8}\.html$/), []]);
  expect(printed.join('\n')).toContain(`\nbilling-sim: trace saved to ${join(traceFolder, file)}`);
});

test.each([
  ['a test that passes', { name: 'test_fn_success', test: failingTest }],
  ['a hook that fails after all tests', { name: 'hook_failure', hook: { type: 'afterAll' } }],
  ['a hook that fails after a test', { name: 'hook_failure', hook: { type: 'afterEach' }, test: failingTest }],
  ['the end of a test', { name: 'test_done', test: failingTest }],
])('%s prints nothing', async (_case, event) => {
  const printed = watchOutput();
  const environment = createEnvironment(createProject());
  await (await startForTest()).createAccount();
  await environment.handleTestEvent(event, {});
  expect(printed).toEqual([]);
});

test.each(['beforeAll', 'beforeEach'])('a failure of a %s hook prints the log, too', async (type) => {
  const printed = watchOutput();
  const environment = createEnvironment(createProject());
  await (await startForTest()).createAccount({ id: 'hooked' });
  await environment.handleTestEvent({ name: 'hook_failure', hook: { type } }, {});
  expect(printed).toEqual([expect.stringContaining('billing-sim: account hooked')]);
});

test('accounts are collected although globals do not count as enumerable in a context of Jest', async () => {
  const ids: string[] = [];
  const value = ({ id }: { readonly id: string }): void => void ids.push(id);
  Object.defineProperty(globalThis, collectAccountName, { value, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, collectAccountName));
  await (await startForTest()).createAccount({ id: 'collected' });
  expect(ids).toEqual(['collected']);
});

test('an account whose simulator has been closed is not in a log', async () => {
  const printed = watchOutput();
  const environment = createEnvironment(createProject());
  const simulator = await startForTest();
  await simulator.createAccount();
  await simulator.close();
  await environment.handleTestEvent(failure, {});
  expect(printed).toEqual([]);
});

test('the node environment of Jest still gets all events', async () => {
  const environment = createEnvironment(createProject());
  await environment.handleTestEvent({ name: 'test_start', test: failingTest }, {});
  expect(environment.events).toEqual(['test_start']);
});

test('a project without the node environment of Jest gets an error that says how to install it', () => {
  expect(() => createEnvironment(tempFolder())).toThrow(
    'billing-sim/jest needs the package jest-environment-node, which is not installed; run npm install --save-dev jest-environment-node',
  );
});

test('a version of Jest before 28 gets an error', () => {
  expect(() => createEnvironment(createProject('undefined'))).toThrow(/^billing-sim\/jest needs Jest 28 or newer; /);
});
