import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '@octokit/webhooks-methods';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signatureOf } from '../../src/domain/webhook-signature.js';
import type { WebhookOutcome } from '../../src/simulation/state/ports.js';
import { createDeferred } from '../support/deferred.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { selfSigned } from '../support/self-signed.js';
import { neverAborted, openRawReceiver, openReceiver, openSender, webhookRequestTo } from './receiver.js';

const profile = webhookRequestTo('').profile;
const unanswered = { status: null, responseBody: '', retryAfter: null, date: null };

/** Creates a connection handler that responds to each request with these bytes, if any, and calls `afterResponse`. */
function respondWith(bytes: string, afterResponse: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    let requested = '';
    socket.on('data', (chunk: Buffer) => {
      requested += chunk.toString('latin1');
      // A request ends with the closing brace of its JSON body.
      if (!requested.endsWith('}')) return;
      requested = '';
      if (bytes === '') afterResponse(socket);
      else socket.write(bytes, () => afterResponse(socket));
    });
  };
}

describe('the sent message', () => {
  test('is a POST of the body, with its headers', async () => {
    const receiver = await openReceiver();
    const message = webhookRequestTo(`${receiver.url}/hook?key=a%20b#part`);
    const outcome = await openSender().send(message, neverAborted);
    expect(outcome).toEqual({
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': expect.stringMatching(/^billing-sim\/\d/),
        'X-Service-Event': 'deposit.created',
        'X-Service-Signature': signatureOf(message.body, 'a secret', 'hex'),
        'Content-Length': '40',
      },
      status: 204,
      error: null,
      milliseconds: expect.any(Number),
      responseBody: '',
      retryAfter: null,
      date: expect.stringContaining(' GMT'),
    });
    const [received] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(received).toMatchObject({ method: 'POST', path: '/hook?key=a%20b' });
    const lower = Object.entries(outcome.headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(received?.headers).toEqual({
      ...Object.fromEntries(lower),
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
    });
  });

  test.each([
    ['ASCII', '{"id":"evt_1"}'],
    ['accents, Cyrillic letters and emoji', '{"description":"Séminaire d’été ☕ Київ 🎉"}'],
    ['escaped unpaired surrogates and controls', JSON.stringify({ text: '\ud83d \u0000 \u2028 \\ "' })],
    ['a body of 100 kB', JSON.stringify({ text: '🚀'.repeat(25_000) })],
    ['an empty body', ''],
  ])('is what was signed, to the byte: %s', async (_what, body) => {
    const receiver = await openReceiver();
    await openSender().send(webhookRequestTo(receiver.url, { body }), neverAborted);
    const [received] = receiver.received;
    expect(received?.body.equals(Buffer.from(body))).toBe(true);
    expect(received?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(received?.headers['x-service-signature']).toBe(
      signatureOf(received?.body ?? Buffer.alloc(0), 'a secret', 'hex'),
    );
  });

  test('verifies at a receiver with @octokit/webhooks-methods', async () => {
    const receiver = await openReceiver();
    const sender = openSender();
    for (const event of ['payment.succeeded', 'deposit.expired'] as const) {
      await sender.send(
        webhookRequestTo(receiver.url, { event, body: `{"event":"${event}","note":"é 🎉"}` }),
        neverAborted,
      );
    }
    expect(receiver.received).toHaveLength(2);
    for (const { headers, body } of receiver.received) {
      const signature = String(headers['x-service-signature']);
      expect(await verify('a secret', body.toString(), signature)).toBe(true);
      expect(await verify('another', body.toString(), signature)).toBe(false);
    }
  });

  test('has a base64 signature in another header if the profile says so', async () => {
    const receiver = await openReceiver();
    const message = webhookRequestTo(receiver.url, {
      event: 'payment.succeeded',
      profile: { ...profile, 'event.digest': 'base64', 'event.payment-signature': { header: 'X-Signed-By' } },
    });
    await openSender().send(message, neverAborted);
    const headers = receiver.received[0]?.headers;
    expect(headers?.['x-signed-by']).toBe(signatureOf(message.body, 'a secret', 'base64'));
    expect(headers).not.toHaveProperty('x-service-signature');
  });

  test('uses the connection of the message before it', async () => {
    const receiver = await openReceiver((_request, response) => void response.end('thanks'));
    const sender = openSender();
    for (let count = 0; count < 5; count += 1) await sender.send(webhookRequestTo(receiver.url), neverAborted);
    expect(receiver.received).toHaveLength(5);
    expect(receiver.connectionCount()).toBe(1);
  });

  test('can be one of a hundred that are sent at the same time, without a warning', async () => {
    // All share an abort signal. Some versions of Node warn about many listeners on one signal.
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const receiver = await openReceiver();
    const sender = openSender();
    const { signal } = new AbortController();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        sender.send(webhookRequestTo(receiver.url, { body: `{"n":${index}}` }), signal),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(100).fill(204));
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(100);
    expect(warnings).toEqual([]);
  });
});

describe('the response', () => {
  test.each([200, 299, 400, 404, 410, 429, 500, 503])(
    '%i is returned with its text and Retry-After',
    async (status) => {
      const receiver = await openReceiver((_request, response) => {
        response.writeHead(status, { 'Retry-After': '120' }).end('merci ☕');
      });
      const outcome = await openSender().send(webhookRequestTo(receiver.url), neverAborted);
      expect(outcome).toMatchObject({ status, error: null, responseBody: 'merci ☕', retryAfter: '120' });
    },
  );

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const target = await openReceiver();
    const receiver = await openReceiver((_request, response) => {
      response.writeHead(status, { Location: target.url }).end();
    });
    expect(await openSender().send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({
      status,
      error: null,
    });
    expect(target.connectionCount()).toBe(0);
  });

  test('may come after a 103', async () => {
    const receiver = await openReceiver((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(200).end('done');
    });
    expect(await openSender().send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({
      status: 200,
      responseBody: 'done',
    });
  });

  test('may be a change of protocol, which is not followed', async () => {
    const closed = createDeferred();
    const receiver = await openRawReceiver((socket) => {
      socket.on('close', closed.resolve);
      respondWith(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
        () => undefined,
      )(socket);
    });
    expect(await openSender().send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({
      status: 101,
      error: null,
    });
    await closed.promise;
  });

  test('of exactly 20,000 bytes is returned whole, and its connection is used again', async () => {
    const receiver = await openReceiver((_request, response) => void response.end('a'.repeat(20_000)));
    const sender = openSender();
    for (let count = 0; count < 2; count += 1) {
      expect((await sender.send(webhookRequestTo(receiver.url), neverAborted)).responseBody).toBe('a'.repeat(20_000));
    }
    expect(receiver.connectionCount()).toBe(1);
  });

  test('is cut between two characters, not within one', async () => {
    const receiver = await openReceiver((_request, response) => void response.end(`a${'🎉'.repeat(10_000)}`));
    const { responseBody } = await openSender().send(webhookRequestTo(receiver.url), neverAborted);
    expect(responseBody).toBe(`a${'🎉'.repeat(4_999)}`);
  });

  test('that is not UTF-8 is decoded anyway', async () => {
    const receiver = await openReceiver((_request, response) => {
      response.end(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x98]));
    });
    expect((await openSender().send(webhookRequestTo(receiver.url), neverAborted)).responseBody).toBe('a\ufffdb\ufffd');
  });

  test('without an end is read up to 20,000 bytes, and its connection is closed', async () => {
    const closed = createDeferred();
    const receiver = await openReceiver((_request, response) => {
      response.on('close', closed.resolve);
      const chunk = Buffer.alloc(1_000_000, 'a');
      const writeChunk = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', writeChunk);
      writeChunk();
    });
    const outcome = await openSender().send(webhookRequestTo(receiver.url), neverAborted);
    expect(outcome).toMatchObject({ status: 200, error: null, responseBody: 'a'.repeat(20_000) });
    await closed.promise;
  });

  test('that breaks off still counts as a response, with its status', async () => {
    const receiver = await openRawReceiver(
      respondWith('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of', (socket) => socket.resetAndDestroy()),
    );
    expect(await openSender().send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({
      status: 200,
      error: null,
      responseBody: 'half of',
    });
  });

  test('whose body never ends still counts as a response, with its status, after the timeout', async () => {
    const receiver = await openReceiver((_request, response) => {
      response.writeHead(202, { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }).write('so far');
    });
    expect(await openSender({ timeoutMs: 100 }).send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({
      status: 202,
      error: null,
      responseBody: 'so far',
      retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT',
    });
  });
});

describe('no response', () => {
  test('because the receiver reads the request, but never responds', async () => {
    const receiver = await openReceiver(() => undefined);
    // Long enough for the request to arrive in time on a busy machine.
    const outcome = await openSender({ timeoutMs: 1_000 }).send(webhookRequestTo(receiver.url), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: 'no response within 1 s' });
    expect(receiver.received).toHaveLength(1);
  });

  test('because the receiver accepts the connection, but sends nothing', async () => {
    const receiver = await openRawReceiver(() => undefined);
    const outcome = await openSender({ timeoutMs: 50 }).send(webhookRequestTo(receiver.url), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: 'no response within 0.05 s' });
  });

  test.each([
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['closed', (socket: Socket) => void socket.end()],
  ])('because the connection is %s', async (_what, end) => {
    const receiver = await openRawReceiver(respondWith('', end));
    const outcome = await openSender().send(webhookRequestTo(receiver.url), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: 'connection closed before a response' });
    expect(receiver.connectionCount()).toBe(1);
  });

  test('because the response is not HTTP', async () => {
    const receiver = await openRawReceiver(respondWith('220 mail.example ESMTP\r\n', () => undefined));
    const { error } = await openSender().send(webhookRequestTo(receiver.url), neverAborted);
    expect(error).toMatch(/^the response is not HTTP: \S/);
  });

  test('because nothing listens', async () => {
    const outcome = await openSender().send(webhookRequestTo(await closedUrl()), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: 'connection refused' });
  });

  test('because the host is not found', async () => {
    const { error } = await openSender().send(webhookRequestTo('http://receiver.invalid/'), neverAborted);
    // Without a name server the lookup itself fails.
    expect(error).toMatch(/^host name (?:not found|could not be looked up)$/);
  });

  test('because the certificate is not trusted', async () => {
    const received: unknown[] = [];
    const server = createHttpsServer(selfSigned, (request) => received.push(request));
    const { url } = await listenUntilTestEnds(server);
    const outcome = await openSender().send(webhookRequestTo(url), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: expect.stringMatching(/^self-signed certificate/) });
    expect(received).toEqual([]);
  });

  test('because an https: URL has an http: receiver', async () => {
    const receiver = await openReceiver();
    const { error } = await openSender().send(webhookRequestTo(receiver.url.replace('http:', 'https:')), neverAborted);
    expect(error).toBe('TLS: wrong version number');
  });

  test.each([
    ['nonsense', 'the webhook URL is not a valid URL'],
    ['ftp://127.0.0.1/', 'the webhook URL must begin with http:// or https://'],
    ['http://user:password@127.0.0.1/', 'the webhook URL contains credentials'],
  ])('because the URL is %s', async (url, error) => {
    expect(await openSender().send(webhookRequestTo(url), neverAborted)).toMatchObject({ ...unanswered, error });
  });

  test('because the name of a header is invalid', async () => {
    const receiver = await openReceiver();
    const message = webhookRequestTo(receiver.url, {
      event: 'payment.succeeded',
      profile: { ...profile, 'event.payment-signature': { header: 'no name' } },
    });
    const { error } = await openSender().send(message, neverAborted);
    expect(error).toMatch(/valid HTTP token/);
    expect(receiver.connectionCount()).toBe(0);
  });
});

describe('a message on a kept connection', () => {
  /**
   * Responds to each message on a connection until message `number`, counted from 1, for which it calls `end` instead.
   * With the number 0, it responds to all messages.
   */
  function respondUntil(number: number, end: (socket: Socket) => void): (socket: Socket) => void {
    return (socket) => {
      let count = 0;
      respondWith('', () => {
        count += 1;
        if (count === number) end(socket);
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      })(socket);
    };
  }

  test.each([
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['closed', (socket: Socket) => void socket.destroy()],
  ])('is sent once if it has arrived and the connection is %s without a response', async (_what, end) => {
    let messages = 0;
    const receiver = await openRawReceiver((socket) => {
      socket.on('data', () => {
        messages += 1;
      });
      respondUntil(2, end)(socket);
    });
    const sender = openSender();
    const send = (): Promise<WebhookOutcome> => sender.send(webhookRequestTo(receiver.url), neverAborted);
    expect(await send()).toMatchObject({ status: 200, responseBody: 'ok' });
    expect(await send()).toMatchObject({ ...unanswered, error: 'connection closed before a response' });
    expect(receiver.connectionCount()).toBe(1);
    expect(messages).toBe(2);
  });

  test('is sent over a fresh connection, not over another kept one, if its connection was reset in the meantime', async () => {
    const sockets: Socket[] = [];
    const receiver = await openRawReceiver((socket) => {
      sockets.push(socket);
      respondUntil(0, () => undefined)(socket);
    });
    const sender = openSender();
    const send = (): Promise<WebhookOutcome> => sender.send(webhookRequestTo(receiver.url), neverAborted);
    await Promise.all([send(), send()]);
    // The sender notices the reset only when it writes.
    for (const socket of sockets) socket.resetAndDestroy();
    expect(await send()).toMatchObject({ status: 200, responseBody: 'ok' });
    expect(receiver.connectionCount()).toBe(3);
  });

  test('is sent over a single fresh connection, without endless retries', async () => {
    const sockets: Socket[] = [];
    const receiver = await openRawReceiver((socket) => {
      sockets.push(socket);
      respondUntil(sockets.length === 1 ? 0 : 1, (refused) => void refused.resetAndDestroy())(socket);
    });
    const sender = openSender();
    expect(await sender.send(webhookRequestTo(receiver.url), neverAborted)).toMatchObject({ status: 200 });
    sockets[0]?.resetAndDestroy();
    const outcome = await sender.send(webhookRequestTo(receiver.url), neverAborted);
    expect(outcome).toMatchObject({ ...unanswered, error: 'connection closed before a response' });
    expect(receiver.connectionCount()).toBe(2);
  });

  test('is sent over a fresh connection if the kept one was idle for a second', async () => {
    // A connection that waits for a response is not idle.
    const receiver = await openReceiver((_request, response) => void setTimeout(() => response.end(), 1_200));
    const sender = openSender();
    const send = (): Promise<WebhookOutcome> => sender.send(webhookRequestTo(receiver.url), neverAborted);
    expect(await send()).toMatchObject({ status: 200 });
    await sleep(1_200);
    expect(await send()).toMatchObject({ status: 200 });
    expect(receiver.connectionCount()).toBe(2);
  });
});

describe('a URL that leads to the simulator itself', () => {
  const refused = { ...unanswered, error: 'the webhook URL points to the simulator itself' };

  test('is refused because of its host', async () => {
    const self = await openReceiver();
    const sender = openSender({ ownPort: () => self.port });
    expect(await sender.send(webhookRequestTo(self.url), neverAborted)).toMatchObject(refused);
    expect(self.connectionCount()).toBe(0);
  });

  test.each(['http:', 'https:'])(
    'is refused because of the address that the connection leads to, before anything is sent: %s',
    async (protocol) => {
      const bytes: Buffer[] = [];
      const closed = createDeferred();
      const self = await openRawReceiver((socket) => {
        socket.on('data', (chunk: Buffer) => bytes.push(chunk));
        socket.on('close', closed.resolve);
      });
      const sender = openSender({ ownPort: () => self.port });
      // The check of the host does not recognize an IPv4 address that is written as IPv6.
      const url = `${protocol}//[::ffff:127.0.0.1]:${self.port}/`;
      expect(await sender.send(webhookRequestTo(url), neverAborted)).toMatchObject(refused);
      await closed.promise;
      expect(bytes).toEqual([]);
    },
  );

  test('is refused at another loopback address, too', async (context) => {
    context.skip(process.platform !== 'linux', 'on other systems 127.0.0.1 is the only IPv4 loopback address');
    const self = await listenUntilTestEnds(createServer(), '0.0.0.0');
    const sender = openSender({ ownPort: () => self.port });
    expect(await sender.send(webhookRequestTo(`http://[::ffff:127.0.0.2]:${self.port}/`), neverAborted)).toMatchObject(
      refused,
    );
  });

  test('is refused on a connection that was made before the simulator had the port', async () => {
    const receiver = await openReceiver();
    let ownPort: number | undefined;
    const sender = openSender({ ownPort: () => ownPort });
    const url = `http://[::ffff:127.0.0.1]:${receiver.port}/`;
    expect(await sender.send(webhookRequestTo(url), neverAborted)).toMatchObject({ status: 204 });
    ownPort = receiver.port;
    expect(await sender.send(webhookRequestTo(url), neverAborted)).toMatchObject(refused);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('when aborted', () => {
  test('before the request, a message is not sent', async () => {
    const receiver = await openReceiver();
    const outcome = await openSender().send(webhookRequestTo(receiver.url), AbortSignal.abort());
    expect(outcome).toMatchObject({ ...unanswered, error: 'stopped' });
    expect(receiver.connectionCount()).toBe(0);
  });

  test('during the request, it is abandoned', async () => {
    const controller = new AbortController();
    const receiver = await openReceiver(() => controller.abort());
    const outcome = await openSender().send(webhookRequestTo(receiver.url), controller.signal);
    expect(outcome).toMatchObject({ ...unanswered, error: 'stopped' });
    expect(receiver.received).toHaveLength(1);
  });
});

/** The URL of a port that was free a moment ago. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
}
