import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { version } from '../../src/generated/version.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { BodyRing } from '../../src/simulation/activity/request-log.js';
import { runCli, type SpawnedCommand, spawnLongRunning, spawnSimulator } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z' });
});
afterAll(() => sim.close());

const connectionFlags = (account: SimulatorAccount): string[] => ['--url', sim.url, '--account', account.id];

function send(baseUrl: string, token: string, path: string, method = 'GET'): Promise<Response> {
  return fetch(`${baseUrl}/${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
}

/** Starts `requests tail`, and waits until it is ready to print new requests. */
async function startTail(...flags: string[]): Promise<SpawnedCommand> {
  const tail = spawnLongRunning('requests', 'tail', ...flags);
  await expect.poll(() => tail.output.stdout).toContain('Press Ctrl-C to stop.\n');
  return tail;
}

/** The printed requests, without the first line, which says how to stop. */
const printedRequests = ({ output }: SpawnedCommand): string[] => output.stdout.trimEnd().split('\n').slice(1);

describe('requests list', () => {
  test('shows the requests of the account, newest first', async () => {
    const account = await sim.createAccount();
    expect(await runCli('requests', ...connectionFlags(account))).toEqual({
      code: 0,
      stdout: 'No requests.\n',
      stderr: '',
    });
    await send(sim.baseUrl, account.tokens.full, 'invoices');
    await send(sim.baseUrl, account.tokens.full, 'deposits/9');
    const { stdout } = await runCli('requests', 'list', ...connectionFlags(account));
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^2026-03-01 09:00:00 {2}req_\d+ {2}404 {2}GET {2}\/api\/v1\/deposits\/9 .*Deposit not found/,
      ),
      expect.stringMatching(/^2026-03-01 09:00:00 {2}req_\d+ {2}200 {2}GET {2}\/api\/v1\/invoices$/),
    ]);
  });

  test.each([
    { flags: ['--status', '200'], paths: ['/api/v1/invoices'] },
    { flags: ['--status', '4xx'], paths: ['/api/v1/deposits/9/release', '/api/v1/deposits/9'] },
    { flags: ['--method', 'post'], paths: ['/api/v1/deposits/9/release'] },
    { flags: ['--operation', 'listInvoices'], paths: ['/api/v1/invoices'] },
    { flags: ['--token', 'read'], paths: ['/api/v1/deposits/9'] },
    { flags: ['--limit', '1'], paths: ['/api/v1/invoices'] },
  ])('filters by $flags', async ({ flags, paths }) => {
    const account = await sim.createAccount();
    await send(sim.baseUrl, account.tokens.read, 'deposits/9');
    await send(sim.baseUrl, account.tokens.write, 'deposits/9/release', 'POST');
    await send(sim.baseUrl, account.tokens.full, 'invoices');
    const { stdout } = await runCli('requests', 'list', '--json', ...flags, ...connectionFlags(account));
    const { data }: { data: { path: string }[] } = JSON.parse(stdout);
    expect(data.map(({ path }) => path)).toEqual(paths);
  });
});

describe('requests show', () => {
  /** Sends a request to create a deposit, and returns its id. */
  async function createDeposit(account: SimulatorAccount, body: object): Promise<string> {
    const headers = { Authorization: `Bearer ${account.tokens.full}`, 'Content-Type': 'application/json' };
    await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {
      // A fault has closed the connection.
    });
    const [request] = await account.requests();
    return request?.id ?? '';
  }

  async function readBlocks(account: SimulatorAccount, id: string): Promise<string[]> {
    const { code, stdout, stderr } = await runCli('requests', 'show', id, ...connectionFlags(account));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trimEnd().split('\n\n');
  }

  test('shows a request with its headers, its body, its error and the response; the token is masked', async () => {
    const account = await sim.createAccount();
    const id = await createDeposit(account, { booking_reference: 'BK-1', amount: -1 });
    const [head = '', sent, sentBody, received, receivedBody] = await readBlocks(account, id);
    expect(head.split('\n')).toEqual([
      `id         ${id}`,
      'received   2026-03-01 09:00:00',
      'request    POST /api/v1/deposits',
      'operation  createDeposit',
      'token      full',
      'status     422',
      expect.stringMatching(/^took {7}[\d.]+ ms$/),
      'error      The amount field must be greater than 0; amount must be more than 0',
      '           amount: The amount field must be greater than 0.',
    ]);
    expect(sent).toMatch(/^Request:\n[\s\S]*\n {2}Authorization: Bearer \*{4}\n/);
    expect(sentBody).toBe('{"booking_reference":"BK-1","amount":-1}');
    expect(received).toMatch(new RegExp(`^Response:\n  X-Request-Id: ${id}\n`));
    expect(receivedBody).toMatch(/^\{"success":false,.*\}$/);
    const { stdout } = await runCli('requests', 'show', id, '--json', ...connectionFlags(account));
    expect(JSON.parse(stdout)).toEqual(await account.request(id));
  });

  test('shows faults, and that no response was sent', async () => {
    const account = await sim.createAccount();
    await account.faults.add({ effect: 'reset' });
    const blocks = await readBlocks(account, await createDeposit(account, {}));
    expect(blocks[0]).toMatch(/\nstatus +no response\n[\s\S]*\nfaults +reset$/);
    expect(blocks.at(-1)).toBe('No response was sent.');
  });

  test('says that the end of a long body is missing', async () => {
    const account = await sim.createAccount();
    const id = await createDeposit(account, { booking_reference: 'x'.repeat(70_000), amount: 300 });
    expect((await readBlocks(account, id))[2]).toMatch(
      /^\{"booking_reference":"x+\n… cut off; the whole body has 700\d\d bytes$/,
    );
  });

  test('says that the log no longer has a body; so does the trace, and the request cannot be replayed', async () => {
    const account = await sim.createAccount();
    const id = await createDeposit(account, { booking_reference: 'BK-1', amount: 300 });
    // The bodies of other requests have taken the place of all earlier ones.
    vi.spyOn(BodyRing.prototype, 'read').mockReturnValue(null);
    onTestFinished(() => void vi.restoreAllMocks());
    const [, , requestBody] = await readBlocks(account, id);
    expect(requestBody).toBe('The log no longer has this body, which had 41 bytes.');
    expect(await account.trace.html()).toContain('The body (41 bytes) has been dropped.');
    const path = `${sim.url}/_sim/accounts/${account.id}/requests/${id}/replay`;
    const replay = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    expect({ status: replay.status, body: await replay.json() }).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('body') },
    });
  });

  test('refuses an unknown id', async () => {
    const account = await sim.createAccount();
    expect(await runCli('requests', 'show', 'req_999999', ...connectionFlags(account))).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: Request not found; list the requests with billing-sim requests list --account ${account.id} --url ${sim.url}\n`,
    });
  });
});

describe.each(['list', 'tail'])('requests %s refuses', (command) => {
  test.each([
    [['--operation', 'listInvoicess'], 'unknown operation `listInvoicess`; did you mean `listInvoices`?'],
    [['--token', 'nope'], 'unknown token `nope`; available: `full`, `read`, `write`'],
    [
      ['--status', '99'],
      "option '--status <status>' argument '99' is invalid: expected a status such as 404, or a class such as 4xx",
    ],
    [
      ['--status', '600'],
      "option '--status <status>' argument '600' is invalid: expected a status such as 404, or a class such as 4xx",
    ],
    [
      ['--status', '6xx'],
      "option '--status <status>' argument '6xx' is invalid: expected a status such as 404, or a class such as 4xx",
    ],
    [
      ['--status', '400-499'],
      "option '--status <status>' argument '400-499' is invalid: expected a status such as 404, or a class such as 4xx",
    ],
    [
      ['--method', 'posts'],
      "option '--method <name>' argument 'posts' is invalid: expected one of GET, POST, HEAD, PUT, PATCH, DELETE, OPTIONS; did you mean `POST`?",
    ],
  ])('%j', async (flags, problem) => {
    const account = await sim.createAccount();
    expect(await runCli('requests', command, ...flags, ...connectionFlags(account))).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${problem}\n`),
    });
  });
});

test('requests can be filtered by the name of a token that has been revoked', async () => {
  const account = await sim.createAccount();
  const { id, token } = await account.apiTokens.create({ name: 'night', scopes: ['billing.read'] });
  await send(sim.baseUrl, token, 'invoices');
  await account.apiTokens.revoke(id);
  const { code, stdout } = await runCli('requests', 'list', '--token', 'night', ...connectionFlags(account));
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/invoices\n$/) });
});

describe('requests tail', () => {
  test('prints new requests in order until it is interrupted', async () => {
    const account = await sim.createAccount();
    await send(sim.baseUrl, account.tokens.full, 'payments');
    const tail = await startTail(...connectionFlags(account));
    for (const path of ['invoices', 'deposits']) await send(sim.baseUrl, account.tokens.full, path);
    await expect.poll(() => printedRequests(tail)).toHaveLength(2);
    expect(printedRequests(tail)).toEqual([
      expect.stringMatching(/200 {2}GET {2}\/api\/v1\/invoices$/),
      expect.stringMatching(/200 {2}GET {2}\/api\/v1\/deposits$/),
    ]);
    tail.child.kill('SIGINT');
    expect(await tail.ended).toBe(0);
  });

  test('prints every one of many requests, and continues after a reset', async () => {
    const account = await sim.createAccount({ rateLimit: false });
    const tail = await startTail(...connectionFlags(account));
    // More than `tail` reads at a time.
    for (let id = 0; id < 70; id += 1) await send(sim.baseUrl, account.tokens.full, `deposits/${id}`);
    await account.reset();
    await send(sim.baseUrl, account.tokens.full, 'deposits/70');
    await expect.poll(() => printedRequests(tail).length).toBe(71);
    expect(printedRequests(tail).map((line) => Number(/deposits\/(\d+)/.exec(line)?.[1]))).toEqual([
      ...Array(71).keys(),
    ]);
  });

  test('prints only new requests, even if the log has many old ones', async () => {
    const account = await sim.createAccount({ rateLimit: false });
    const sendMany = (paths: readonly string[]) =>
      Promise.all(paths.map((path) => send(sim.baseUrl, account.tokens.full, path)));
    await sendMany(Array.from({ length: 100 }, (_, id) => `deposits/${id}`));
    const tail = await startTail(...connectionFlags(account));
    await send(sim.baseUrl, account.tokens.full, 'deposits');
    await expect.poll(() => printedRequests(tail)).toHaveLength(1);
    // More than `tail` reads at a time.
    const newPaths = Array.from({ length: 60 }, (_, id) => `invoices/${id}`);
    await sendMany(newPaths);
    await send(sim.baseUrl, account.tokens.full, 'payments');
    await expect.poll(() => printedRequests(tail).at(-1)).toMatch(/\/payments$/);
    const printedPaths = printedRequests(tail).map((line) => /\/api\/v1\/(\S+)/.exec(line)?.[1]);
    expect(printedPaths.toSorted()).toEqual(['deposits', 'payments', ...newPaths].toSorted());
  });

  test('with a filter and --json prints only matching requests, each as a line of JSON', async () => {
    const account = await sim.createAccount({ rateLimit: false });
    const tail = spawnLongRunning('requests', 'tail', '--json', '--status', '404', ...connectionFlags(account));
    // With --json, stdout does not say when `tail` is ready, so requests are sent until one is printed.
    const sendAndReadOutput = async (): Promise<string> => {
      await send(sim.baseUrl, account.tokens.full, 'invoices');
      await send(sim.baseUrl, account.tokens.full, 'deposits/9');
      return tail.output.stdout;
    };
    await expect.poll(sendAndReadOutput).toMatch(/\n$/);
    const requests = tail.output.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const request of requests) expect(request).toMatchObject({ status: 404, path: '/api/v1/deposits/9' });
  });

  test('prints each request on one line, even if its error has line breaks', async () => {
    const account = await sim.createAccount();
    const patch = [{ op: 'replace', path: '/error', value: 'first line\nsecond line' }];
    await account.faults.add({ effect: `patch=${JSON.stringify(patch)}` });
    const tail = await startTail(...connectionFlags(account));
    await send(sim.baseUrl, account.tokens.full, 'deposits/9');
    await expect.poll(() => printedRequests(tail).join('\n')).toMatch(/deposits\/9 {2}first line second line/);
  });

  test('prints a request after a restart even if an earlier one had the same id, time and duration', async () => {
    let startedAt = '2026-03-01T09:00:00.000Z';
    const logged = {
      ...{ id: 'req_1', at: '2026-03-01T09:00:00.000Z', method: 'GET', path: '/api/v1/invoices', milliseconds: 1 },
      ...{ operation: 'listInvoices', token: 'full', status: 200, error: null, faults: [] },
    };
    const page = { current_page: 1, data: [logged], per_page: 50, total: 1, last_page: 1 };
    const { url } = await listenUntilTestEnds(
      createServer((request, response) => {
        const health = { status: 'ok', version, started_at: startedAt };
        response.end(JSON.stringify(request.url === '/_sim/health' ? health : page));
      }),
    );
    const tail = await startTail('--url', url);
    startedAt = '2026-03-01T09:05:00.000Z';
    await expect.poll(() => printedRequests(tail)).toHaveLength(1);
  });

  test('waits when the simulator stops, and continues once it is back', async () => {
    const port = await freePort();
    const first = await spawnSimulator('--memory', '--port', String(port));
    const tail = await startTail('--url', first.ready.url);
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    await expect.poll(() => tail.output.stderr).toBe('Lost the connection to the simulator; waiting for it.\n');
    const second = await startSimulator({ port, log: () => undefined });
    onTestFinished(() => second.close());
    await send(second.baseUrl, 'demo_full', 'invoices');
    await expect.poll(() => printedRequests(tail).at(-1)).toMatch(/200 {2}GET {2}\/api\/v1\/invoices$/);
    await expect.poll(() => tail.output.stderr).toMatch(/\nConnected to the simulator again\.\n$/);
  });
});
