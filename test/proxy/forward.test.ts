import { once } from 'node:events';
import { request as open } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/proxy.js';
import { openProxied, openUpstream } from './proxied.js';
import { dial, openConnections } from './test-connection.js';

/** A client and an upstream, with nothing but bytes at both ends of the proxy. */
async function openEnds(path = '', options: Partial<ProxyOptions> = {}) {
  const upstream = await openConnections();
  const proxied = await openProxied(`${upstream.url}${path}`, {}, options);
  return { proxied, client: dial(proxied.url), upstream, host: new URL(upstream.url).host };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('a request is forwarded unchanged', () => {
  test('with its path, query, headers in their case and number, and bytes', async () => {
    const { client, upstream, host } = await openEnds();
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

  test('without hop-by-hop headers', async () => {
    const { client, upstream, host } = await openEnds();
    client.write(
      'GET / HTTP/1.1\r\nHost: here\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nUpgrade: h2c\r\n' +
        'Proxy-Authorization: Basic eA==\r\nKeep-Alive: timeout=1\r\nX-Other: 2\r\n\r\n',
    );
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toBe(
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Other: 2\r\nConnection: keep-alive\r\n\r\n`,
    );
  });

  test.each(['POST', 'DELETE', 'GET', 'PROPFIND'])('%s without a body has none afterwards either', async (method) => {
    const { client, upstream } = await openEnds();
    client.write(`${method} / HTTP/1.1\r\nHost: here\r\n\r\n`);
    const head = await (await upstream.next()).until('\r\n\r\n');
    expect(head).not.toMatch(/content-length|transfer-encoding/i);
  });

  test('in chunks, with trailers', async () => {
    const { client, upstream } = await openEnds();
    client.write(
      'POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n',
    );
    const sent = await (await upstream.next()).until('X-Sum: 6\r\n\r\n');
    expect(sent).toContain('\r\nTrailer: X-Sum\r\n');
    expect(sent).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n$/);
  });

  test('with longer headers than Node allows by default', async () => {
    const { client, upstream } = await openEnds();
    const long = 'x'.repeat(40_000);
    client.write(`GET / HTTP/1.1\r\nHost: here\r\nX-Long: ${long}\r\n\r\n`);
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toContain(`X-Long: ${long}\r\n`);
    connection.write(`HTTP/1.1 200 OK\r\nX-Long: ${long}\r\nContent-Length: 0\r\n\r\n`);
    expect(await client.until('\r\n\r\n')).toContain(`X-Long: ${long}\r\n`);
  });
});

describe('a response is forwarded unchanged', () => {
  async function answerWith(
    bytes: string,
    requested = 'GET /pay/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
  ) {
    const { client, upstream, proxied } = await openEnds();
    client.write(requested);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write(bytes);
    connection.socket.end();
    return { text: await client.closed(), proxied };
  }

  test('with its status line, headers in their case, order and number, and bytes', async () => {
    const { text } = await answerWith(
      'HTTP/1.1 299 Fine By Me\r\nSet-Cookie: a=1\r\nX-One: caf\xe9\r\nset-cookie: b=2\r\nConnection: X-Hop, close\r\nX-Hop: 1\r\n' +
        'Content-Length: 3\r\n\r\n\x00\xff\x01',
    );
    expect(text).toBe(
      'HTTP/1.1 299 Fine By Me\r\nSet-Cookie: a=1\r\nX-One: caf\xe9\r\nset-cookie: b=2\r\n' +
        'Content-Length: 3\r\nConnection: close\r\n\r\n\x00\xff\x01',
    );
  });

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', 'GET'],
    ['304', 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 30\r\n\r\n', 'GET'],
    ['an answer to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n', 'HEAD'],
    ['an answer to HEAD without a length', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n', 'HEAD'],
  ])('%s, which has no body', async (_, bytes, method) => {
    const { text } = await answerWith(bytes, `${method} /pay/x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
    expect(text).toBe(bytes.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  });

  test('that ends with its connection', async () => {
    const { text } = await answerWith('HTTP/1.1 200 OK\r\n\r\nabc');
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
  });

  test('to a client that knows no chunks', async () => {
    const { text } = await answerWith(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n',
      'GET /pay/x HTTP/1.0\r\nHost: here\r\n\r\n',
    );
    expect(text).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc');
  });

  test('in chunks, with trailers', async () => {
    const { text } = await answerWith(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nTrailer: X-Sum\r\n/);
    expect(text).toMatch(/\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n$/);
  });

  test('after 102 and 103, which are forwarded immediately', async () => {
    const { client, upstream } = await openEnds();
    client.write('GET /pay/x HTTP/1.1\r\nHost: here\r\n\r\n');
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 102 Processing\r\n\r\n');
    await client.until('HTTP/1.1 102 Processing\r\n\r\n');
    connection.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nLink: </b.css>\r\n\r\n');
    await client.until('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nLink: </b.css>\r\n\r\n');
    connection.write(ok);
    expect(await client.until('\r\n\r\nok')).toContain('HTTP/1.1 200 OK\r\n');
  });

  test('compressed', async () => {
    const packed = gzipSync('{"success":true}');
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length }).end(packed);
    });
    const { url } = await openProxied(upstream);
    const [answer] = await once(open(`${url}/pay/x`).end(), 'response');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.concat(await answer.toArray())).toString()).toBe('{"success":true}');
  });

  test('each to its own of several requests that were sent at once', async () => {
    const upstream = await openUpstream((request, response) => response.end(`asked ${request.url}`));
    const { url } = await openProxied(upstream);
    const client = dial(url);
    client.write('GET /1 HTTP/1.1\r\nHost: here\r\n\r\nGET /2 HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect((await client.closed()).match(/asked \/\d/g)).toEqual(['asked /1', 'asked /2']);
  });
});

describe('Expect: 100-continue', () => {
  const head = 'POST /x HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n';

  test('is decided by the upstream, before the body is sent', async () => {
    const { client, upstream } = await openEnds();
    client.write(head);
    const connection = await upstream.next();
    expect(await connection.until('\r\n\r\n')).toContain('Expect: 100-continue\r\n');
    expect(client.text).toBe('');
    connection.write('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.write('body');
    await connection.until('\r\n\r\nbody');
    connection.write(ok);
    await client.until('\r\n\r\nok');
  });

  test('is refused by the upstream, and no body is sent', async () => {
    const { client, upstream } = await openEnds();
    client.write(head);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    expect(connection.text).toMatch(/\r\n\r\n$/);
  });
});

describe('large bodies', () => {
  test('of responses are streamed', async () => {
    const { client, upstream } = await openEnds();
    client.write('GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n');
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\nfirst');
    await client.until('\r\n\r\nfirst');
    connection.write('second');
    await client.until('firstsecond');
  });

  test('of requests are streamed', async () => {
    const { client, upstream } = await openEnds();
    client.write('POST /api/v1/invoices HTTP/1.1\r\nHost: here\r\nContent-Length: 20\r\n\r\nfirst');
    const connection = await upstream.next();
    await connection.until('\r\n\r\nfirst');
    client.write('second');
    await connection.until('firstsecond');
  });

  test('is passed on whole, tens of megabytes both ways', async () => {
    const upstream = await openUpstream((request, response) => request.pipe(response));
    const { url } = await openProxied(upstream);
    const sent = open(`${url}/api/v1/invoices`, { method: 'POST' });
    const answered = once(sent, 'response');
    const part = Buffer.alloc(1_000_000, 'x');
    let size = 0;
    const read = answered.then(async ([answer]) => {
      for await (const chunk of answer) size += chunk.length;
    });
    for (let count = 0; count < 30; count += 1) if (!sent.write(part)) await once(sent, 'drain');
    sent.end();
    await read;
    expect(size).toBe(30_000_000);
  });
});

describe('the upstream fails', () => {
  const ask = 'GET /api/v1/invoices/7?token=secret HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';

  test('it is unreachable: 502 with one line', async () => {
    const { unanswered, url, summary } = await openProxied('http://127.0.0.1:1/api/v1');
    const client = dial(url);
    client.write(ask);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(text).toMatch(
      /\r\n\r\nbilling-sim proxy: http:\/\/127\.0\.0\.1:1 did not respond \(connect ECONNREFUSED 127\.0\.0\.1:1\)\n$/,
    );
    expect(unanswered).toEqual(['GET /invoices/{invoice}: connect ECONNREFUSED 127.0.0.1:1']);
    expect(summary()).toMatchObject({ requests: 1, unanswered: 1, errors: [], notes: [] });
  });

  test.each([
    ['hangs up', ''],
    ['sends no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['breaks off its head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['breaks off a small body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ])('it %s: 502', async (_, bytes) => {
    const { client, upstream, proxied } = await openEnds();
    client.write(ask);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write(bytes);
    connection.socket.end();
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*did not respond \([^\n]+\)\n$/s);
    expect(proxied.unanswered).toHaveLength(1);
  });

  test('the proxy aborts a response that the upstream aborts', async () => {
    const { client, upstream, proxied } = await openEnds();
    client.write(ask);
    const connection = await upstream.next();
    await connection.until('\r\n\r\n');
    connection.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    await client.until('abc');
    connection.socket.destroy();
    expect(await client.closed()).not.toMatch(/0\r\n\r\n$/);
    await expect
      .poll(() => proxied.unanswered)
      .toEqual(['GET /invoices/{invoice}: it closed the connection before the end of its response']);
  });

  test.each([
    ['to a request', ''],
    ['after the beginning of its head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['after its head', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
    ['amid a small body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ])('it sends nothing more %s: 504 once the timeout is over, and the connection is closed', async (_, bytes) => {
    const { client, upstream, proxied } = await openEnds('', { timeoutMs: 40 });
    client.write(ask);
    const connection = await upstream.next();
    connection.write(bytes);
    expect(await client.closed()).toMatch(
      /^HTTP\/1\.1 504 Gateway Timeout\r\n.*\nbilling-sim proxy: \S+ did not respond \(timed out after 0\.04 s\)\n$/s,
    );
    await connection.closed();
    expect(proxied.unanswered).toEqual(['GET /invoices/{invoice}: timed out after 0.04 s']);
    expect(proxied.summary()).toMatchObject({ requests: 1, unanswered: 1 });
  });

  test('it sends nothing more amid a response that has begun: the response is broken off', async () => {
    const { client, upstream, proxied } = await openEnds('', { timeoutMs: 40 });
    client.write(ask);
    const connection = await upstream.next();
    connection.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc`);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nabc$/s);
    await connection.closed();
    expect(proxied.unanswered).toEqual(['GET /invoices/{invoice}: timed out after 0.04 s']);
  });

  test('it waits for the 100 of an upstream that does not send one: 504', async () => {
    const { client, proxied } = await openEnds('', { timeoutMs: 40 });
    client.write(
      'POST /api/v1/deposits HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
    );
    expect(await client.until('0.04 s')).toMatch(/^HTTP\/1\.1 504 /);
    expect(proxied.unanswered).toEqual(['POST /deposits: timed out after 0.04 s']);
  });

  test('it answers before the request has ended', async () => {
    const { client, upstream } = await openEnds();
    client.write('POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\nbegin');
    const connection = await upstream.next();
    await connection.until('begin');
    connection.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
    connection.socket.end();
    expect(await client.until('\r\n\r\nno')).toMatch(/^HTTP\/1\.1 413 /);
  });
});

test('a slow client is not blamed on the upstream', async () => {
  const { client, upstream, proxied } = await openEnds('', { timeoutMs: 20 });
  client.write('POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nbegin');
  const connection = await upstream.next();
  await connection.until('begin');
  // Two others are given up meanwhile.
  for (const _ of [1, 2]) {
    const other = dial(proxied.url);
    other.write('GET /y HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect(await other.closed()).toMatch(/^HTTP\/1\.1 504 /);
  }
  client.write('ended');
  await connection.until('ended');
  connection.write(ok);
  expect(await client.until('\r\n\r\nok')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that disconnects aborts its request, and is not blamed on the upstream', async () => {
  const { client, upstream, proxied } = await openEnds();
  client.write('GET /api/v1/invoices HTTP/1.1\r\nHost: here\r\n\r\n');
  const connection = await upstream.next();
  await connection.until('\r\n\r\n');
  client.socket.destroy();
  await connection.closed();
  await proxied.close();
  expect(proxied.unanswered).toEqual([]);
});

test('a connection to the upstream is used again', async () => {
  const { client, upstream } = await openEnds();
  client.write('GET /1 HTTP/1.1\r\nHost: here\r\n\r\n');
  const connection = await upstream.next();
  await connection.until('/1 HTTP/1.1');
  connection.write(ok);
  await client.until('\r\n\r\nok');
  client.write('GET /2 HTTP/1.1\r\nHost: here\r\n\r\n');
  await connection.until('/2 HTTP/1.1');
});

test('a whole URL as the target leads to the upstream, too', async () => {
  const { client, upstream } = await openEnds('/api/v1');
  client.write('GET http://elsewhere.example/api/v1/invoices?page=1 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n');
  expect(await (await upstream.next()).until('\r\n\r\n')).toMatch(/^GET \/api\/v1\/invoices\?page=1 HTTP\/1\.1\r\n/);
});

test('a host that is not allowed is refused without contacting the upstream', async () => {
  const { url } = await openProxied('http://127.0.0.1:1', {}, { serves: (host) => host === 'good.example' });
  const client = dial(url);
  client.write('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
  expect(await client.closed()).toMatch(
    /^HTTP\/1\.1 421 Misdirected Request\r\n.*allow it with --allow-host, BILLING_SIM_PROXY_ALLOW_HOST or .*\n$/s,
  );
});
