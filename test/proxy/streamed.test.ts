import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { Capture } from '../../src/proxy/capture.js';
import { openProxied, openUpstream } from './proxied.js';
import { dial } from './test-connection.js';

/** The response of the document to GET /invoices/stats, as bytes of about this size. */
function statistics(size = 0): Buffer {
  const response = Object(billingDocument.components?.responses?.['InvoiceStatsRead']);
  const body = response.content['application/json'].examples.statistics.value;
  return Buffer.from(JSON.stringify({ ...body, padding: 'x'.repeat(size) }));
}

const head = {
  'Content-Type': 'application/json',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1',
};

/** Requests the statistics from an upstream that sends these bytes; returns the received text and the reported deviations. */
async function askFor(
  bytes: Buffer,
  { headers = {}, withLength = true, asking = '' }: { headers?: object; withLength?: boolean; asking?: string } = {},
) {
  const upstream = await openUpstream((_request, response) => {
    response.writeHead(200, { ...head, ...(withLength ? { 'Content-Length': bytes.length } : {}), ...headers });
    response.end(bytes);
  });
  const { url, lines, close, failures } = await openProxied(upstream);
  const client = dial(url);
  client.write(
    `GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer x\r\n${asking}Connection: close\r\n\r\n`,
  );
  const text = await client.closed();
  await close();
  expect(failures).toEqual([]);
  return { text, lines: lines() };
}

const wrong = Buffer.from('{"success":true}');
const missing = 'error answer body data required';

describe('the result of a check is reported', () => {
  test.each([true, false])('in a response header, up to 64 kB (of known length: %s)', async (withLength) => {
    for (const bytes of [statistics(), statistics(65_000)]) {
      const { text } = await askFor(bytes, { withLength });
      expect(text).toContain('\r\nX-Sim-Deviations: 0\r\n');
      expect(text).toContain(bytes.toString());
    }
    const { text, lines } = await askFor(wrong, { withLength });
    expect(text).toContain('\r\nX-Sim-Deviations: 1;codes="answer-body-required"\r\n');
    expect(lines).toEqual([missing]);
  });

  test('in a response header, even if a small chunked response has trailers', async () => {
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, { ...head, Trailer: 'X-Sum' });
      response.write(wrong);
      response.addTrailers({ 'X-Sum': '6' });
      response.end();
    });
    const { url } = await openProxied(upstream);
    const client = dial(url);
    client.write('GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nTE: trailers\r\nConnection: close\r\n\r\n');
    const text = await client.closed();
    expect(text).toContain('\r\nX-Sim-Deviations: 2;codes=');
    expect(text).toMatch(/\r\n\r\n10\r\n\{"success":true\}\r\n0\r\nX-Sum: 6\r\n\r\n$/);
  });

  test('as a trailer, for a client that accepts trailers', async () => {
    const large = Buffer.from(JSON.stringify({ success: true, padding: 'x'.repeat(70_000) }));
    const { text, lines } = await askFor(large, { withLength: false, asking: 'TE: trailers\r\n' });
    expect(text).toContain('\r\nTrailer: X-Sim-Deviations\r\n');
    expect(text).toMatch(/\r\n0\r\nX-Sim-Deviations: 1;codes="answer-body-required"\r\n\r\n$/);
    expect(lines).toEqual([missing]);
  });

  test.each([true, false])(
    'in the report only, if the response is larger (of known length: %s)',
    async (withLength) => {
      const { text, lines } = await askFor(statistics(70_000), { withLength });
      expect(text).not.toContain('X-Sim-Deviations');
      expect(lines).toEqual([]);
    },
  );

  test('in the report only, if the response is streamed without delay', async () => {
    let end = (): void => undefined;
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, head);
      response.write('{"success":');
      end = () => response.end('true}');
    });
    const { url, lines, close } = await openProxied(upstream);
    const client = dial(url);
    client.write(
      'GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n',
    );
    expect(await client.until('{"success":')).not.toContain('X-Sim-Deviations');
    end();
    expect(await client.closed()).toMatch(/true\}\r\n0\r\n\r\n$/);
    await close();
    expect(lines()).toEqual([missing]);
  });
});

describe('checks', () => {
  test('up to 1 MB', async () => {
    expect((await askFor(statistics(990_000))).lines).toEqual([]);
    expect((await askFor(statistics(1_000_001))).lines).toEqual(['note answer body unread']);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes) => bytes],
    ['deflate, gzip', (bytes) => gzipSync(deflateSync(bytes))],
  ])('unpacked: %s', async (coding, pack) => {
    const headers = { 'Content-Encoding': coding };
    expect((await askFor(pack(statistics()), { headers })).lines).toEqual([]);
    expect((await askFor(pack(wrong), { headers })).lines).toEqual([missing]);
  });

  test('up to 1 MB decompressed, so that zip bombs do no harm', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect((await askFor(bomb, { headers: { 'Content-Encoding': 'gzip' } })).lines).toEqual([
      'note answer body unread',
    ]);
  });

  test.each([
    ['zstd', 'note answer body unread'],
    ['__proto__', 'note answer body unread'],
    ['gzip', 'error answer body json'],
  ])('not bodies with an unknown or wrong Content-Encoding: %s', async (coding, line) => {
    expect((await askFor(statistics(), { headers: { 'Content-Encoding': coding } })).lines).toEqual([line]);
  });

  test('the first thousand records of a list', async () => {
    const bytes = (records: readonly number[]): Buffer =>
      Buffer.from(JSON.stringify({ ...JSON.parse(statistics().toString()), errors: records }));
    const good = Array.from({ length: 1_000 }, () => 1);
    expect((await askFor(bytes(good))).lines).toEqual([]);
    expect((await askFor(bytes([...good, 1]))).lines).toEqual(['note answer body unread']);
    const deep = Buffer.from(`${'['.repeat(400_000)}${']'.repeat(400_000)}`);
    expect((await askFor(deep)).lines).toEqual(['error answer body type']);
  });

  test('as UTF-8', async () => {
    expect((await askFor(Buffer.from('{"success":"\xff"}', 'latin1'))).lines).toEqual(['error answer body json']);
  });
});

test('a body is kept up to 1 MB', () => {
  const capture = new Capture();
  for (let count = 0; count < 10; count += 1) capture.add(Buffer.alloc(100_000));
  capture.end();
  expect(capture.body).toHaveLength(1_000_000);
  capture.add(Buffer.alloc(1));
  expect(capture.body).toBe('too-large');
});
