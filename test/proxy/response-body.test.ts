import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { billingDocument } from '../../src/generated/billing-document.js';
import { Capture } from '../../src/proxy/capture.js';
import { dial } from './test-connection.js';
import { openTestProxy, openUpstream } from './test-proxy.js';

/** Returns the document's example response of GET /invoices/stats, with additional bytes of padding. */
function statistics(paddingBytes = 0): Buffer {
  const response = Object(billingDocument.components?.responses?.['InvoiceStatsRead']);
  const body = response.content['application/json'].examples.statistics.value;
  return Buffer.from(JSON.stringify({ ...body, padding: 'x'.repeat(paddingBytes) }));
}

/** Headers that the document requires. */
const requiredHeaders = {
  'Content-Type': 'application/json',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1',
};

/** Requests the statistics from an upstream that sends these bytes. @returns the received text and the deviations */
async function requestStatistics(
  bytes: Buffer,
  {
    headers = {},
    withLength = true,
    requestHeaders = '',
  }: { headers?: object; withLength?: boolean; requestHeaders?: string } = {},
) {
  const upstream = await openUpstream((_request, response) => {
    response.writeHead(200, {
      ...requiredHeaders,
      ...(withLength ? { 'Content-Length': bytes.length } : {}),
      ...headers,
    });
    response.end(bytes);
  });
  const { url, lines, close, failures } = await openTestProxy(upstream);
  const client = dial(url);
  client.write(
    `GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer x\r\n${requestHeaders}Connection: close\r\n\r\n`,
  );
  const text = await client.untilClosed();
  await close();
  expect(failures).toEqual([]);
  return { text, lines: lines() };
}

const invalidBody = Buffer.from('{"success":true}');
/** Larger than the 64 kB up to which the proxy holds a response back. */
const largeInvalidBody = Buffer.from(JSON.stringify({ success: true, padding: 'x'.repeat(70_000) }));
const missingData = 'error response body data required';

describe('the result of a check is reported', () => {
  test.each([true, false])(
    'in a response header, if the response has at most 64 kB (Content-Length is sent: %s)',
    async (withLength) => {
      for (const bytes of [statistics(), statistics(65_000)]) {
        const { text } = await requestStatistics(bytes, { withLength });
        expect(text).toContain('\r\nX-Sim-Deviations: 0\r\n');
        expect(text).toContain(bytes.toString());
      }
      const { text, lines } = await requestStatistics(invalidBody, { withLength });
      expect(text).toContain('\r\nX-Sim-Deviations: 1;codes="response-body-required"\r\n');
      expect(lines).toEqual([missingData]);
    },
  );

  test('in a response header, even if a small chunked response has trailers', async () => {
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, { ...requiredHeaders, Trailer: 'X-Sum' });
      response.write(invalidBody);
      response.addTrailers({ 'X-Sum': '6' });
      response.end();
    });
    const { url } = await openTestProxy(upstream);
    const client = dial(url);
    client.write(
      'GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer x\r\nTE: trailers\r\nConnection: close\r\n\r\n',
    );
    const text = await client.untilClosed();
    expect(text).toContain('\r\nX-Sim-Deviations: 1;codes="response-body-required"\r\n');
    expect(text).toMatch(/\r\n\r\n10\r\n\{"success":true\}\r\n0\r\nX-Sum: 6\r\n\r\n$/);
  });

  test('as a trailer, if the response is larger than 64 kB and the client accepts trailers', async () => {
    const { text, lines } = await requestStatistics(largeInvalidBody, {
      withLength: false,
      requestHeaders: 'TE: trailers\r\n',
    });
    expect(text).toContain('\r\nTrailer: X-Sim-Deviations\r\n');
    expect(text).toMatch(/\r\n0\r\nX-Sim-Deviations: 1;codes="response-body-required"\r\n\r\n$/);
    expect(lines).toEqual([missingData]);
  });

  test.each([true, false])(
    'in the report only, if the response is larger than 64 kB (Content-Length is sent: %s)',
    async (withLength) => {
      const { text, lines } = await requestStatistics(largeInvalidBody, { withLength });
      expect(text).not.toContain('X-Sim-Deviations');
      expect(lines).toEqual([missingData]);
    },
  );

  test('in the report only, if the head of the response is forwarded before its end arrives', async () => {
    let endResponse = (): void => undefined;
    const upstream = await openUpstream((_request, response) => {
      response.writeHead(200, requiredHeaders);
      response.write('{"success":');
      endResponse = () => response.end('true}');
    });
    const { url, lines, close } = await openTestProxy(upstream);
    const client = dial(url);
    client.write(
      'GET /api/v1/invoices/stats HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n',
    );
    expect(await client.until('{"success":')).not.toContain('X-Sim-Deviations');
    endResponse();
    expect(await client.untilClosed()).toMatch(/true\}\r\n0\r\n\r\n$/);
    await close();
    expect(lines()).toEqual([missingData]);
  });
});

describe('the body of a response is checked', () => {
  test('up to 1 MB', async () => {
    expect((await requestStatistics(statistics(990_000))).lines).toEqual([]);
    expect((await requestStatistics(statistics(1_000_001))).lines).toEqual(['note response body unread']);
  });

  test.each<[coding: string, compress: (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes) => bytes],
    ['deflate, gzip', (bytes) => gzipSync(deflateSync(bytes))],
    // Recipients ignore the empty elements of a list (RFC 9110, 5.6.1).
    ['gzip,', gzipSync],
    ['', (bytes) => bytes],
  ])('after decompression, with the Content-Encoding %s', async (coding, compress) => {
    const headers = { 'Content-Encoding': coding };
    expect((await requestStatistics(compress(statistics()), { headers })).lines).toEqual([]);
    expect((await requestStatistics(compress(invalidBody), { headers })).lines).toEqual([missingData]);
  });

  test('after decompression, with the Transfer-Encoding gzip', async () => {
    const options = { headers: { 'Transfer-Encoding': 'gzip, chunked' }, withLength: false };
    expect((await requestStatistics(gzipSync(statistics()), options)).lines).toEqual([]);
    expect((await requestStatistics(gzipSync(invalidBody), options)).lines).toEqual([missingData]);
  });

  test('up to 1 MB of decompressed data, so that zip bombs do no harm', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect((await requestStatistics(bomb, { headers: { 'Content-Encoding': 'gzip' } })).lines).toEqual([
      'note response body unread',
    ]);
  });

  test.each(['zstd', '__proto__'])('but not with the unknown Content-Encoding %s', async (coding) => {
    expect((await requestStatistics(statistics(), { headers: { 'Content-Encoding': coding } })).lines).toEqual([
      'note response body unread',
    ]);
  });

  test('and reported if it is not compressed, although the Content-Encoding is gzip', async () => {
    expect((await requestStatistics(statistics(), { headers: { 'Content-Encoding': 'gzip' } })).lines).toEqual([
      'error response body json',
    ]);
  });

  test.each<[name: string, text: string, line: string]>([
    ['only white space of JSON, like a missing one', ' \t\r\n', 'error response body missing'],
    ['a no-break space, as one that is not JSON', '\u00A0', 'error response body json'],
  ])('with %s', async (_name, text, line) => {
    expect((await requestStatistics(Buffer.from(text))).lines).toEqual([line]);
  });

  test('if its lists have up to 1,000 items', async () => {
    const withItems = (items: readonly number[]): Buffer =>
      Buffer.from(JSON.stringify({ ...JSON.parse(statistics().toString()), errors: items }));
    const maximum = Array.from({ length: 1_000 }, () => 1);
    expect((await requestStatistics(withItems(maximum))).lines).toEqual([]);
    expect((await requestStatistics(withItems([...maximum, 1]))).lines).toEqual(['note response body unread']);
  });

  test('even if it is nested 400,000 levels deep', async () => {
    const deep = Buffer.from(`${'['.repeat(400_000)}${']'.repeat(400_000)}`);
    expect((await requestStatistics(deep)).lines).toEqual(['error response body type']);
  });

  test('as UTF-8', async () => {
    expect((await requestStatistics(Buffer.from('{"success":"\xff"}', 'latin1'))).lines).toEqual([
      'error response body json',
    ]);
  });

  test('and reported if it begins with a byte order mark, which JSON must not', async () => {
    const marked = Buffer.concat([Buffer.from('\uFEFF'), statistics()]);
    expect((await requestStatistics(marked)).lines).toEqual(['error response body json']);
  });
});

test('Capture keeps a body of up to 1 MB', () => {
  const capture = new Capture();
  for (let count = 0; count < 10; count += 1) capture.add(Buffer.alloc(100_000));
  capture.end();
  expect(capture.body).toHaveLength(1_000_000);
  capture.add(Buffer.alloc(1));
  expect(capture.body).toBe('too-large');
});
