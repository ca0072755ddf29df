import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { type CommandResult, runCli, runCliWith } from '../support/cli.js';

/** `billing-sim fault` on a running simulator. Each test has its own account. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

function runFault(account: Pick<SimulatorAccount, 'id'>, ...args: string[]): Promise<CommandResult> {
  return runCliWith({ BILLING_SIM_URL: sim.url, BILLING_SIM_ACCOUNT: account.id }, 'fault', ...args);
}

/** Runs `billing-sim fault`, and returns the lines of its output. */
async function readOutput(account: Pick<SimulatorAccount, 'id'>, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runFault(account, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

/** Sends a GET request. @returns the status; undefined if there is no response */
function getStatus(account: SimulatorAccount, path: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${account.tokens.full}` };
  return fetch(sim.baseUrl + path, { headers }).then(
    ({ status }) => status,
    () => undefined,
  );
}

test('a fault can be added, listed with its counts, and cleared', async () => {
  const account = await sim.createAccount();
  expect(await readOutput(account)).toEqual(['No faults.']);
  expect(await readOutput(account, 'add', 'lose-response', '--operation', 'listDeposits', '--times', '1')).toEqual([
    'Fault 1 added: listDeposits, once',
    '  lose-response  handles the request, then drops the connection before the response',
    `Clear it with: billing-sim fault clear 1 --account ${account.id}`,
  ]);
  expect(
    await readOutput(account, 'add', 'status=503', 'latency=1ms;max=2ms', '--path', '/invoices*', '--every', '3'),
  ).toEqual([
    'Fault 2 added: /invoices*, every 3rd',
    '  status=503           responds with a status and an error of the service, or, below 400, with the example from the OpenAPI document, instead of handling the request',
    '  latency=1ms;max=2ms  delays the response by a fixed time, or a random time in a range',
    `Clear it with: billing-sim fault clear 2 --account ${account.id}`,
  ]);
  await readOutput(account, 'add', 'reset', '--method', 'POST');
  expect(await getStatus(account, '/deposits')).toBeUndefined();
  expect([await getStatus(account, '/invoices'), await getStatus(account, '/invoices')]).toEqual([200, 200]);
  expect(await readOutput(account, 'list')).toEqual([
    'fault 1  lose-response                   listDeposits, once     matched 1, fired 1  ended',
    'fault 2  status=503 latency=1ms;max=2ms  /invoices*, every 3rd  matched 2, fired 0  active',
    'fault 3  reset                           POST                   never matched       active',
  ]);
  expect(await readOutput(account, 'clear', '1')).toEqual(['Fault 1 cleared (matched 1, fired 1).']);
  expect(await readOutput(account, 'clear')).toEqual(['Cleared 2 faults.']);
  expect(await readOutput(account, 'clear')).toEqual(['No faults.']);
});

test('the command to clear a fault has no --account for the default account', async () => {
  const lines = await readOutput(sim.account, 'add', 'reset');
  expect(lines.at(-1)).toMatch(/^Clear it with: billing-sim fault clear \d+$/);
  await sim.account.faults.clear();
});

test('the command to clear a fault has the --url of the command line', async () => {
  const { stdout } = await runCli('fault', 'add', 'reset', '--url', `${sim.url}/`, '--account', sim.account.id);
  expect(stdout).toMatch(new RegExp(`\nClear it with: billing-sim fault clear \\d+ --url ${sim.url}\n$`));
  await sim.account.faults.clear();
});

test('flags set the matchers, the count and the duration of a fault', async () => {
  const account = await sim.createAccount();
  const { stdout } = await runFault(
    account,
    ...['add', 'truncate=5', '--json', '--operation', 'createDeposit', '--method', 'POST', '--path', '/deposits'],
    ...['--status', '201', '--token', 'full', '--body', 'amount=300', '--body', 'metadata.note=a=b, c'],
    ...['--nth', '2', '--every', '2', '--probability', '0.5', '--times', '7', '--for', '2h'],
  );
  const match = {
    operation: 'createDeposit',
    method: 'POST',
    path: '/deposits',
    status: 201,
    token: 'full',
    body: { amount: '300', 'metadata.note': 'a=b, c' },
    nth: 2,
    every: 2,
    probability: 0.5,
  };
  expect(JSON.parse(stdout)).toMatchObject({ match, times: 7, until: '2026-03-01T11:00:00.000Z' });
  await readOutput(account, 'add', 'reset', '--status', '4xx', '--until', '2026-03-02');
  await readOutput(account, 'add', 'duplicate', '--event', 'deposit.*');
  await readOutput(account, 'add', 'reset', '--method', 'post');
  const { data: faults } = JSON.parse((await runFault(account, 'list', '--json')).stdout);
  expect(faults).toEqual(await account.faults.list());
  expect(faults).toMatchObject([
    { match },
    { match: { status: '4xx' }, until: '2026-03-02T00:00:00.000Z' },
    { stage: 'message', match: { event: 'deposit.*' } },
    { match: { method: 'POST' } },
  ]);
});

test('fault effects lists the effects with their descriptions and an example', async () => {
  const account = await sim.createAccount();
  const lines = await readOutput(account, 'effects');
  expect(lines[0]).toBe('Instead of handling a request:');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}lose-response +handles the request, then drops/));
  expect(lines).toContainEqual(expect.stringMatching(/^ +- max: the longest delay of a range$/));
  const { data: effects } = JSON.parse((await runFault(account, 'effects', '--json')).stdout);
  expect(effects).toContainEqual(expect.objectContaining({ name: 'latency', value: 'min', required: ['min'] }));
});

describe('an invalid command line of fault is refused', () => {
  test.each([
    [['add', 'lose-respons'], 'unknown effect `lose-respons`; did you mean `lose-response`?'],
    [
      ['add', 'reset', '--operation', 'createDepost'],
      'match: unknown operation `createDepost`; did you mean `createDeposit`?',
    ],
    [['add', 'reset', '--event', 'deposit.created'], 'match.event: reset applies to requests, which have no event'],
    [['add', 'reset', '--for', '1h', '--until', '2026-03-01T12:00:00Z'], 'for: cannot be combined with `until`'],
    [['clear', '9'], 'Fault not found; list the faults with billing-sim fault list --account ACCOUNT'],
    [['add'], "missing required argument 'effect'; see billing-sim fault add --help"],
    [['add', 'reset', '--opration', 'createDeposit'], "unknown option '--opration' (Did you mean --operation?)"],
    [['add', 'reset', '--token', 'nosuch'], 'match: unknown token `nosuch`; available: `full`, `read`, `write`'],
    [['add', 'reset', '--for', '0s'], 'for: must be longer than 0'],
    [
      ['add', 'reset', '--method', 'posts'],
      "option '--method <method>' argument 'posts' is invalid: expected one of GET, POST, HEAD, PUT, PATCH, DELETE, OPTIONS; did you mean `POST`?",
    ],
    ...['--nth', '--every', '--times'].flatMap((option) =>
      ['x', '-1', '0', '1000001'].map((text): [string[], string] => [
        ['add', 'reset', option, text],
        `option '${option} <number>' argument '${text}' is invalid: expected a whole number from 1 to 1,000,000`,
      ]),
    ),
    ...['x', '-0.1', '1.1', '2', '0.1234567890'].map((text): [string[], string] => [
      ['add', 'reset', '--probability', text],
      `option '--probability <number>' argument '${text}' is invalid: expected a number from 0 to 1`,
    ]),
    [['clear', 'x'], "command-argument value 'x' is invalid for argument 'id': expected a whole number, for example 8"],
    [
      ['add', 'reset', '--body', 'amount'],
      "option '--body <key=value>' argument 'amount' is invalid: expected KEY=VALUE, for example amount=300",
    ],
    [
      ['add', 'reset', '--body', 'amount=1', '--body', 'amount=2'],
      "option '--body <key=value>' argument 'amount=2' is invalid: amount already has the value 1; give each key once",
    ],
    [['ad', 'reset'], "unknown subcommand 'ad' of fault (Did you mean add? Available: list, add, clear, effects)"],
  ])('%j', async (args, problem) => {
    const account = await sim.createAccount();
    expect(await runFault(account, ...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${problem.replace('ACCOUNT', account.id)}\n`,
    });
    expect(await account.faults.list()).toEqual([]);
  });
});
