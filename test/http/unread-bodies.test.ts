import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerClientError } from '../../src/http/client-error.js';
import { writeAnswer } from '../../src/http/service/answer.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { emptyWorld, openAccount } from '../simulation/world.js';
import { openRaw, type RawConnection, sendRaw } from '../support/raw.js';

/** Requests that are answered while their body is still to come: at once, and so that the response arrives. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

afterEach(() => {
  vi.useRealTimers();
});

async function open(url = sim.url): Promise<RawConnection> {
  const connection = await openRaw(url);
  onTestFinished(() => connection.close());
  return connection;
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly type?: string;
  readonly limit: number;
}

const targets: Target[] = [
  { name: 'the service', path: '/api/v1/payment-links', limit: 100_000 },
  { name: 'the control API', path: '/_sim/accounts/demo/clock/advance', limit: 100_000 },
  { name: 'the creation of an account', path: '/_sim/accounts', limit: 1_000_000 },
  {
    name: 'a form of the dashboard',
    path: '/dashboard/demo/do/clearFaults',
    type: 'application/x-www-form-urlencoded',
    limit: 100_000,
  },
];

const head = (path: string, type: string, ...lines: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer demo_full',
    `Content-Type: ${type}`,
    ...lines,
    '\r\n',
  ].join('\r\n');

describe.each(targets)('a body beyond the limit of $name', ({ path, type = 'application/json', limit }) => {
  test('is refused by its Content-Length, before any of it has arrived', async () => {
    const connection = await open();
    connection.send(head(path, type, `Content-Length: ${limit + 1}`));
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('is never requested, and the connection ends with the response', async () => {
    const connection = await open();
    connection.send(head(path, type, `Content-Length: ${limit + 1}`, 'Expect: 100-continue'));
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
    await connection.ended;
  });

  test('is refused at the limit when it comes in chunks without an end', async () => {
    const connection = await open();
    const chunk = `${(10_000).toString(16)}\r\n${' '.repeat(10_000)}\r\n`;
    connection.send(head(path, type, 'Transfer-Encoding: chunked') + chunk.repeat(limit / 10_000));
    connection.send('1\r\n \r\n');
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('is requested if it is within the limit', async () => {
    const connection = await open();
    connection.send(head(path, type, 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'));
    expect(await connection.nextResponse()).toEqual({ status: 100, headers: {}, body: '' });
    connection.send('{}');
    expect((await connection.nextResponse()).status).not.toBeOneOf([100, 413]);
  });
});

const service = '/api/v1/payment-links';

test.each([
  { name: 'an unknown token', lines: ['Authorization: Bearer nobody'], status: 401 },
  { name: 'a content type that is not JSON', type: 'text/plain', status: 415 },
  { name: 'a foreign host', host: 'evil.example', status: 421 },
])('a request with $name is refused without requesting its body', async ({ lines, type, host, status }) => {
  const connection = await open();
  const request = head(service, type ?? 'application/json', 'Content-Length: 9', 'Expect: 100-continue')
    .replace('127.0.0.1', host ?? '127.0.0.1')
    .replace('Authorization: Bearer demo_full', lines?.[0] ?? 'Authorization: Bearer demo_full');
  connection.send(request);
  expect((await connection.nextResponse()).status).toBe(status);
  await connection.ended;
});

test('Expect: 100-continue of HTTP/1.0 is answered without a 100, which that version does not have', async () => {
  const body = '{"description":"old","amount":1}';
  const request = head(service, 'application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue');
  const answers = await sendRaw(sim.url, request.replace('HTTP/1.1', 'HTTP/1.0') + body);
  expect(answers.map(({ status }) => status)).toEqual([201]);
});

test.each([
  { name: '413', path: service, lines: [], status: 413 },
  { name: '421 and a connection to be closed', path: service, lines: ['Connection: close'], status: 421 },
  { name: '415 and a connection to be closed', path: service, lines: ['Connection: close'], status: 415 },
])('a client that sends 10 MB regardless reads the response: $name', async ({ path, lines, status }) => {
  const type = status === 415 ? 'text/plain' : 'application/json';
  const request = head(path, type, 'Content-Length: 10000000', ...lines);
  const named = status === 421 ? request.replace('127.0.0.1', 'evil.example') : request;
  const answers = await sendRaw(sim.url, Buffer.concat([Buffer.from(named), Buffer.alloc(10_000_000, ' ')]));
  expect(answers.map((answer) => answer.status)).toEqual([status]);
});

interface Listening {
  readonly url: string;
  /** The server's side of the connection that comes next. */
  readonly nextSocket: Promise<Socket>;
}

async function listen(server: Server): Promise<Listening> {
  const nextSocket = once(server, 'connection').then(([socket]) => {
    if (!(socket instanceof Socket)) throw new Error('a connection has no socket');
    return socket;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, nextSocket };
}

const lingering = 5_000;

test('a client that neither sends its body nor closes is disconnected after 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { url, nextSocket } = await listen(
    createServer((_request, response) => writeAnswer(response, { status: 413, body: '{}' }, { Connection: 'close' })),
  );
  const connection = await open(url);
  connection.send(head(service, 'application/json', 'Content-Length: 100001'));
  await connection.nextResponse();
  const socket = await nextSocket;
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(lingering - 1);
  expect(socket.writable).toBe(true);
  vi.advanceTimersByTime(1);
  await closed;
});

describe('a request that is broken or late', () => {
  const shortTimeouts: ServerOptions = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };

  /** Starts a server that counts the requests it received completely. */
  async function listenAndCount(options: ServerOptions) {
    const world = await emptyWorld();
    openAccount(world, 'demo');
    const seen = { complete: 0 };
    const server = createServer(options, (request) => request.resume().on('end', () => (seen.complete += 1)));
    server.on('clientError', answerClientError(world));
    return { ...(await listen(server)), seen };
  }

  const cases = [
    { name: 'incomplete headers', bytes: 'POST / HTTP/1.1\r\nHost:', status: 408 },
    { name: 'an incomplete body', bytes: head('/', 'a/b', 'Content-Length: 2').concat('{'), status: 408 },
    { name: 'bytes that are not HTTP', bytes: 'hello\r\n\r\n', status: 400 },
  ];

  test.each(cases)('with $name is disconnected after 5 seconds, if the client does not close', async (sent) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Bytes that are not HTTP are answered at once; a timeout would only end the connection earlier.
    const { url, nextSocket } = await listenAndCount(sent.status === 408 ? shortTimeouts : {});
    const connection = await open(url);
    connection.send(sent.bytes);
    expect((await connection.nextResponse()).status).toBe(sent.status);
    await connection.ended;
    const socket = await nextSocket;
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(lingering - 1);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await closed;
  });

  test('is not handled if the rest arrives after its response', async () => {
    const { url, nextSocket, seen } = await listenAndCount(shortTimeouts);
    const connection = await open(url);
    connection.send(head('/', 'a/b', 'Content-Length: 2').concat('{'));
    expect((await connection.nextResponse()).status).toBe(408);
    const socket = await nextSocket;
    const [arrived] = [once(socket, 'data')];
    connection.send(`}${head('/', 'a/b', 'Content-Length: 2')}{}`);
    await arrived;
    connection.close();
    await once(socket, 'close');
    expect(seen.complete).toBe(0);
  });
});
