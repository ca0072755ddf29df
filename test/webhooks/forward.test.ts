import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { createForwarder, type Forwarder } from '../../src/webhooks/forward.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { selfSigned } from '../support/self-signed.js';
import { openRawReceiver, openReceiver } from './receiver.js';

function forwarderTo(url: string, options: Partial<Parameters<typeof createForwarder>[0]> = {}): Forwarder {
  const forwarder = createForwarder({
    url: new URL(url),
    timeoutMs: 5_000,
    problemOfConnection: () => undefined,
    ...options,
  });
  onTestFinished(() => forwarder.close());
  return forwarder;
}

const rawHeaders = [
  ...['Host', '127.0.0.1:1', 'Connection', 'keep-alive', 'Content-Length', '3', 'Content-Type', 'application/json'],
  ...['X-Service-Event', 'deposit.created', 'X-Service-Signature', 'sha256=00', 'User-Agent', 'billing-sim/0.0.0'],
];

test('the same bytes are forwarded, with the original headers', async () => {
  const receiver = await openReceiver();
  const body = Buffer.from([0xff, 0x00, 0x7b]);
  await forwarderTo(`${receiver.url}/hooks?a=b`).forward({ rawHeaders, body });
  expect(receiver.received).toEqual([
    {
      method: 'POST',
      path: '/hooks?a=b',
      body,
      headers: {
        host: new URL(receiver.url).host,
        connection: 'keep-alive',
        'content-length': '3',
        'content-type': 'application/json',
        'x-service-event': 'deposit.created',
        'x-service-signature': 'sha256=00',
        'user-agent': 'billing-sim/0.0.0',
      },
    },
  ]);
});

test('nothing is sent after the forwarder is closed', async () => {
  const receiver = await openReceiver();
  const forwarder = forwarderTo(receiver.url);
  forwarder.close();
  const outcome = await forwarder.forward({ rawHeaders, body: Buffer.from('{}') });
  expect(outcome).toMatchObject({ status: null, error: 'stopped' });
  expect(receiver.received).toEqual([]);
});

test('repeated headers stay separate, and hop-by-hop headers such as Connection, Upgrade and TE are not forwarded', async () => {
  let forwardedHeaders: readonly string[] = [];
  const { url } = await openReceiver((request, response) => {
    forwardedHeaders = request.rawHeaders;
    response.end();
  });
  const originalHeaders = [
    ...['X-Trace', 'a', 'x-trace', 'b', '__proto__', 'c', 'Connection', 'keep-alive, X-Hop', 'X-Hop', 'd'],
    ...['Upgrade', 'h2c', 'Trailer', 'X-End', 'Expect', '100-continue', 'TE', 'trailers', 'Proxy-Authorization', 'e'],
  ];
  await forwarderTo(url).forward({ rawHeaders: originalHeaders, body: Buffer.from('{}') });
  expect(forwardedHeaders).toEqual([
    ...['X-Trace', 'a', 'X-Trace', 'b', '__proto__', 'c', 'Content-Length', '2'],
    ...['Host', new URL(url).host, 'Connection', 'keep-alive'],
  ]);
});

test('the response is returned unchanged', async () => {
  const { url } = await openReceiver((_request, response) => {
    response.writeHead(503, { 'Retry-After': '7' }).end('later');
  });
  expect(await forwarderTo(url).forward({ rawHeaders, body: Buffer.from('{}') })).toEqual({
    status: 503,
    error: null,
    responseBody: 'later',
    retryAfter: '7',
    date: expect.stringContaining(' GMT'),
  });
});

test('the connection is reused for later messages', async () => {
  const receiver = await openReceiver();
  const forwarder = forwarderTo(receiver.url);
  for (let count = 0; count < 3; count++) await forwarder.forward({ rawHeaders, body: Buffer.from('{}') });
  expect(receiver.connectionCount()).toBe(1);
});

test('the outcome says why there is no response', async () => {
  const silent = await openRawReceiver(() => undefined);
  const body = Buffer.from('{}');
  expect(await forwarderTo('http://127.0.0.1:1').forward({ rawHeaders, body })).toMatchObject({
    status: null,
    error: 'connection refused',
  });
  expect(await forwarderTo(silent.url, { timeoutMs: 100 }).forward({ rawHeaders, body })).toMatchObject({
    status: null,
    error: 'no response within 0.1 s',
  });
});

test('the certificate of a receiver is checked', async () => {
  const { url } = await listenUntilTestEnds(createServer(selfSigned, (_request, response) => void response.end()));
  const { status, error } = await forwarderTo(url).forward({ rawHeaders, body: Buffer.from('{}') });
  expect({ status, error }).toEqual({ status: null, error: expect.stringMatching(/self-signed certificate/) });
});

test('nothing is sent if the forwarder objects to the connection, for example because it leads to the simulator', async () => {
  const receiver = await openReceiver();
  const forwarder = forwarderTo(receiver.url, { problemOfConnection: () => 'it is the simulator itself' });
  expect(await forwarder.forward({ rawHeaders, body: Buffer.from('{}') })).toMatchObject({
    status: null,
    error: 'it is the simulator itself',
  });
  expect(receiver.received).toEqual([]);
});

test('closing the forwarder aborts open requests', async () => {
  const silent = await openRawReceiver(() => undefined);
  const forwarder = forwarderTo(silent.url);
  const forwarded = forwarder.forward({ rawHeaders, body: Buffer.from('{}') });
  forwarder.close();
  expect(await forwarded).toMatchObject({ status: null, error: 'stopped' });
});
