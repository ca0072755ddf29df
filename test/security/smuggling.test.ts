import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { type RawResponse, sendRaw } from '../support/raw.js';

/**
 * Bytes that two servers could parse as different requests. None of them may lead to a second request: either they are
 * refused and the connection is closed, or they are treated as a single request.
 */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', randomSeed: 'smuggling', rateLimit: false });
});

afterAll(() => sim.close());

const commonHeaders = 'Host: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nContent-Type: application/json\r\n';
// Below, its length of 37 bytes is also written as 0x25, and as 2^64 + 37, which overflows to 37 in a 64-bit parser.
const linkBody = '{"description":"smuggled","amount":1}';
/** The smuggled request, which must not be processed: it would create a payment link. */
const smuggled = `POST /api/v1/payment-links HTTP/1.1\r\n${commonHeaders}Content-Length: ${linkBody.length}\r\n\r\n${linkBody}`;
const post = (headers: string, bytesAfterHeaders: string): string =>
  `POST /api/v1/payment-links HTTP/1.1\r\n${commonHeaders}${headers}\r\n${bytesAfterHeaders}`;
const get = (headers: string, bytesAfterHeaders: string): string =>
  `GET /api/v1/invoices/stats HTTP/1.1\r\n${commonHeaders}${headers}\r\n${bytesAfterHeaders}`;

/** Status, Connection header and body of each response. */
const summariesOf = (responses: readonly RawResponse[]): object[] =>
  responses.map(({ status, headers, body }) => ({ status, connection: headers['connection'], body }));

const invalidRequest = '{"success":false,"error":"The request is not valid HTTP."}';

async function expectNothingCreated(): Promise<void> {
  expect(await countRecords(sim.url, 'demo_full')).toStrictEqual(demoCounts);
}

describe('the simulator refuses, without processing what follows:', () => {
  test.each<{ name: string; bytes: string | Buffer }>([
    {
      name: 'a Content-Length before a Transfer-Encoding',
      bytes: post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a Transfer-Encoding before a Content-Length',
      bytes: post(`Transfer-Encoding: chunked\r\nContent-Length: ${smuggled.length + 5}\r\n`, `0\r\n\r\n${smuggled}`),
    },
    {
      name: 'two different Content-Lengths',
      bytes: post(`Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n`, smuggled),
    },
    {
      name: 'two equal Content-Lengths',
      bytes: post(`Content-Length: ${linkBody.length}\r\nContent-Length: ${linkBody.length}\r\n`, linkBody),
    },
    {
      name: 'a list of Content-Lengths',
      bytes: post(`Content-Length: ${linkBody.length}, ${linkBody.length}\r\n`, linkBody),
    },
    { name: 'a negative Content-Length', bytes: post('Content-Length: -1\r\n', smuggled) },
    { name: 'a Content-Length with a plus', bytes: post(`Content-Length: +${linkBody.length}\r\n`, linkBody) },
    { name: 'a Content-Length in hex', bytes: post('Content-Length: 0x25\r\n', linkBody) },
    { name: 'a Content-Length with a fraction', bytes: post(`Content-Length: ${linkBody.length}.0\r\n`, linkBody) },
    { name: 'a Content-Length beyond 64 bits', bytes: post('Content-Length: 18446744073709551653\r\n', linkBody) },
    { name: 'an empty Content-Length', bytes: post('Content-Length:\r\n', smuggled) },
    {
      name: 'a space before the colon of Content-Length',
      bytes: post(`Content-Length : ${smuggled.length}\r\n`, smuggled),
    },
    {
      name: 'a space before the colon of Transfer-Encoding',
      bytes: post(`Content-Length: ${smuggled.length}\r\nTransfer-Encoding : chunked\r\n`, smuggled),
    },
    { name: 'an unknown Transfer-Encoding', bytes: post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`) },
    {
      name: 'an unknown Transfer-Encoding and a Content-Length',
      bytes: post(`Content-Length: ${smuggled.length}\r\nTransfer-Encoding: xchunked\r\n`, smuggled),
    },
    {
      name: 'a Transfer-Encoding that does not end in chunked',
      bytes: post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`),
    },
    {
      name: 'two Transfer-Encodings',
      bytes: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a Transfer-Encoding on the next line',
      bytes: post(
        `Transfer-Encoding:\r\n chunked\r\nContent-Length: ${smuggled.length + 5}\r\n`,
        `0\r\n\r\n${smuggled}`,
      ),
    },
    {
      name: 'an unknown Transfer-Encoding in HTTP/1.0',
      bytes: post('Transfer-Encoding: xchunked\r\n', smuggled).replace('HTTP/1.1', 'HTTP/1.0'),
    },
    { name: 'a header folded over two lines', bytes: get('X-A: a\r\n b\r\n', '') },
    { name: 'bare line feeds', bytes: get('', '').replaceAll('\r\n', '\n') },
    { name: 'a bare line feed in a header', bytes: get(`X-A: a\nContent-Length: ${smuggled.length}\r\n`, smuggled) },
    {
      name: 'a bare line feed before the body',
      bytes: get(`Content-Length: ${smuggled.length}\r\n`, '').replace(/\r\n$/, `\n${smuggled}`),
    },
    {
      name: 'a bare carriage return in a header',
      bytes: get(`X-A: a\rContent-Length: ${smuggled.length}\r\n`, smuggled),
    },
    { name: 'a NUL in a header', bytes: get('X-A: a\0b\r\n', '') },
    { name: 'a NUL in the name of a header', bytes: get('X\0A: b\r\n', '') },
    { name: 'a NUL in the path', bytes: get('', '').replace('stats', 'st\0ats') },
    { name: 'a header without a colon', bytes: get('Content-Length\r\n', '') },
    { name: 'a header without a name', bytes: get(': a\r\n', '') },
    {
      name: 'a chunk whose size is not a number',
      bytes: post('Transfer-Encoding: chunked\r\n', `zz\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a chunk whose size is negative',
      bytes: post('Transfer-Encoding: chunked\r\n', `-1\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a chunk whose size has the prefix 0x',
      bytes: post('Transfer-Encoding: chunked\r\n', `0x25\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a chunk whose size is beyond 64 bits',
      bytes: post('Transfer-Encoding: chunked\r\n', `10000000000000025\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a chunk longer than its size',
      bytes: post('Transfer-Encoding: chunked\r\n', `1\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a bare line feed in a chunk extension',
      bytes: post('Transfer-Encoding: chunked\r\n', `2;\nxx\r\n0\r\n\r\n${smuggled}`),
    },
    {
      name: 'a Content-Length among the trailers',
      bytes: post('Transfer-Encoding: chunked\r\n', `0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`),
    },
    { name: 'an unknown method', bytes: get('', '').replace('GET', 'GOT') },
    { name: 'a method in lower case', bytes: get('', '').replace('GET', 'get') },
    { name: 'a path without a leading slash', bytes: get('', '').replace('/api', 'api') },
    { name: 'HTTP/3.0', bytes: get('', '').replace('HTTP/1.1', 'HTTP/3.0') },
    { name: 'HTTP/1.10', bytes: get('', '').replace('HTTP/1.1', 'HTTP/1.10') },
    { name: 'the HTTP/2 preface', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00' },
    { name: 'a TLS ClientHello', bytes: Buffer.from('16030100a5010000a10303', 'hex') },
    { name: 'SSH', bytes: 'SSH-2.0-OpenSSH_9.6\r\n' },
    { name: 'random bytes', bytes: Buffer.from('fffe00017f80c1f5deadbeef0d0a0d0a', 'hex') },
  ])('$name', async ({ bytes }) => {
    expect(summariesOf(await sendRaw(sim.url, bytes))).toStrictEqual([
      { status: 400, connection: 'close', body: invalidRequest },
    ]);
    await expectNothingCreated();
  });

  test('what follows a body that is longer than its Content-Length', async () => {
    const responses = await sendRaw(sim.url, post('Content-Length: 2\r\n', `{}${linkBody}`));
    // The first request is complete: its body is `{}`.
    expect(responses.map(({ status }) => status)).toEqual([422, 400]);
    expect(summariesOf(responses.slice(1))).toStrictEqual([{ status: 400, connection: 'close', body: invalidRequest }]);
    await expectNothingCreated();
  });

  // Node accepts chunk extensions of up to 16 KiB in total. Longer ones count as a body that is too large.
  test('20 kB of chunk extensions', async () => {
    const tooLarge = '{"success":false,"error":"The request body is larger than 100 kB."}';
    const bytes = post('Transfer-Encoding: chunked\r\n', `1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n${smuggled}`);
    expect(summariesOf(await sendRaw(sim.url, bytes))).toStrictEqual([
      { status: 413, connection: 'close', body: tooLarge },
    ]);
    await expectNothingCreated();
  });

  test('HTTP/0.9, which names no host', async () => {
    const responses = await sendRaw(sim.url, 'GET /api/v1/invoices/stats\r\n\r\n');
    expect(summariesOf(responses)).toStrictEqual([{ status: 400, connection: 'close', body: invalidRequest }]);
  });

  test('CONNECT, without a response', async () => {
    const responses = await sendRaw(sim.url, `CONNECT evil.example:443 HTTP/1.1\r\n${commonHeaders}\r\n${smuggled}`);
    expect(summariesOf(responses)).toStrictEqual([]);
    await expectNothingCreated();
  });
});

describe('the simulator processes exactly one request, and none that is hidden in its content or sent after it:', () => {
  test.each<{ name: string; bytes: string }>([
    {
      name: 'a GET whose body looks like a request',
      bytes: get(`Connection: close\r\nContent-Length: ${smuggled.length}\r\n`, smuggled),
    },
    {
      name: 'a GET whose chunk looks like a request',
      bytes: get(
        'Connection: close\r\nTransfer-Encoding: chunked\r\n',
        `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
      ),
    },
    { name: 'a request behind one that closes the connection', bytes: get('Connection: close\r\n', smuggled) },
    {
      name: 'a request to upgrade to HTTP/2',
      bytes: get(
        'Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
        smuggled,
      ),
    },
    {
      name: 'a request to upgrade to WebSocket',
      bytes: get(
        'Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
        smuggled,
      ),
    },
    { name: 'HTTP/1.0, which closes the connection', bytes: get('', smuggled).replace('HTTP/1.1', 'HTTP/1.0') },
    { name: 'HTTP/0.9 with headers', bytes: get('', smuggled).replace(' HTTP/1.1', '') },
    {
      name: 'an extra space in the first line',
      bytes: get('Connection: close\r\n', '').replace(' HTTP/1.1', '  HTTP/1.1'),
    },
    { name: 'RTSP/1.0, which Node accepts in place of HTTP/1.1', bytes: get('', '').replace('HTTP/1.1', 'RTSP/1.0') },
    { name: 'empty lines before the request', bytes: `\r\n\r\n${get('Connection: close\r\n', '')}` },
  ])('$name', async ({ bytes }) => {
    const responses = await sendRaw(sim.url, bytes);
    expect(responses.map(({ status }) => status)).toStrictEqual([200]);
    await expectNothingCreated();
  });

  test('2,500 headers: Node 20 ignores the last ones, newer versions refuse the request', async () => {
    // `Connection: close` comes before the many headers, since the last headers may be ignored.
    const bytes = get('x:y\r\n'.repeat(2500), smuggled).replace('Content-Type: application/json', 'Connection: close');
    const responses = await sendRaw(sim.url, bytes);
    expect([[200], [431]]).toContainEqual(responses.map(({ status }) => status));
    await expectNothingCreated();
  });

  test('a reminder whose body looks like a request', async () => {
    const bytes = post(`Connection: close\r\nContent-Length: ${smuggled.length}\r\n`, smuggled);
    const responses = await sendRaw(sim.url, bytes.replace('/payment-links', '/invoices/2/reminder'));
    expect(responses.map(({ body }) => body)).toStrictEqual([
      '{"success":true,"message":"Invoice reminder sent successfully"}',
    ]);
    await expectNothingCreated();
  });

  test.each<{ name: string; account: string; bytes: string }>([
    {
      name: 'a chunk with extensions',
      account: 'extensions',
      bytes: post(
        'Connection: close\r\nTransfer-Encoding: chunked\r\n',
        `${linkBody.length.toString(16)};a=b;c="d"\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`,
      ),
    },
    {
      name: 'a chunk whose size has leading zeros',
      account: 'zeros',
      bytes: post(
        'Connection: close\r\nTransfer-Encoding: chunked\r\n',
        `000${linkBody.length.toString(16)}\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`,
      ),
    },
    {
      name: 'Transfer-Encoding in another case',
      account: 'case',
      bytes: post(
        'Connection: close\r\nTRANSFER-ENCODING: Chunked\r\n',
        `${linkBody.length.toString(16)}\r\n${linkBody}\r\n0\r\n\r\n${smuggled}`,
      ),
    },
    {
      name: 'a Content-Length with leading zeros',
      account: 'length',
      bytes: post(`Connection: close\r\nContent-Length: 000${linkBody.length}\r\n`, linkBody + smuggled),
    },
  ])('$name', async ({ account, bytes }) => {
    const { tokens } = await sim.createAccount({ id: account });
    const responses = await sendRaw(sim.url, bytes.replaceAll('demo_full', tokens.full));
    expect(responses.map(({ status }) => status)).toStrictEqual([201]);
    const counts = { invoices: 0, payment_links: 1, payments: 0, deposits: 0 };
    expect(await countRecords(sim.url, tokens.full)).toStrictEqual(counts);
  });
});

describe('two requests', () => {
  test('in one packet are both answered, in order', async () => {
    const responses = await sendRaw(
      sim.url,
      get('', '').replace('stats', '1') + get('Connection: close\r\n', '').replace('stats', '99'),
    );
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 404]);
  });

  test('of which the second is invalid are answered with 200 and 400', async () => {
    const responses = await sendRaw(sim.url, get('', smuggled.replace('Content-Length', 'Content-Length ')));
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 400]);
    await expectNothingCreated();
  });
});
