import { once } from 'node:events';
import { createServer, request as openRequest } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allowHalfClosedConnections } from '../../src/lib/half-closed.js';
import type { ProxyOptions } from '../../src/proxy/proxy.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { dial, openRawServer } from './test-connection.js';
import { openTestProxy, openUpstream, unreachableUrl } from './test-proxy.js';

/** Opens a proxy between a client and an upstream (at `basePath`), both of which send and receive raw bytes. */
async function openWithRawEnds({
  basePath = '',
  ...options
}: Partial<ProxyOptions> & { readonly basePath?: string } = {}) {
  const upstream = await openRawServer();
  const proxied = await openTestProxy(`${upstream.url}${basePath}`, options);
  return { proxied, client: dial(proxied.url), upstream, host: new URL(upstream.url).host };
}

const okResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test('after a 204 with chunks, which must not have a body, the next request gets its own response', async () => {
  const { client, upstream } = await openWithRawEnds();
  for (const path of ['/first', '/second']) {
    client.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
    const connection = await upstream.next();
    await connection.until(path);
    connection.write(`HTTP/1.1 204 No Content\r\nX-For: ${path}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
    expect(await client.until(`X-For: ${path}`)).not.toContain('502');
  }
});

describe('a request is forwarded unchanged', () => {
  test('with its path, query, headers and bytes, except for Host', async () => {
    // Node writes headers of the same name one after the other, and spells them all like the first: `X-One`.
    const { client, upstream, host } = await openWithRawEnds();
    const bytes = '\x00\xff\xfe{"a":1}\r\n\r\n';
    client.write(
      `POST /x/../y%2Fz//?a=%20b&a=&=c HTTP/1.1\r\nHost: here\r\nX-One: 1\r\nx-two: caf\xe9\r\nX-ONE: 2\r\n` +
        `Content-Length: ${bytes.length}\r\nAuthorization: Bearer t\r\n\r\n${bytes}`,
    );
    const connection = await upstream.next();
    expect(await connection.until(bytes)).toBe(
      `POST /x/../y%2Fz//?a=%20b&a=&=c HTTP/1.1\r\nHost: ${host}\r\nX-One: 1\r\nX-One: 2\r\nx-two: caf\xe9\r\n` +
        `Content-Length: ${bytes.length}\r\nAuthorization: Bearer t\r\nConnection: keep-alive\r\n\r\n${bytes}`,
    );
  });

  test('except for hop-by-hop headers', async () => {
    const { client, upstream, host } = await openWithRawEnds();
    client.write(
      'GET / HTTP/1.1\r\nHost: here\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nUpgrade: h2c\r\n' +
        'Proxy-Authorization: Basic eA==\r\nKeep-Alive: timeout=1\r\nX-Other: 2\r\n\r\n',
    );
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toBe(
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Other: 2\r\nConnection: keep-alive\r\n\r\n`,
    );
  });

  test.each(['POST', 'DELETE', 'GET', 'PROPFIND'])(
    'without adding Content-Length or Transfer-Encoding to a %s that has no body',
    async (method) => {
      const { client, upstream } = await openWithRawEnds();
      client.write(`${method} / HTTP/1.1\r\nHost: here\r\n\r\n`);
      const head = await (await upstream.next()).until('\r\n\r\n');
      expect(head).not.toMatch(/content-length|transfer-encoding/i);
    },
  );

  test.each(['chunked', 'gzip, chunked'])(
    'in chunks, with trailers, if its Transfer-Encoding is %s',
    async (codings) => {
      const { client, upstream } = await openWithRawEnds();
      client.write(
        `POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: ${codings}\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n`,
      );
      const forwarded = await (await upstream.next()).until('X-Sum: 6\r\n\r\n');
      expect(forwarded).toContain(`\r\nTransfer-Encoding: ${codings}\r\n`);
      expect(forwarded).toContain('\r\nTrailer: X-Sum\r\n');
      expect(forwarded).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n$/);
    },
  );

  test('with longer headers than Node allows by default', async () => {
    const { client, upstream } = await openWithRawEnds();
    const longValue = 'x'.repeat(40_000);
    client.write(`GET / HTTP/1.1\r\nHost: here\r\nX-Long: ${longValue}\r\n\r\n`);
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toContain(`X-Long: ${longValue}\r\n`);
    connection.write(`HTTP/1.1 200 OK\r\nX-Long: ${longValue}\r\nContent-Length: 0\r\n\r\n`);
    expect(await client.until('\r\n\r\n')).toContain(`X-Long: ${longValue}\r\n`);
  });
});

/** Sends these bytes as the response to a request. @returns all bytes that the client receives */
async function sendResponse(
  bytes: string,
  requestBytes = 'GET /pay/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
) {
  const { client, upstream, proxied } = await openWithRawEnds();
  client.write(requestBytes);
  const connection = await upstream.next();
  await connection.until('\r\n\r\n');
  connection.write(bytes);
  connection.socket.end();
  return { text: await client.untilClosed(), proxied };
}

describe('a response is forwarded unchanged', () => {
  test('with its status line, its headers (in the same case, order and number) and its body', async () => {
    const { text } = await sendResponse(
      'HTTP/1.1 299 Fine By Me\r\nSet-Cookie: a=1\r\nX-One: caf\xe9\r\nset-cookie: b=2\r\nConnection: X-Hop, close\r\nX-Hop: 1\r\n' +
        'Content-Length: 3\r\n\r\n\x00\xff\x01',
    );
    expect(text).toBe(
      'HTTP/1.1 299 Fine By Me\r\nSet-Cookie: a=1\r\nX-One: caf\xe9\r\nset-cookie: b=2\r\n' +
        'Content-Length: 3\r\nConnection: close\r\n\r\n\x00\xff\x01',
    );
  });

  test.each([
    ['with status 204', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', 'GET'],
    ['with status 304', 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 30\r\n\r\n', 'GET'],
    ['to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n', 'HEAD'],
    ['to HEAD without a length', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n', 'HEAD'],
  ])('%s, without a body', async (_title, bytes, method) => {
    const { text } = await sendResponse(bytes, `${method} /pay/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
    expect(text).toBe(bytes.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  });

  test.each([
    ['to HEAD', '200 OK', 'HEAD'],
    ['with status 204', '204 No Content', 'GET'],
    ['with status 304', '304 Not Modified', 'GET'],
  ])('%s, without a body, although its headers announce chunks and trailers', async (_title, status, method) => {
    const { text, proxied } = await sendResponse(
      `HTTP/1.1 ${status}\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n`,
      `${method} /pay/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toBe(`HTTP/1.1 ${status}\r\nX-A: 1\r\nConnection: close\r\n\r\n`);
    expect(proxied.unanswered).toEqual([]);
  });

  test('in chunks, with trailers', async () => {
    const { text } = await sendResponse(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nTrailer: X-Sum\r\n/);
    expect(text).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n$/);
  });

  test('in chunks, with the codings of its Transfer-Encoding', async () => {
    const { text } = await sendResponse(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n/);
    expect(text).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/);
  });

  test('after interim responses (102 and 103), which are forwarded immediately', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write('GET /pay/x HTTP/1.1\r\nHost: here\r\n\r\n');
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 102 Processing\r\n\r\n');
    await client.until('HTTP/1.1 102 Processing\r\n\r\n');
    connection.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nLink: </b.css>\r\n\r\n');
    await client.until('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nLink: </b.css>\r\n\r\n');
    connection.write(okResponse);
    expect(await client.until('\r\n\r\nok')).toContain('HTTP/1.1 200 OK\r\n');
  });

  test('without interim responses, for an HTTP/1.0 client', async () => {
    const { text } = await sendResponse(
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      'GET /pay/x HTTP/1.0\r\nHost: here\r\n\r\n',
    );
    expect(text).toBe('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
  });

  test('with a compressed body', async () => {
    const compressed = gzipSync('{"success":true}');
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': compressed.length }).end(compressed);
    });
    const { url } = await openTestProxy(upstream);
    const [response] = await once(openRequest(`${url}/pay/x`).end(), 'response');
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.concat(await response.toArray())).toString()).toBe('{"success":true}');
  });

  test('in the order of the requests, if a client sends several at once', async () => {
    const upstream = await openUpstream((request, response) => response.end(`response to ${request.url}`));
    const { url } = await openTestProxy(upstream);
    const client = dial(url);
    client.write('GET /1 HTTP/1.1\r\nHost: here\r\n\r\nGET /2 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect((await client.untilClosed()).match(/response to \/\d/g)).toEqual(['response to /1', 'response to /2']);
  });
});

describe('the Transfer-Encoding of a response changes', () => {
  test('to chunked, if the response ends when the upstream closes the connection', async () => {
    const { text } = await sendResponse('HTTP/1.1 200 OK\r\n\r\nabc');
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
  });

  test('from chunked to none, for an HTTP/1.0 client', async () => {
    const { text } = await sendResponse(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n',
      'GET /pay/x HTTP/1.0\r\nHost: here\r\n\r\n',
    );
    expect(text).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc');
  });
});

describe('Expect: 100-continue', () => {
  const head = 'POST /x HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n';

  test('is forwarded, and the client sends the body after the 100 of the upstream', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write(head);
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toContain('Expect: 100-continue\r\n');
    expect(client.text).toBe('');
    connection.write('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.write('body');
    await connection.until('\r\n\r\nbody');
    connection.write(okResponse);
    await client.until('\r\n\r\nok');
  });

  test('is forwarded, and the client gets the 417 of the upstream without a 100 before it', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write(head);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    // The proxy has sent no body to the upstream.
    expect(connection.text).toMatch(/\r\n\r\n$/);
  });
});

describe('bodies', () => {
  test('of large responses are streamed', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write('GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n');
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    // The proxy buffers responses of up to 64 kB; this one is larger.
    connection.write('HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\nfirst');
    await client.until('\r\n\r\nfirst');
    connection.write('second');
    await client.until('firstsecond');
  });

  test('of requests are streamed', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write('POST /api/v1/invoices HTTP/1.1\r\nHost: here\r\nContent-Length: 20\r\n\r\nfirst');
    const connection = await upstream.next();
    await connection.until('\r\n\r\nfirst');
    client.write('second');
    await connection.until('firstsecond');
  });

  test('of 30 MB are forwarded completely in both directions', async () => {
    const upstream = await openUpstream((request, response) => request.pipe(response));
    const { url } = await openTestProxy(upstream);
    const request = openRequest(`${url}/api/v1/invoices`, { method: 'POST' });
    const chunk = Buffer.alloc(1_000_000, 'x');
    let receivedBytes = 0;
    const whenReceived = once(request, 'response').then(async ([response]) => {
      for await (const { length } of response) receivedBytes += length;
    });
    for (let count = 0; count < 30; count += 1) if (!request.write(chunk)) await once(request, 'drain');
    request.end();
    await whenReceived;
    expect(receivedBytes).toBe(30_000_000);
  });
});

describe('the upstream', () => {
  const invoiceRequest = 'GET /api/v1/invoices/7?token=secret HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';

  test('cannot be reached: the proxy responds with 502 and one line', async () => {
    const { unanswered, url, summary } = await openTestProxy(`${unreachableUrl}/api/v1`);
    const client = dial(url);
    client.write(invoiceRequest);
    const text = await client.untilClosed();
    expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(text).toMatch(
      /\r\n\r\nbilling-sim proxy: http:\/\/127\.0\.0\.1:1 did not respond \(connect ECONNREFUSED 127\.0\.0\.1:1\)\n$/,
    );
    expect(unanswered).toEqual(['GET /invoices/{invoice}: connect ECONNREFUSED 127.0.0.1:1']);
    expect(summary()).toMatchObject({ requests: 1, unanswered: 1, errors: [], notes: [] });
  });

  test.each([
    ['hangs up', ''],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['closes the connection in the middle of the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['closes the connection in the middle of a small body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ])('%s: the proxy responds with 502', async (_title, bytes) => {
    const { client, upstream, proxied } = await openWithRawEnds();
    client.write(invoiceRequest);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write(bytes);
    connection.socket.end();
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*did not respond \([^\n]+\)\n$/s);
    expect(proxied.unanswered).toHaveLength(1);
  });

  test('aborts a response: the proxy aborts it, too', async () => {
    const { client, upstream, proxied } = await openWithRawEnds();
    client.write(invoiceRequest);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    await client.until('abc');
    connection.socket.destroy();
    expect(await client.untilClosed()).not.toMatch(/0\r\n\r\n$/);
    await expect
      .poll(() => proxied.unanswered)
      .toEqual(['GET /invoices/{invoice}: the upstream closed the connection before the end of its response']);
  });

  test.each([
    ['after the request', ''],
    ['in the middle of the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['after the headers', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
    ['in the middle of a small body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ])(
    'sends nothing more %s: the proxy responds with 504 after the timeout, and closes the connection',
    async (_title, bytes) => {
      const { client, upstream, proxied } = await openWithRawEnds({ timeoutMs: 40 });
      client.write(invoiceRequest);
      const connection = await upstream.next();
      connection.write(bytes);
      expect(await client.untilClosed()).toMatch(
        /^HTTP\/1\.1 504 Gateway Timeout\r\n.*\nbilling-sim proxy: \S+ did not respond \(timed out after 0\.04 s\)\n$/s,
      );
      await connection.untilClosed();
      expect(proxied.unanswered).toEqual(['GET /invoices/{invoice}: timed out after 0.04 s']);
      expect(proxied.summary()).toMatchObject({ requests: 1, unanswered: 1 });
    },
  );

  test('sends nothing more in the middle of a large body: the proxy aborts the response after the timeout', async () => {
    // Long enough for the first bytes to arrive in time on a busy machine.
    const { client, upstream, proxied } = await openWithRawEnds({ timeoutMs: 1_000 });
    client.write(invoiceRequest);
    const connection = await upstream.next();
    connection.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc');
    expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nabc$/s);
    await connection.untilClosed();
    expect(proxied.unanswered).toEqual(['GET /invoices/{invoice}: timed out after 1 s']);
  });

  test('does not send the 100 that the client waits for: the proxy responds with 504', async () => {
    const { client, proxied } = await openWithRawEnds({ timeoutMs: 40 });
    client.write(
      'POST /api/v1/deposits HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
    );
    expect(await client.until('0.04 s')).toMatch(/^HTTP\/1\.1 504 /);
    expect(proxied.unanswered).toEqual(['POST /deposits: timed out after 0.04 s']);
  });

  test('responds before the request has ended: the proxy forwards the response', async () => {
    const { client, upstream } = await openWithRawEnds();
    client.write('POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\nbegin');
    const connection = await upstream.next();
    await connection.until('begin');
    connection.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
    connection.socket.end();
    expect(await client.until('\r\n\r\nno')).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test('the time that a slow client takes does not count towards the timeout of the upstream', async () => {
  // Long enough for the upstream to answer in time on a busy machine.
  const { client, upstream, proxied } = await openWithRawEnds({ timeoutMs: 1_000 });
  client.write('POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nbegin');
  const connection = await upstream.next();
  await connection.until('begin');
  // In the meantime, two other requests time out.
  for (const _ of [1, 2]) {
    const otherClient = dial(proxied.url);
    otherClient.write('GET /y HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect(await otherClient.untilClosed()).toMatch(/^HTTP\/1\.1 504 /);
  }
  client.write('ended');
  await connection.until('ended');
  connection.write(okResponse);
  expect(await client.until('\r\n\r\nok')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that disconnects aborts its request, which is not reported as unanswered', async () => {
  const { client, upstream, proxied } = await openWithRawEnds();
  client.write('GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n');
  const connection = await upstream.next();
  await connection.until('\r\n\r\n');
  client.socket.destroy();
  await connection.untilClosed();
  await proxied.close();
  expect(proxied.unanswered).toEqual([]);
});

test.each([
  ['of a page', '/pay/x', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ['of the service', '/api/v1/invoices', 'Content-Length: 100\r\n\r\nabc'],
])('a client that disconnects in the middle of a response %s is not reported', async (_what, path, beginning) => {
  const { client, upstream, proxied } = await openWithRawEnds();
  client.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
  const connection = await upstream.next();
  await connection.until('\r\n\r\n');
  connection.write(`HTTP/1.1 200 OK\r\n${beginning}`);
  if (path === '/pay/x') await client.until('abc');
  client.socket.destroy();
  await connection.untilClosed();
  await proxied.close();
  expect(proxied.unanswered).toEqual([]);
});

test('a client can send many requests at once without a warning about listeners', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): number => warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const upstream = await listenUntilTestEnds(createServer((_request, response) => response.end('ok')));
  const client = dial((await openTestProxy(upstream.url)).url);
  client.write('GET /x HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(12));
  client.write('GET /last HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  expect((await client.untilClosed()).match(/HTTP\/1\.1 200 /g)).toHaveLength(13);
  expect(warnings).toEqual([]);
});

test('a client that ends its side of the connection gets the response of an upstream that allows this', async () => {
  // The upstream responds once it sees that the client has ended its side.
  const server = createServer((request, response) => {
    request.socket.once('end', () => response.end('late'));
  });
  allowHalfClosedConnections(server);
  const upstream = await listenUntilTestEnds(server);
  const proxied = await openTestProxy(upstream.url);
  const client = dial(proxied.url, { allowHalfOpen: true });
  client.socket.end('GET /pay/x HTTP/1.1\r\nHost: here\r\n\r\n');
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*late/s);
  expect(proxied.unanswered).toEqual([]);
});

test('the proxy reuses a connection to the upstream', async () => {
  const { client, upstream } = await openWithRawEnds();
  client.write('GET /1 HTTP/1.1\r\nHost: here\r\n\r\n');
  const connection = await upstream.next();
  await connection.until('/1 HTTP/1.1');
  connection.write(okResponse);
  await client.until('\r\n\r\nok');
  client.write('GET /2 HTTP/1.1\r\nHost: here\r\n\r\n');
  await connection.until('/2 HTTP/1.1');
});

describe('if the upstream closes a connection just as the proxy reuses it', () => {
  /** Sends two requests. The upstream responds to the first, and closes the connection when it receives the second. */
  async function sendOnClosedConnection(secondRequest: string, partOfResponse = '') {
    const { client, upstream, proxied } = await openWithRawEnds();
    client.write('GET /1 HTTP/1.1\r\nHost: here\r\n\r\n');
    const connection = await upstream.next();
    await connection.until('/1 HTTP/1.1');
    connection.write(okResponse);
    await client.until('\r\n\r\nok');
    client.write(secondRequest);
    await connection.until('/api/v1/invoices HTTP/1.1');
    connection.write(partOfResponse);
    connection.socket.end();
    return { client, upstream, proxied };
  }

  const badGateway = 'HTTP/1.1 502 Bad Gateway\r\n';

  test.each(['GET', 'HEAD'])('%s is sent again over a new connection', async (method) => {
    const { client, upstream, proxied } = await sendOnClosedConnection(
      `${method} /api/v1/invoices HTTP/1.1\r\nHost: here\r\nX-One: 1\r\n\r\n`,
    );
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toMatch(
      new RegExp(`^${method} /api/v1/invoices HTTP/1\\.1\r\n.*X-One: 1\r\n`, 's'),
    );
    connection.write('HTTP/1.1 203 Second\r\nContent-Length: 0\r\n\r\n');
    await client.until('HTTP/1.1 203 Second\r\n');
    expect(proxied.unanswered).toEqual([]);
    await expect.poll(() => proxied.summary().requests).toBe(1);
  });

  test('a request is not sent a third time', async () => {
    const { client, upstream, proxied } = await sendOnClosedConnection(
      'GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n',
    );
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.socket.end();
    await client.until(badGateway);
    expect(proxied.unanswered).toEqual(['GET /invoices: ECONNRESET: socket hang up']);
  });

  test.each([
    ['POST is not sent again', 'POST /api/v1/invoices HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}', ''],
    ['DELETE is not sent again', 'DELETE /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n', ''],
    [
      'GET with a body is not sent again',
      'GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}',
      '',
    ],
    [
      'GET is not sent again after part of its response has arrived',
      'GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-',
    ],
  ])('%s', async (_title, request, partOfResponse) => {
    const { client, proxied } = await sendOnClosedConnection(request, partOfResponse);
    await client.until(badGateway);
    expect(proxied.unanswered).toHaveLength(1);
  });
});

test('a request for an absolute URL goes to the upstream, too', async () => {
  const { client, upstream } = await openWithRawEnds({ basePath: '/api/v1' });
  client.write('GET http://other.example/api/v1/invoices?page=1 HTTP/1.1\r\nHost: other.example\r\n\r\n');
  expect(await (await upstream.next()).until('\r\n\r\n')).toMatch(/^GET \/api\/v1\/invoices\?page=1 HTTP\/1\.1\r\n/);
});

test('a host that is not allowed is refused without contacting the upstream', async () => {
  const { url } = await openTestProxy(unreachableUrl, { isAllowedHost: (host) => host === 'good.example' });
  const client = dial(url);
  client.write('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
  expect(await client.untilClosed()).toMatch(
    /^HTTP\/1\.1 421 Misdirected Request\r\n.*allow it with --allow-host, BILLING_SIM_PROXY_ALLOW_HOST or .*\n$/s,
  );
});
