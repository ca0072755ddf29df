import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { components } from '../../src/generated/control-types.js';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { headersOf } from '../../src/webhooks/message-headers.js';
import {
  type InProcessCommand,
  runCli,
  type SpawnedCommand,
  type SpawnedSimulator,
  spawnListen,
  spawnSimulator,
  startCliInProcess,
} from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { killAfterTest } from '../support/kill-after-test.js';
import { openRaw } from '../support/raw.js';
import { sampleUnlessFull } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';
import { openRawReceiver, openReceiver } from '../webhooks/receiver.js';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator();
});

afterAll(() => sim.close());

const now = '2026-03-01T09:00:00Z';

/** Starts `billing-sim listen` for an account, in this process, and waits until it is ready. */
async function startListening(account: SimulatorAccount, ...flags: string[]): Promise<InProcessCommand> {
  const listening = await startCliInProcess('listen', '--url', sim.url, '--account', account.id, ...flags);
  expect(listening.output.stderr).toBe('');
  return listening;
}

/** Starts `billing-sim listen` for an account, in a separate process, and waits until it is ready. */
async function spawnListening(account: SimulatorAccount): Promise<SpawnedCommand> {
  const listening = await spawnListen('--url', sim.url, '--account', account.id);
  expect(listening.output.stderr).toBe('');
  return listening;
}

async function readSettings({ id }: { readonly id: string }): Promise<components['schemas']['Settings']> {
  return JSON.parse(await (await fetch(`${sim.url}/_sim/accounts/${id}/settings`)).text());
}

/** The lines that have been printed to stdout. */
function printedLines({ output }: Pick<SpawnedCommand, 'output'>): string[] {
  return output.stdout.trimEnd().split('\n');
}

/** The lines about messages, which follow three lines about the listener and an empty line. */
function printedMessages(listening: InProcessCommand): string[] {
  return printedLines(listening).slice(4);
}

/**
 * Starts a server that passes requests on to the simulator.
 * @param passPatch called for each PATCH, with its body and a function that passes the request on; returns the response,
 *   or rejects to send none
 * @param changeResponse changes the body of a response to another request
 */
async function openProxy(
  passPatch: (body: string, pass: (body: string) => Promise<string>) => Promise<string>,
  changeResponse: (text: string) => string = (text) => text,
): Promise<string> {
  const pass = async (method: string, path: string, body?: string): Promise<string> => {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(sim.url + path, { method, headers, ...(body !== undefined && { body }) })).text();
  };
  const proxy = await openReceiver(({ method = '', url = '' }, response) => {
    const body = String(proxy.received.at(-1)?.body);
    const text =
      method === 'PATCH'
        ? passPatch(body, (newBody) => pass(method, url, newBody))
        : pass(method, url).then(changeResponse);
    void text.then(
      (json) => response.end(json),
      () => response.destroy(),
    );
  });
  return proxy.url;
}

/** Sends a signal, and returns the exit code. */
async function stop({ child, ended }: SpawnedCommand, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return ended;
}

describe('listen', () => {
  test("verifies and prints a message, forwards it unchanged, and returns the receiver's response", async () => {
    const account = await sim.createAccount({ now, webhookUrl: 'http://127.0.0.1:1/original' });
    let respond: RequestListener = (_request, response) => void response.writeHead(500).end('out of order');
    const receiver = await openReceiver((request, response) => respond(request, response));
    const listening = await startListening(account, '--forward-to', `${receiver.url}/hooks`);
    expect(printedLines(listening)).toEqual([
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
    expect(printedMessages(listening)).toEqual([`${line}  → 500`]);
    expect(receiver.received[0]).toMatchObject({
      method: 'POST',
      path: '/hooks',
      body: Buffer.from(webhook?.body ?? ''),
      headers: Object.fromEntries(
        Object.entries(webhook?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    });

    respond = (_request, response) => void response.writeHead(202).end();
    const report = await account.clock.advance('5s');
    expect(report.steps).toEqual([expect.objectContaining({ kind: 'attempt', number: 2, status: 202 })]);
    expect(printedMessages(listening)).toEqual([`${line}  → 500`, `${line}  → 202`]);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);

    expect(await listening.end()).toMatchObject({ code: 0 });
    expect(await readSettings(account)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/original' });
  });

  test('without --forward-to responds with 200, and with --json prints a line of JSON for each message', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account, '--json');
    await account.trigger('deposit.failed');
    await expect.poll(() => printedLines(listening).length).toBe(3);
    const [ready, ...messages] = printedLines(listening).map((line) => JSON.parse(line));
    const { webhook_url: webhookUrl, webhook_secret: webhookSecret } = await readSettings(account);
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
    expect(await listening.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(await readSettings(account)).toMatchObject({ webhook_url: null });
  });

  describe('finds the id, the time and the record', () => {
    /** Triggers an event under a choice for gap event.payload. @returns the printed line */
    async function printedLine(choice: unknown, ...flags: string[]): Promise<{ line: string; eventId: string }> {
      const account = await sim.createAccount({ now, profile: { 'event.payload': choice } });
      const listening = await startListening(account, ...flags);
      const readyLines = printedLines(listening).length;
      await account.trigger('deposit.created');
      await expect.poll(() => printedLines(listening).length).toBeGreaterThan(readyLines);
      const [webhook] = await account.webhooks.all();
      return { line: printedLines(listening).at(-1) ?? '', eventId: webhook?.id ?? '' };
    }

    test('in the members that the profile names', async () => {
      const members = { data: 'event_data', id: 'event_id', created_at: 'sent_at' };
      const { line, eventId } = await printedLine({ members });
      expect(line).toBe(`2026-03-01 09:00:00  deposit.created             ${eventId}  deposit 1  ✓ signature`);
    });

    test('and prints a dash for members that the profile omits', async () => {
      const { line } = await printedLine({ members: { data: 'event_data' } });
      expect(line).toBe('-  deposit.created             -  deposit 1  ✓ signature');
    });

    test('and does not mistake the id and the time of the record for those of the event', async () => {
      const { line } = await printedLine('top-level');
      expect(line).toBe('-  deposit.created             -  deposit 1  ✓ signature');
    });

    test('and with --json prints null for an id and a time that the body lacks', async () => {
      const { line } = await printedLine('top-level', '--json');
      expect(JSON.parse(line)).toMatchObject({ id: null, created_at: null, record: 'deposit 1', verified: true });
    });
  });

  test.each([
    ['--events "deposit.failed, payment.succeeded"', ['--events', 'deposit.failed, payment.succeeded']],
    ['several --events', ['--events', 'deposit.failed', '--events', 'payment.succeeded']],
  ])('with %s, accepts other events without printing them', async (_flags, flags) => {
    const account = await sim.createAccount({ now });
    const receiver = await openReceiver();
    const listening = await startListening(account, ...flags, '--forward-to', receiver.url);
    await account.trigger('deposit.failed');
    await expect
      .poll(async () => (await account.webhooks.all()).map(({ status }) => status))
      .toEqual(['delivered', 'delivered']);
    expect(printedMessages(listening)).toEqual([expect.stringContaining('  deposit.failed  ')]);
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['deposit.failed']);
  });

  test('prints a message that arrives during the registration after the line about the listener', async () => {
    const account = await sim.createAccount({ now });
    const body = '{}';
    const profile = resolveProfile({});
    const headers = headersOf({ event: 'deposit.created', body, secret: account.webhookSecret, profile });
    let sent: Promise<Response> | undefined;
    const url = await openProxy(async (change, pass) => {
      const { webhook_url: listenerUrl } = JSON.parse(change);
      // At the end, the listener restores the previous URL, which is null.
      if (listenerUrl === null) return pass(change);
      sent = fetch(listenerUrl, { method: 'POST', headers, body });
      // Without the wait for the registration, the listener would print the message before it answers this request.
      await fetch(listenerUrl);
      return pass(change);
    });
    const listening = await startCliInProcess('listen', '--url', url, '--account', account.id, '--json');
    expect((await sent)?.status).toBe(200);
    expect(printedLines(listening).map((line) => JSON.parse(line))).toEqual([
      { url: expect.any(String), forwardTo: null, webhookSecret: account.webhookSecret },
      expect.objectContaining({ event: 'deposit.created', verified: true }),
    ]);
  });

  test('verifies with the current profile and secret, and prints a changed secret before the message', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account);
    const change = { webhook_secret: 'another', profile: { 'event.digest': 'base64' } };
    await fetch(`${sim.url}/_sim/accounts/${account.id}/settings`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });
    await account.trigger('deposit.created');
    await expect
      .poll(() => printedMessages(listening))
      .toEqual(['Webhook secret: another', expect.stringMatching(/deposit 1 {2}✓ signature$/)]);
  });

  test('with --json prints a new first line if the secret changes', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account, '--json');
    const [firstLine = ''] = printedLines(listening);
    await account.webhooks.configure({ secret: 'another' });
    await expect
      .poll(() =>
        printedLines(listening)
          .slice(1)
          .map((line) => JSON.parse(line)),
      )
      .toEqual([{ ...JSON.parse(firstLine), webhookSecret: 'another' }]);
  });

  test('marks a message that is malformed or has a wrong signature', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account);
    const { webhook_url: webhookUrl } = await readSettings(account);
    expect((await fetch(webhookUrl ?? '', { method: 'POST', body: 'hello\u001b[2J' })).status).toBe(200);
    const headers = { 'X-Service-Event': 'deposit.created', 'X-Service-Signature': `sha256=${'0'.repeat(64)}` };
    await fetch(webhookUrl ?? '', { method: 'POST', headers, body: '{"id":"evt_\\u001b\\n1","data":{}}' });
    await expect
      .poll(() => printedMessages(listening))
      .toEqual([
        '-  -                           -  - -  ✗ signature',
        '-  deposit.created             evt_� 1  deposit -  ✗ signature',
      ]);
  });

  test('prints that the receiver is unreachable, and responds with 502', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account, '--forward-to', 'http://127.0.0.1:1/');
    await account.trigger('deposit.created');
    await expect.poll(() => printedMessages(listening)[0]).toMatch(/✓ signature {2}→ 502 \(connection refused\)$/);
    await expect.poll(async () => (await account.webhooks.all())[0]?.attempts).toMatchObject([{ status: 502 }]);
  });

  test.each([
    [0, '000 Odd'],
    [99, '099 Odd'],
    [101, '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket'],
  ])(
    'responds with 502 if the receiver responds with status %d, and restores the webhook URL',
    async (status, response) => {
      const webhookUrl = 'http://127.0.0.1:1/original';
      const account = await sim.createAccount({ now, webhookUrl });
      const { url } = await openRawReceiver((socket) => void socket.end(`HTTP/1.1 ${response}\r\n\r\n`));
      const listening = await startListening(account, '--forward-to', url);
      await account.trigger('deposit.created');
      const error = `the receiver responded with status ${status}; it must be from 200 to 999`;
      await expect.poll(() => printedMessages(listening)[0]).toContain(`✓ signature  → 502 (${error})`);
      await expect.poll(async () => (await account.webhooks.all())[0]?.attempts).toMatchObject([{ status: 502 }]);
      expect(await listening.end()).toMatchObject({ code: 0, stderr: '' });
      expect(await readSettings(account)).toMatchObject({ webhook_url: webhookUrl });
    },
  );

  test.each([
    [
      'a date is relative to the Date of the receiver',
      'Date: Thu, 01 Jan 2026 00:00:00 GMT',
      'Thu, 01 Jan 2026 02:00:00 GMT',
    ],
    ["without a Date, a date is relative to the account's clock", 'X-No-Date: 1', 'Sun, 01 Mar 2026 11:00:00 GMT'],
  ])('returns the Retry-After of the receiver: %s', async (_case, header, retryAfter) => {
    const account = await sim.createAccount({ now });
    const response = `HTTP/1.1 503 Busy\r\n${header}\r\nRetry-After: ${retryAfter}\r\nContent-Length: 0\r\n\r\n`;
    const { url } = await openRawReceiver((socket) => {
      socket.once('data', () => void socket.end(response));
    });
    await startListening(account, '--forward-to', url);
    await account.trigger('deposit.created');
    await expect
      .poll(async () => (await account.agenda()).filter(({ kind }) => kind === 'delivery-attempt'))
      .toMatchObject([{ at: '2026-03-01T11:00:00.000Z' }]);
  });
});

test('listen restores a webhook URL of maximum length with characters that a URL escapes', async () => {
  const webhookUrl = `http://127.0.0.1:1/${'%ü'.repeat(1_000)}`.slice(0, 2_000);
  const account = await sim.createAccount({ now, webhookUrl });
  const listening = await startListening(account);
  await account.trigger('deposit.created');
  await expect.poll(() => printedMessages(listening)[0]).toMatch(/✓ signature$/);
  expect(await listening.end()).toMatchObject({ code: 0, stderr: '' });
  expect(await readSettings(account)).toMatchObject({ webhook_url: webhookUrl });
});

describe('listen ends', () => {
  test('when the webhook URL is changed, and does not restore the original one', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account);
    await account.webhooks.configure({ url: 'http://127.0.0.1:1/other' });
    expect((await listening.ended).code).toBe(2);
    expect(listening.output.stderr).toBe(
      'error: the webhook URL was changed to http://127.0.0.1:1/other, so no more webhooks arrive here\n',
    );
    expect(await readSettings(account)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/other' });
  });

  test('if the simulator cannot connect to it, for example because it runs in a container', async () => {
    const webhookUrl = 'http://127.0.0.1:1/original';
    const account = await sim.createAccount({ now, webhookUrl });
    const port = await freePort();
    // Nothing responds at the port that the simulator gets to see.
    const url = await openProxy((body, pass) => pass(body.replace(/:\d+\//, ':1/')));
    expect(await runCli('listen', '--url', url, '--account', account.id, '--port', `${port}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: the simulator at ${url} cannot connect to http://127.0.0.1:${port}/billing-sim-listen; run this command where the simulator runs, for example in the same container\n`,
    });
    expect(await readSettings(account)).toMatchObject({ webhook_url: webhookUrl });
  });

  test('when stdout is closed', async () => {
    const account = await sim.createAccount({ now });
    const listening = await spawnListening(account);
    listening.child.stdout?.destroy();
    await account.trigger('deposit.created');
    expect(await listening.ended).toBe(0);
    expect(listening.output.stderr).toBe('');
    expect(await readSettings(account)).toMatchObject({ webhook_url: null });
  });

  test('when the account is removed', async () => {
    const account = await sim.createAccount({ now });
    const listening = await startListening(account);
    await account.remove();
    expect((await listening.ended).code).toBe(2);
    expect(listening.output.stderr).toMatch(/^error: Account not found; /);
  });
});

describe('listen, when the simulator stops,', () => {
  interface Restart {
    /** Flags that start the simulator in a separate process, which can be killed. */
    readonly flags: string[];
    /** Starts the simulator again, in this process, on the same port, and with the same data if that is on disk. */
    restart(options?: { readonly webhookUrl: string }): Promise<Simulator>;
  }

  async function prepareRestart(storage: 'on disk' | 'in memory'): Promise<Restart> {
    const port = await freePort();
    const data = storage === 'on disk' ? join(tempFolder(), 'data') : undefined;
    return {
      flags: ['--port', `${port}`, ...(data === undefined ? ['--memory'] : ['--data', data])],
      async restart(options) {
        const simulator = await startSimulator({ port, ...(data === undefined ? {} : { data }), ...options });
        onTestFinished(() => simulator.close());
        return simulator;
      },
    };
  }

  const readWebhookUrl = async (url: string): Promise<string | null> =>
    JSON.parse(await (await fetch(`${url}/_sim/accounts/demo/settings`)).text()).webhook_url;

  const kill = async ({ child }: SpawnedSimulator): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };

  const originalUrl = 'http://127.0.0.1:1/original';

  test.each(['on disk', 'in memory'] as const)(
    'waits until a simulator with data %s is back, and receives webhooks again',
    async (storage) => {
      const { flags, restart } = await prepareRestart(storage);
      const first = await spawnSimulator(...flags, '--webhook-url', originalUrl);
      const listening = await startCliInProcess('listen', '--url', first.ready.url);
      await kill(first);
      await expect.poll(() => listening.output.stderr).toBe('Lost the connection to the simulator; waiting for it.\n');
      const { account, url } = await restart({ webhookUrl: originalUrl });
      await expect.poll(() => listening.output.stderr).toMatch(/\nConnected to the simulator again\.\n$/);
      await account.trigger('deposit.created');
      await expect.poll(() => printedLines(listening).at(-1)).toMatch(/deposit\.created .*✓ signature$/);
      expect(await listening.end()).toMatchObject({ code: 0 });
      expect(await readWebhookUrl(url)).toBe(originalUrl);
      expect(listening.output.stderr.trimEnd().split('\n')).toHaveLength(2);
    },
  );

  test('notices a restart between two checks, and receives webhooks again', async () => {
    const { restart } = await prepareRestart('in memory');
    const first = await restart();
    const listening = await startCliInProcess('listen', '--url', first.url);
    await first.close();
    const { account } = await restart({ webhookUrl: originalUrl });
    await expect.poll(() => readWebhookUrl(first.url)).toContain('/billing-sim-listen');
    await account.trigger('deposit.created');
    await expect.poll(() => printedLines(listening).at(-1)).toMatch(/deposit\.created .*✓ signature$/);
    expect(await listening.end()).toMatchObject({ code: 0 });
    expect(await readWebhookUrl(first.url)).toBe(originalUrl);
  });

  test('registers again after a restart, even if the first attempt gets no response', async () => {
    const account = await sim.createAccount({ now });
    let startedAt = '2026-03-01T09:00:00.000Z';
    const changes: string[] = [];
    const url = await openProxy(
      async (change, pass) => {
        changes.push(change);
        if (changes.length === 2) throw new Error('the connection is lost');
        return pass(change);
      },
      (text) => text.replace(/"started_at":"[^"]*"/, `"started_at":"${startedAt}"`),
    );
    const listening = await startCliInProcess('listen', '--url', url, '--account', account.id);
    startedAt = '2026-03-01T10:00:00.000Z';
    await account.webhooks.configure({ url: originalUrl });
    await expect
      .poll(() => readSettings(account))
      .toMatchObject({ webhook_url: expect.stringContaining('/billing-sim-listen') });
    expect(changes).toHaveLength(3);
    expect(await listening.end()).toMatchObject({ code: 0 });
  });

  test('waits for a simulator that is paused', async () => {
    const { child, ready } = await spawnSimulator('--memory');
    const listening = await spawnListen('--url', ready.url);
    child.kill('SIGSTOP');
    await expect.poll(() => listening.output.stderr).toContain('Lost the connection');
    child.kill('SIGCONT');
    await expect.poll(() => listening.output.stderr).toContain('Connected to the simulator again.');
    await runCli('trigger', 'deposit.created', '--url', ready.url);
    await expect.poll(() => printedLines(listening).at(-1)).toMatch(/✓ signature$/);
  });

  test('does not replace a webhook URL that was set while the simulator was paused', async () => {
    const { child, ready } = await spawnSimulator('--memory');
    const listening = await spawnListen('--url', ready.url);
    child.kill('SIGSTOP');
    await expect.poll(() => listening.output.stderr).toContain('Lost the connection');
    // The simulator handles this request when it continues, before the next check of the listener.
    const body = JSON.stringify({ webhook_url: originalUrl });
    const connection = await openRaw(ready.url);
    connection.send(
      `PATCH /_sim/accounts/demo/settings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    child.kill('SIGCONT');
    expect((await connection.nextResponse()).status).toBe(200);
    connection.close();
    await expect.poll(() => listening.output.stderr).toContain(`changed to ${originalUrl}`);
    expect(await readWebhookUrl(ready.url)).toBe(originalUrl);
  });

  test.each(sampleUnlessFull(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, { oneIn: 2 }))(
    'is stopped by %s while it waits, and the next start of the simulator restores the webhook URL',
    async (signal) => {
      const { flags, restart } = await prepareRestart('on disk');
      const first = await spawnSimulator(...flags, '--webhook-url', originalUrl);
      const listening = await spawnListen('--url', first.ready.url);
      await kill(first);
      await expect.poll(() => listening.output.stderr).toContain('Lost the connection');
      expect(await stop(listening, signal)).toBe(0);
      expect(listening.output.stderr).toContain(
        'The simulator does not respond; it restores the webhook URL when it starts.\n',
      );
      const { url } = await restart();
      expect(await readWebhookUrl(url)).toBe(originalUrl);
    },
  );
});

test('a start of the simulator keeps a webhook URL that is set while it probes the listener', async () => {
  const port = await freePort();
  // The port of a listener that has stopped may belong to another server.
  const other = await openReceiver((_request, response) => {
    const body = JSON.stringify({ webhook_url: 'http://127.0.0.1:1/new' });
    const headers = { 'Content-Type': 'application/json' };
    const settingsUrl = `http://127.0.0.1:${port}/_sim/accounts/demo/settings`;
    void fetch(settingsUrl, { method: 'PATCH', headers, body }).then(() => response.end());
  });
  const webhookUrl = `${other.url}/billing-sim-listen#http://127.0.0.1:1/original`;
  const simulator = await startSimulator({ port, webhookUrl });
  onTestFinished(() => simulator.close());
  const settings = await (await fetch(`${simulator.url}/_sim/accounts/demo/settings`)).text();
  expect(JSON.parse(settings)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/new' });
});

test('listen restores the webhook URL if it cannot write to stdout', async (context) => {
  context.skip(!existsSync('/dev/full'), 'needs the device /dev/full');
  const webhookUrl = 'http://127.0.0.1:9/';
  const account = await sim.createAccount({ webhookUrl });
  const command = `'${process.execPath}' dist/cli.js listen --url ${sim.url} --account ${account.id} > /dev/full`;
  await expect(promisify(execFile)('sh', ['-c', command])).rejects.toMatchObject({
    code: 2,
    stderr: 'error: cannot write to standard output (ENOSPC: no space left on device, write)\n',
  });
  expect(await readSettings(account)).toMatchObject({ webhook_url: webhookUrl });
});

test('listen restores the webhook URL when its terminal is closed', async (context) => {
  context.skip(process.platform !== 'linux', 'needs the `script` command of Linux');
  const webhookUrl = 'http://127.0.0.1:1/original';
  const account = await sim.createAccount({ webhookUrl });
  const command = `'${process.execPath}' dist/cli.js listen --url ${sim.url} --account ${account.id}`;
  // Creates a terminal, which is closed when `script` is killed.
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
  killAfterTest(terminal);
  await once(terminal.stdout, 'data');
  expect(await readSettings(account)).not.toMatchObject({ webhook_url: webhookUrl });
  terminal.kill('SIGKILL');
  await expect.poll(() => readSettings(account)).toMatchObject({ webhook_url: webhookUrl });
});

describe('two listeners of one account', () => {
  test('the second takes over, the first ends, and the second restores the original URL', async () => {
    const account = await sim.createAccount({ now, webhookUrl: 'http://127.0.0.1:1/original' });
    const first = await spawnListening(account);
    const second = await startListening(account);
    expect(await first.ended).toBe(2);
    expect(first.output.stderr).toBe(
      `error: another billing-sim listen has taken over the webhooks of ${account.id}\n`,
    );
    await account.trigger('deposit.created');
    await expect.poll(() => printedLines(second).at(-1)).toMatch(/✓ signature$/);
    expect(await second.end()).toMatchObject({ code: 0 });
    expect(await readSettings(account)).toMatchObject({ webhook_url: 'http://127.0.0.1:1/original' });
  });

  test('the first does not replace the URL of the second when it is interrupted', async () => {
    const account = await sim.createAccount({ now });
    const first = await spawnListening(account);
    first.child.kill('SIGSTOP');
    const second = await startListening(account);
    first.child.kill('SIGINT');
    first.child.kill('SIGCONT');
    await first.ended;
    await account.trigger('deposit.created');
    await expect.poll(() => printedLines(second).at(-1)).toMatch(/✓ signature$/);
  });
});

test('listen --print-secret prints the webhook secret and ends', async () => {
  const account = await sim.createAccount({ webhookSecret: 'whsec_mine' });
  const printSecret = (...flags: string[]) =>
    runCli('listen', '--url', sim.url, '--account', account.id, '--print-secret', ...flags);
  expect(await printSecret()).toEqual({ code: 0, stdout: 'whsec_mine\n', stderr: '' });
  expect(await printSecret('--json')).toEqual({ code: 0, stdout: '{"webhookSecret":"whsec_mine"}\n', stderr: '' });
  expect(await readSettings(account)).toMatchObject({ webhook_url: null });
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
    expect(await readSettings(sim.account)).toMatchObject({ webhook_url: null });
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
      /^error: option '--events <names>' argument 'deposit\.gone' is invalid: expected one of payment\.succeeded,/,
    ],
    [
      ['--forward-to', 'hotel.example'],
      /^error: option '--forward-to <url>' argument .* expected a URL that begins with http/,
    ],
    [
      ['--port', '99999'],
      /^error: option '--port <number>' argument '99999' is invalid: expected a port from 0 to 65535/,
    ],
  ])('%j', async (flags, problem) => {
    expect(await runCli('listen', '--url', sim.url, ...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(problem),
    });
  });
});
