import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { type CommandResult, runCliWith } from '../support/cli.js';
import { openReceiver } from '../webhooks/receiver.js';

/** `billing-sim coverage` on a running simulator, as text and as JSON. Each test has its own account. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

function runCoverage(account: SimulatorAccount, ...args: string[]): Promise<CommandResult> {
  return runCliWith({ BILLING_SIM_URL: sim.url, BILLING_SIM_ACCOUNT: account.id }, 'coverage', ...args);
}

/** Lines of the block of the report that begins with `title`, without indentation. */
async function readBlock(account: SimulatorAccount, title: string): Promise<string[]> {
  const { code, stdout, stderr } = await runCoverage(account);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const block = stdout.split('\n\n').find((text) => text.startsWith(title)) ?? '';
  return block.trimEnd().split(/\n {2}/);
}

/** Sends a POST if there is a body, otherwise a GET; resolves to undefined if there is no response. */
function callService({ tokens }: SimulatorAccount, path: string, body?: object, headers: Record<string, string> = {}) {
  return fetch(`${sim.baseUrl}${path}`, {
    headers: { Authorization: `Bearer ${tokens.full}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  }).catch(() => undefined);
}

const deposit = { booking_reference: 'BK-1', amount: 300 };

describe('the report', () => {
  test('lists the statuses of each operation, and the missing operations', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits', deposit);
    await callService(account, '/deposits', deposit);
    await callService(account, '/deposits', {});
    await callService(account, '/deposits/99');
    await callService(account, '/nothing');
    const lines = await readBlock(account, 'Operations');
    // The title, fourteen operations, and a line about unknown operations.
    expect(lines).toHaveLength(1 + 14 + 1);
    expect(lines[0]).toBe('Operations: 1 of 14 succeeded');
    expect(lines).toContain('✗ listInvoices         GET /invoices');
    expect(lines).toContain('✓ createDeposit        POST /deposits                     3 calls  201 ×2, 422');
    expect(lines).toContain('✗ getDeposit           GET /deposits/{id}                 1 call   404');
    expect(lines.at(-1)).toBe('1 request to unknown operations');
  });

  test('lists errors, and how to cause the missing ones', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits/99');
    await account.faults.add({ effect: 'reset', times: 1 });
    await callService(account, '/deposits/99');
    expect(await readBlock(account, 'Errors')).toEqual([
      'Errors: 1 received, 9 documented but not received yet',
      '✓ 404                                          getDeposit',
      '✓ no response',
      '✗ 400, 401, 403, 409, 413, 415, 422, 429, 503',
      `make the next request fail with 400: billing-sim fault add status=400 --times 1 --account ${account.id}`,
    ]);
  });

  test('lists the injected faults with their counts, and the missing ones', async () => {
    const account = await sim.createAccount();
    await account.faults.add({ effect: 'latency=1ms', times: 2 });
    await callService(account, '/deposits');
    await callService(account, '/deposits');
    const [title, covered, missing, last] = await readBlock(account, 'Faults');
    expect(title).toMatch(/^Faults: 1 of \d+ injected$/);
    expect(covered).toBe('✓ latency ×2');
    expect(missing).toMatch(/^✗ status, /);
    expect(last).toBe(`to see how to inject them, run: billing-sim fault effects --account ${account.id}`);
  });

  test('lists events, with a hint for each that the receiver has not accepted', async () => {
    const receiver = await openReceiver((request, response) => {
      response.writeHead(request.headers['x-service-event'] === 'deposit.failed' ? 500 : 200).end();
    });
    const account = await sim.createAccount();
    await account.trigger('deposit.expired');
    await account.webhooks.configure({ url: receiver.url });
    await account.trigger('deposit.failed');
    await account.webhooks.settled();
    expect(await readBlock(account, 'Events')).toEqual([
      'Events: 1 of 8 accepted by the receiver',
      `✗ payment.succeeded                             billing-sim trigger payment.succeeded --account ${account.id}`,
      '✓ deposit.created ×2          accepted, unsent',
      `✗ deposit.authorized          unsent            billing-sim settings set --webhook-url URL --account ${account.id}`,
      `✗ deposit.partially_captured                    billing-sim trigger deposit.partially_captured --account ${account.id}`,
      `✗ deposit.captured                              billing-sim trigger deposit.captured --account ${account.id}`,
      `✗ deposit.released                              billing-sim trigger deposit.released --account ${account.id}`,
      `✗ deposit.expired             unsent            billing-sim settings set --webhook-url URL --account ${account.id}`,
      `✗ deposit.failed              rejected          billing-sim deliveries --event deposit.failed --account ${account.id}`,
    ]);
  });

  test('lists the transitions of deposits, and how to cause the missing ones', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits', deposit);
    await account.deposits.authorize(1);
    const lines = await readBlock(account, 'Deposit transitions');
    expect(lines[0]).toBe('Deposit transitions: 1 of 11 reached');
    expect(lines).toContain('✓ pending → authorized (authorize)');
    expect(lines).toContain(
      `✗ pending → failed (decline)                         billing-sim deposit decline ID --account ${account.id}`,
    );
    expect(lines).toContain('✗ authorized → captured (capture)                    POST /deposits/{id}/capture');
  });

  test('lists the scopes that a token does not need, and calls without an Idempotency-Key', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits', deposit);
    await callService(account, '/deposits', deposit, { 'Idempotency-Key': 'a' });
    expect(await readBlock(account, 'Token scopes')).toEqual([
      'Token scopes',
      '✗ full   billing.read, billing.write  does not need billing.read',
      '– read   billing.read                 not used',
      '– write  billing.write                not used',
    ]);
    expect(await readBlock(account, 'Idempotency keys')).toEqual([
      'Idempotency keys',
      '✗ createDeposit  1 of 2 calls without a key',
    ]);
  });

  test('lists lost responses, or how to cause one', async () => {
    const account = await sim.createAccount();
    expect(await readBlock(account, 'Lost responses')).toEqual([
      'Lost responses: 0',
      `drop the next response with billing-sim fault add lose-response --operation createDeposit --times 1 --account ${account.id}`,
    ]);
    await account.faults.add({ effect: 'lose-response', match: { nth: 1 }, times: 1 });
    await callService(account, '/deposits', deposit, { 'Idempotency-Key': 'a' });
    await callService(account, '/deposits', deposit, { 'Idempotency-Key': 'b' });
    expect(await readBlock(account, 'Lost responses')).toEqual([
      'Lost responses: 1',
      expect.stringMatching(
        /^✗ req_\d+ {2}createDeposit {2}lose-response {2}retried by req_\d+ with another key: the operation may have run twice$/,
      ),
    ]);
  });

  test('lists forged webhooks that the receiver accepted, or how to cause one', async () => {
    const receiver = await openReceiver();
    const account = await sim.createAccount({ webhookUrl: receiver.url });
    expect(await readBlock(account, 'Forged')).toEqual([
      'Forged webhooks: 0 of 0 rejected',
      `forge the next one with billing-sim fault add tamper-body --times 1 --account ${account.id}`,
    ]);
    await account.faults.add({ effect: 'tamper-body', times: 1 });
    await account.trigger('deposit.created');
    await account.webhooks.settled();
    expect(await readBlock(account, 'Forged')).toEqual([
      'Forged webhooks: 0 of 1 rejected',
      expect.stringMatching(
        /^✗ accepted forged webhook {2}evt_\w{24} {2}deposit\.created {2}tamper-body {2}→ 204 on attempt \d$/,
      ),
    ]);
  });

  test('with --json has the same data as account.coverage()', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits', deposit);
    const { stdout } = await runCoverage(account, '--json');
    expect(JSON.parse(stdout)).toEqual(await account.coverage());
  });
});

test('coverage reset resets the counters', async () => {
  const account = await sim.createAccount();
  await callService(account, '/deposits', deposit);
  expect(await runCoverage(account, 'reset')).toMatchObject({
    code: 0,
    stdout: `Coverage of ${account.id} reset.\n`,
  });
  expect(await account.coverage()).toMatchObject({ requests: 0 });
});

describe('coverage --fail-on', () => {
  test('exits with 1 and names the topics that are incomplete', async () => {
    const account = await sim.createAccount();
    await callService(account, '/deposits', deposit);
    for (const [topics, failedTopics] of [
      ['retries,forged', ''],
      ['operations', 'operations'],
      ['retries, keys ,forged,events', 'keys, events'],
      ['errors,faults,transitions,scopes', 'errors, faults, transitions, scopes'],
    ] as const) {
      const { code, stdout, stderr } = await runCoverage(account, '--fail-on', topics);
      expect({ code, stderr }, topics).toEqual({ code: failedTopics === '' ? 0 : 1, stderr: '' });
      expect(/^Failed topics: (.*)$/m.exec(stdout)?.[1] ?? '', topics).toBe(failedTopics);
    }
  });

  test('given several times checks the topics of all of them', async () => {
    const account = await sim.createAccount();
    const { code, stdout } = await runCoverage(account, '--fail-on', 'operations', '--fail-on', 'retries');
    expect({ code, lastLine: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      lastLine: 'Failed topics: operations',
    });
  });

  test('retries exits with 1 while a lost response has not been retried, and with 0 after a safe retry', async () => {
    const account = await sim.createAccount();
    await account.faults.add({ effect: 'lose-response', times: 1 });
    await callService(account, '/deposits', deposit, { 'Idempotency-Key': 'a' });
    expect((await runCoverage(account, '--fail-on', 'retries', '--json')).code).toBe(1);
    await callService(account, '/deposits', deposit, { 'Idempotency-Key': 'a' });
    expect((await runCoverage(account, '--fail-on', 'retries')).code).toBe(0);
  });

  test('rejects unknown topics', async () => {
    expect(await runCoverage(await sim.createAccount(), '--fail-on', 'forge')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: option '--fail-on <topics>' argument 'forge' is invalid: expected one of operations, errors, faults, events, transitions, scopes, keys, retries, forged; did you mean `forged`?\n",
    });
  });
});
