import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, type SimulatorAccount, startSimulator } from '../../src/index.js';
import { tempFolder } from '../support/temp-folder.js';
import { openReceiver } from '../webhooks/receiver.js';

/** A client may end its side of the connection after its request, as `nc -N` does, and still read the response. */

interface HalfClosedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Starts a simulator that stores changes on disk, so that responses wait for the store. */
async function startStoringSimulator(): Promise<{ sim: Simulator; account: SimulatorAccount }> {
  const sim = await startSimulator({ data: tempFolder(), durability: 'disk', rateLimit: false, log: () => undefined });
  onTestFinished(() => sim.close());
  return { sim, account: await sim.createAccount() };
}

/** Sends a request and ends the client's side of the connection, which stays open for the response. */
function sendAndEnd({ url, tokens }: SimulatorAccount, { method, path, body }: HalfClosedRequest): Socket {
  const { port } = new URL(url);
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${tokens.full}`,
    'Content-Type: application/json',
    `Content-Length: ${content.length}`,
  ];
  const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${content}`);
  return socket;
}

/** Everything that a socket receives until the server ends the connection. */
async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

const deposit = { booking_reference: 'BK-1', amount: 300 };

describe('a client that ends its side of the connection after the request gets the response', () => {
  test('of a request that reads', async () => {
    const { account } = await startStoringSimulator();
    const response = await textOf(sendAndEnd(account, { method: 'GET', path: '/api/v1/deposits' }));
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"data":\[\]/s);
  });

  test('of a request whose changes have to be stored first', async () => {
    const { account } = await startStoringSimulator();
    const response = await textOf(sendAndEnd(account, { method: 'POST', path: '/api/v1/deposits', body: deposit }));
    expect(response).toMatch(/^HTTP\/1\.1 201 Created\r\n.*"booking_reference":"BK-1"/s);
  });

  test('of a clock advance that waits for a receiver', async () => {
    const { account } = await startStoringSimulator();
    let respond = (): void => undefined;
    const receiver = await openReceiver((_request, response) => {
      respond = () => void response.writeHead(204).end();
    });
    await account.webhooks.configure({ url: receiver.url });
    await account.trigger('deposit.created');
    await expect.poll(() => receiver.received).toHaveLength(1);
    const path = `/_sim/accounts/${account.id}/clock/advance`;
    const socket = sendAndEnd(account, { method: 'POST', path, body: { by: '1s' } });
    await once(socket, 'finish');
    respond();
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"steps":\[/s);
  });

  test('of a fault that replaces the response', async () => {
    const { account } = await startStoringSimulator();
    await account.faults.add({ effect: 'status=503' });
    expect(await textOf(sendAndEnd(account, { method: 'POST', path: '/api/v1/deposits', body: deposit }))).toMatch(
      /^HTTP\/1\.1 503 /,
    );
  });
});

describe('a client that ends its side of the connection counts as gone', () => {
  test.each(['latency=10m', 'hang', 'slow-body=10m;bytes=1'])(
    'while a fault delays the response: %s',
    async (effect) => {
      const { account } = await startStoringSimulator();
      await account.faults.add({ effect });
      const response = await textOf(sendAndEnd(account, { method: 'POST', path: '/api/v1/deposits', body: deposit }));
      expect(response).not.toContain('"booking_reference"');
      await expect.poll(() => account.requests()).toHaveLength(1);
    },
  );

  test('while it reads a stream', async () => {
    const { account } = await startStoringSimulator();
    const path = `/_sim/accounts/${account.id}/activity/stream`;
    // Ends, although the account has not been closed.
    expect(await textOf(sendAndEnd(account, { method: 'GET', path }))).not.toContain('event: activity');
  });
});
