import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../src/generated/control-types.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { type ListeningCli, runCli, startCli, startListening } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { openReceiver } from '../webhooks/receiver.js';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator();
});

afterAll(() => sim.close());

const now = '2026-03-01T09:00:00Z';

async function listenTo(account: SimulatorAccount, ...flags: string[]): Promise<ListeningCli> {
  const listening = await startListening('--url', sim.url, '--account', account.id, ...flags);
  expect(listening.output.stderr).toBe('');
  return listening;
}

async function settingsOf({ id }: { readonly id: string }): Promise<components['schemas']['Settings']> {
  return JSON.parse(await (await fetch(`${sim.url}/_sim/accounts/${id}/settings`)).text());
}

/** The lines that have been printed. */
function linesOf({ output }: ListeningCli): string[] {
  return output.stdout.trimEnd().split('\n');
}

async function end({ child, ended }: ListeningCli, signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<number | null> {
  child.kill(signal);
  return ended;
}

describe('listen', () => {
  test("verifies, prints and forwards a message unchanged, and returns the receiver's response", async () => {
    const account = await sim.createAccount({ now, webhookUrl: 'http://127.0.0.1:1/before' });
    let answer: RequestListener = (_request, response) => void response.writeHead(500).end('out of order');
    const receiver = await openReceiver((request, response) => answer(request, response));
    const listening = await listenTo(account, '--forward-to', `${receiver.url}/hooks`);
    expect(linesOf(listening)).toEqual([
      expect.stringMatching(
        /^Receiving webhooks at http:\/\/127\.0\.0\.1:\d+\/billing-sim-listen, forwarding to http:\/\/127\.0\.0\.1:\d+\/hooks$/,
      ),
      `Webhook secret: ${account.webhookSecret}`,
      'Press Ctrl-C to stop and restore the webhook URL.',
    ]);

    const body = { booking_reference: 'Chalet „Öl“ 🎿', amount: 300 };
    const { data } = await clientOf(sim.baseUrl, account.tokens.full).POST('/deposits', { body });
    await expect.poll(async () => (await account.webhooks.all())[0]?.attempts.length).toBe(1);
    const [webhook] = await account.webhooks.all();
    expect(webhook?.attempts[0]).toMatchObject({ status: 500, error: null });
    const line = `2026-03-01 09:00:00  deposit.created             ${webhook?.id}  deposit ${data?.data.id}  ✓ signature`;
    expect(linesOf(listening).slice(4)).toEqual([`${line}  → 500`]);
    expect(receiver.received[0]).toMatchObject({
      method: 'POST',
      path: '/hooks',
      body: Buffer.from(webhook?.body ?? ''),
      headers: Object.fromEntries(
        Object.entries(webhook?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    });

    answer = (_request, response) => void response.writeHead(202).end();
    const receipt = await account.clock.advance('5s');
    expect(receipt.steps).toEqual([expect.objectContaining({ kind: 'attempt', number: 2, status: 202 })]);
    expect(linesOf(listening).slice(4)).toEqual([`${line}  → 500`, `${line}  → 202`]);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);

    expect(await end(listening)).toBe(0);
    expect(await settingsOf(account)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/before' });
  });

  test('without a receiver, responds with 200; with --json, prints a line of JSON for each message', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account, '--json');
    await account.trigger('deposit.failed');
    await expect.poll(() => linesOf(listening).length).toBe(3);
    const [ready, ...messages] = linesOf(listening).map((line) => JSON.parse(line));
    const { webhook_url: webhookUrl, webhook_secret: webhookSecret } = await settingsOf(account);
    expect(ready).toEqual({ url: webhookUrl, forwardTo: null, webhookSecret });
    const [created, failed] = await account.webhooks.all();
    expect(messages[0]).toEqual({
      created_at: '2026-03-01T09:00:00+00:00',
      event: 'deposit.created',
      id: created?.id,
      record: 'deposit 1',
      verified: true,
      status: 200,
      error: null,
      body: created?.body,
    });
    expect(messages[1]).toMatchObject({ id: failed?.id, event: 'deposit.failed' });
    await expect
      .poll(async () => (await account.webhooks.all()).map(({ status }) => status))
      .toEqual(['delivered', 'delivered']);
    expect(await end(listening, 'SIGTERM')).toBe(0);
    expect(await settingsOf(account)).toMatchObject({ webhook_url: null });
  });

  test('with --events, accepts other events without printing them', async () => {
    const account = await sim.createAccount({ now });
    const receiver = await openReceiver();
    const listening = await listenTo(
      account,
      ...['--events', 'deposit.failed, payment.succeeded', '--forward-to', receiver.url],
    );
    await account.trigger('deposit.failed');
    await expect
      .poll(async () => (await account.webhooks.all()).map(({ status }) => status))
      .toEqual(['delivered', 'delivered']);
    expect(linesOf(listening).slice(4)).toEqual([expect.stringContaining('  deposit.failed  ')]);
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['deposit.failed']);
  });

  test('verifies with the current profile and secret', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account);
    const change = { webhook_secret: 'another', profile: { 'event.digest': 'base64' } };
    await fetch(`${sim.url}/_sim/accounts/${account.id}/settings`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });
    await account.trigger('deposit.created');
    await expect.poll(() => linesOf(listening)[4]).toMatch(/deposit 1 {2}✓ signature$/);
  });

  test('marks a message that is unsigned or malformed', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account);
    const { webhook_url: webhookUrl } = await settingsOf(account);
    expect((await fetch(webhookUrl ?? '', { method: 'POST', body: 'hello\u001b[2J' })).status).toBe(200);
    const headers = { 'X-Service-Event': 'deposit.created', 'X-Service-Signature': `sha256=${'0'.repeat(64)}` };
    await fetch(webhookUrl ?? '', { method: 'POST', headers, body: '{"id":"evt_\\u001b\\n1","data":{}}' });
    await expect
      .poll(() => linesOf(listening).slice(4))
      .toEqual([
        '-  -                           -  - -  ✗ signature',
        '-  deposit.created             evt_� 1  deposit -  ✗ signature',
      ]);
  });

  test('an unreachable receiver is reported, and the response is 502', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account, '--forward-to', 'http://127.0.0.1:1/');
    await account.trigger('deposit.created');
    await expect.poll(() => linesOf(listening)[4]).toMatch(/✓ signature {2}→ 502 \(connection refused\)$/);
    await expect.poll(async () => (await account.webhooks.all())[0]?.attempts).toMatchObject([{ status: 502 }]);
  });
});

describe('listen ends', () => {
  test('when the webhook URL is changed, and keeps the new one', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account);
    await account.webhooks.configure({ url: 'http://127.0.0.1:1/other' });
    expect(await listening.ended).toBe(2);
    expect(listening.output.stderr).toBe(
      'error: the webhook URL was changed to http://127.0.0.1:1/other, so no more webhooks arrive here\n',
    );
    expect(await settingsOf(account)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/other' });
  });

  test('when the simulator stops; the next listener does not restore its address', async () => {
    const { child, ready } = await startCli('--memory');
    const listening = await startListening('--url', ready.url);
    child.kill('SIGKILL');
    expect(await listening.ended).toBe(2);
    expect(listening.output.stderr).toBe(
      `error: lost the connection to the simulator at ${ready.url}; start it, then run billing-sim listen again\n`,
    );

    const [address = ''] = /http:\S+/.exec(listening.output.stdout) ?? [];
    const account = await sim.createAccount({ webhookUrl: address });
    expect(await end(await listenTo(account))).toBe(0);
    expect(await settingsOf(account)).toMatchObject({ webhook_url: null });
  });

  test('when stdout is closed', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account);
    listening.child.stdout?.destroy();
    await account.trigger('deposit.created');
    expect(await listening.ended).toBe(0);
    expect(listening.output.stderr).toBe('');
    expect(await settingsOf(account)).toMatchObject({ webhook_url: null });
  });

  test('when the account is removed', async () => {
    const account = await sim.createAccount({ now });
    const listening = await listenTo(account);
    await account.remove();
    expect(await listening.ended).toBe(2);
    expect(listening.output.stderr).toMatch(/^error: Account not found; /);
  });
});

describe('listen refuses', () => {
  test('to forward messages to the simulator under any of its names', async () => {
    const { port } = new URL(sim.url);
    for (const url of [`http://127.0.0.1:${port}/hooks`, `http://localhost:${port}/`, `http://[::1]:${port}/`]) {
      const { code, stderr } = await runCli('listen', '--url', sim.url, '--forward-to', url);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `error: ${url} is the simulator itself; give the URL of your own receiver with --forward-to\n`,
      });
    }
    expect(await settingsOf(sim.account)).toMatchObject({ webhook_url: null });
  });

  test('to forward messages to itself', async () => {
    const port = await freePort();
    const url = `http://localhost:${port}/`;
    expect(await runCli('listen', '--url', sim.url, '--port', String(port), '--forward-to', url)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${url} is this listener itself; give the URL of your own receiver with --forward-to\n`,
    });
  });

  test.each([
    [
      ['--events', 'deposit.gone'],
      /^error: option '--events <names>' argument 'deposit\.gone' is invalid\. expected one of payment\.succeeded,/,
    ],
    [
      ['--forward-to', 'localhost:3000'],
      /^error: option '--forward-to <url>' argument .* expected a URL that begins with http/,
    ],
    [
      ['--port', '99999'],
      /^error: option '--port <number>' argument '99999' is invalid\. expected a port from 0 to 65535/,
    ],
  ])('%j', async (flags, problem) => {
    expect(await runCli('listen', '--url', sim.url, ...flags)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(problem),
    });
  });
});

/** A port that nobody listens on, for the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return address.port;
}
