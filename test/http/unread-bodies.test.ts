import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientErrorListener } from '../../src/http/client-error.js';
import { writeResponse } from '../../src/http/service/response.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { emptyWorld, openAccount } from '../simulation/world.js';
import { countRecords } from '../support/counts.js';
import { fakeNodeTimers } from '../support/fake-node-timers.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { openRaw, type RawConnection, sendRaw } from '../support/raw.js';

/** Requests that are refused before their body has arrived. The client must still be able to read the response. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

async function open(url = sim.url): Promise<RawConnection> {
  const connection = await openRaw(url);
  onTestFinished(() => connection.close());
  return connection;
}

interface Endpoint {
  readonly name: string;
  readonly path: string;
  readonly contentType?: string;
  readonly limitBytes: number;
}

const endpoints: Endpoint[] = [
  { name: 'the service', path: '/api/v1/payment-links', limitBytes: 100_000 },
  { name: 'the control API', path: '/_sim/accounts/demo/clock/advance', limitBytes: 100_000 },
  { name: 'the creation of an account', path: '/_sim/accounts', limitBytes: 1_000_000 },
  {
    name: 'a form of the dashboard',
    path: '/dashboard/demo/do/clearFaults',
    contentType: 'application/x-www-form-urlencoded',
    limitBytes: 100_000,
  },
];

const requestHead = (path: string, contentType: string, ...lines: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer demo_full',
    `Content-Type: ${contentType}`,
    ...lines,
    '\r\n',
  ].join('\r\n');

describe.each(endpoints)('a body for $name', ({ path, contentType = 'application/json', limitBytes }) => {
  test('that exceeds the limit is refused because of its Content-Length, before any of it has arrived', async () => {
    const connection = await open();
    connection.send(requestHead(path, contentType, `Content-Length: ${limitBytes + 1}`));
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('that exceeds the limit gets no 100 Continue, and the connection ends with the response', async () => {
    const connection = await open();
    connection.send(requestHead(path, contentType, `Content-Length: ${limitBytes + 1}`, 'Expect: 100-continue'));
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
    await connection.ended;
  });

  test('is refused at the limit if it arrives in chunks without an end', async () => {
    const connection = await open();
    const chunkBytes = 10_000;
    const chunk = `${chunkBytes.toString(16)}\r\n${' '.repeat(chunkBytes)}\r\n`;
    connection.send(
      requestHead(path, contentType, 'Transfer-Encoding: chunked') + chunk.repeat(limitBytes / chunkBytes),
    );
    connection.send('1\r\n \r\n');
    expect(await connection.nextResponse()).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('within the limit gets 100 Continue', async () => {
    const connection = await open();
    connection.send(requestHead(path, contentType, 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'));
    expect(await connection.nextResponse()).toEqual({ status: 100, headers: {}, body: '' });
    connection.send('{}');
    expect((await connection.nextResponse()).status).not.toBeOneOf([100, 413]);
  });
});

const paymentLinksPath = '/api/v1/payment-links';

test.each([
  { name: 'an unknown token', token: 'nobody', status: 401 },
  { name: 'a content type that is not JSON', contentType: 'text/plain', status: 415 },
  { name: 'an unknown host', host: 'evil.example', status: 421 },
])(
  'a request with $name is refused without a 100 Continue',
  async ({ token = 'demo_full', contentType = 'application/json', host = '127.0.0.1', status }) => {
    const connection = await open();
    const request = requestHead(paymentLinksPath, contentType, 'Content-Length: 9', 'Expect: 100-continue')
      .replace('127.0.0.1', host)
      .replace('demo_full', token);
    connection.send(request);
    expect((await connection.nextResponse()).status).toBe(status);
    await connection.ended;
  },
);

describe('a body in chunks', () => {
  const head = (...lines: string[]): string =>
    requestHead('/api/v1/deposits/1/capture', 'text/plain', 'Transfer-Encoding: chunked', ...lines);

  test('that is not JSON is refused as soon as its first chunk arrives', async () => {
    const connection = await open();
    connection.send(`${head()}1\r\n1\r\n`);
    expect((await connection.nextResponse()).status).toBe(415);
  });

  test('that is not JSON is refused without a 100 Continue', async () => {
    const connection = await open();
    connection.send(head('Expect: 100-continue'));
    expect((await connection.nextResponse()).status).toBe(415);
    await connection.ended;
  });

  test('that is empty and has no type counts as no body', async () => {
    const withoutType = head('Connection: close').replace('Content-Type: text/plain\r\n', '');
    const responses = await sendRaw(sim.url, `${withoutType}0\r\n\r\n`);
    expect(responses.map(({ body }) => body)).toEqual(['{"success":false,"error":"Deposit cannot be captured"}']);
  });
});

test('Expect: 100-continue is ignored in HTTP/1.0, which has no 100 Continue', async () => {
  const body = '{"description":"old","amount":1}';
  const request = requestHead(
    paymentLinksPath,
    'application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  );
  const responses = await sendRaw(sim.url, request.replace('HTTP/1.1', 'HTTP/1.0') + body);
  expect(responses.map(({ status }) => status)).toEqual([201]);
});

test.each([
  { name: '413 for its size', lines: [], status: 413 },
  { name: '421 for its host', host: 'evil.example', lines: ['Connection: close'], status: 421 },
  { name: '415 for its content type', contentType: 'text/plain', lines: ['Connection: close'], status: 415 },
])(
  'a client that sends 10 MB before it reads still receives $name',
  async ({ host = '127.0.0.1', contentType = 'application/json', lines, status }) => {
    const sizeBytes = 10_000_000;
    const head = requestHead(paymentLinksPath, contentType, `Content-Length: ${sizeBytes}`, ...lines);
    const bytes = Buffer.concat([Buffer.from(head.replace('127.0.0.1', host)), Buffer.alloc(sizeBytes, ' ')]);
    const responses = await sendRaw(sim.url, bytes);
    expect(responses.map((response) => response.status)).toEqual([status]);
  },
);

describe('a request behind one that is refused with 413', () => {
  const body = '{"description":"behind","amount":1}';
  const nextRequest = `${requestHead(paymentLinksPath, 'application/json', `Content-Length: ${body.length}`)}${body}`;
  const size = 200_000;
  const tooLarge = `${requestHead(paymentLinksPath, 'application/json', `Content-Length: ${size}`)}${' '.repeat(size)}`;
  const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
  const tooLargeInChunks = requestHead(paymentLinksPath, 'application/json', 'Transfer-Encoding: chunked') + chunk;

  test.each([
    { name: 'a request', bytes: tooLarge + nextRequest },
    { name: 'a request after a chunked one', bytes: tooLargeInChunks + nextRequest },
    { name: 'several requests', bytes: tooLarge + nextRequest.repeat(3) },
    { name: 'bytes that are not HTTP', bytes: `${tooLarge}hello\r\n\r\n` },
    {
      name: 'a request that expects 100 Continue',
      bytes: tooLarge + nextRequest.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
    },
  ])('is ignored, since the connection closes: $name', async ({ bytes }) => {
    const before = await countRecords(sim.url, 'demo_full');
    const responses = await sendRaw(sim.url, bytes);
    expect(responses.map(({ status }) => status)).toEqual([413]);
    expect(await countRecords(sim.url, 'demo_full')).toEqual(before);
  });

  test('is ignored, too, if it arrives later', async () => {
    const before = await countRecords(sim.url, 'demo_full');
    const connection = await open();
    connection.send(tooLarge.slice(0, -1));
    expect((await connection.nextResponse()).status).toBe(413);
    connection.send(` ${nextRequest}`);
    await connection.ended;
    expect(await countRecords(sim.url, 'demo_full')).toEqual(before);
  });
});

describe('bytes that are not HTTP, behind requests whose responses are pending', () => {
  const body = '{"description":"first","amount":1}';
  const request = (...lines: string[]): string =>
    requestHead(paymentLinksPath, 'application/json', `Content-Length: ${body.length}`, ...lines) + body;
  const slow = request('X-Sim-Fault: latency=50ms');
  const chunked = requestHead(paymentLinksPath, 'application/json', 'Transfer-Encoding: chunked');

  test.each([
    { name: 'one request', bytes: `${request()}hello\r\n\r\n`, statuses: [201, 400] },
    { name: 'a slow request', bytes: `${slow}hello\r\n\r\n`, statuses: [201, 400] },
    { name: 'two requests', bytes: `${slow}${request()}hello\r\n\r\n`, statuses: [201, 201, 400] },
    { name: 'as a body', bytes: `${slow}${chunked}hello\r\n`, statuses: [201, 400] },
    { name: 'one that closes the connection', bytes: `${request('Connection: close')}hello\r\n\r\n`, statuses: [201] },
  ])('are refused after those responses: $name', async ({ bytes, statuses }) => {
    const responses = await sendRaw(sim.url, bytes);
    expect(responses.map(({ status }) => status)).toEqual(statuses);
  });
});

interface ServerWithSocket {
  readonly url: string;
  /** The server's socket for the next connection. */
  readonly nextSocket: Promise<Socket>;
}

async function listen(server: Server): Promise<ServerWithSocket> {
  const nextSocket = once(server, 'connection').then(([socket]) => {
    if (!(socket instanceof Socket)) throw new Error('a connection has no socket');
    return socket;
  });
  const { url } = await listenUntilTestEnds(server);
  return { url, nextSocket };
}

/** Time that a refused client has to read the response and to close the connection. */
const closeDelayMs = 5_000;

test('a client that neither sends its body nor closes is disconnected after 5 seconds', async () => {
  fakeNodeTimers();
  const { url, nextSocket } = await listen(
    createServer((_request, response) => writeResponse(response, { status: 413, body: '{}' }, { Connection: 'close' })),
  );
  const connection = await open(url);
  connection.send(requestHead(paymentLinksPath, 'application/json', 'Content-Length: 100001'));
  await connection.nextResponse();
  const socket = await nextSocket;
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(closeDelayMs - 1);
  expect(socket.writable).toBe(true);
  vi.advanceTimersByTime(1);
  await closed;
});

describe('a request that is malformed or too slow', () => {
  const shortTimeouts: ServerOptions = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };

  /** Starts a server that counts the requests that arrive completely. */
  async function listenAndCount(options: ServerOptions) {
    const world = await emptyWorld();
    openAccount(world, 'demo');
    const counts = { completeRequests: 0 };
    const server = createServer(options, (request) => request.resume().on('end', () => (counts.completeRequests += 1)));
    server.on('clientError', clientErrorListener(world));
    return { ...(await listen(server)), counts };
  }

  const badRequests = [
    { name: 'incomplete headers', bytes: 'POST / HTTP/1.1\r\nHost:', status: 408 },
    { name: 'an incomplete body', bytes: requestHead('/', 'a/b', 'Content-Length: 2').concat('{'), status: 408 },
    { name: 'bytes that are not HTTP', bytes: 'hello\r\n\r\n', status: 400 },
  ];

  test.each(badRequests)(
    'with $name gets a response, and is disconnected 5 seconds later if the client does not close',
    async ({ bytes, status }) => {
      fakeNodeTimers();
      // Bytes that are not HTTP get their response immediately. With short timeouts the connection would end earlier.
      const { url, nextSocket } = await listenAndCount(status === 408 ? shortTimeouts : {});
      const connection = await open(url);
      connection.send(bytes);
      expect((await connection.nextResponse()).status).toBe(status);
      await connection.ended;
      const socket = await nextSocket;
      const closed = once(socket, 'close');
      vi.advanceTimersByTime(closeDelayMs - 1);
      expect(socket.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      await closed;
    },
  );

  test('is not handled if the rest of its body arrives after the response', async () => {
    const { url, nextSocket, counts } = await listenAndCount(shortTimeouts);
    const connection = await open(url);
    connection.send(requestHead('/', 'a/b', 'Content-Length: 2').concat('{'));
    expect((await connection.nextResponse()).status).toBe(408);
    const socket = await nextSocket;
    const restArrived = once(socket, 'data');
    connection.send(`}${requestHead('/', 'a/b', 'Content-Length: 2')}{}`);
    await restArrived;
    connection.close();
    await once(socket, 'close');
    expect(counts.completeRequests).toBe(0);
  });
});
