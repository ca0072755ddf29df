import got from 'got';
import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../src/files/seed-file.js';
import { apiOf } from '../../../src/http/document/profiles.js';
import type { Choices } from '../../../src/index.js';
import { resolveProfile } from '../../../src/openapi/profile.js';
import { createCheckedFetch } from '../../support/checked-fetch.js';
import { sendRaw } from '../../support/raw.js';
import { sampleUnlessFull } from '../../support/sample.js';
import { deposit, headers, immediateRetries, startTestService } from './test-service.js';

/** Effects of faults that respond in place of the service. */

/** Retry options of got: it retries after a millisecond, and adds the delay that it would have waited to `waitsMs`. */
const recordingRetries = (waitsMs: number[]) => ({
  calculateDelay: ({ computedValue }: { readonly computedValue: number }): number => {
    waitsMs.push(computedValue);
    return computedValue && 1;
  },
});

describe.each<{ name: string; choices: Choices }>([
  { name: 'the default profile', choices: {} },
  {
    name: 'a profile that differs from the defaults',
    choices: {
      'auth.unauthenticated': '403',
      'auth.scope': '401',
      'request.malformed-json': 'as-empty',
      'request.content-type': 'parsed',
      'request.not-found': { error: 'Nothing there' },
      'request.method': '404',
      'validation.status': '400-without-errors',
      'rate.exceeded': '403',
      'rate.reset-unit': 'iso',
      'status.created': '200',
      'status.acted': '202',
      'deposit.capture-when': '400',
      'deposit.key-required': 'yes',
    },
  },
])('with $name', ({ choices }) => {
  const { document, operations } = apiOf(resolveProfile(choices));

  test.each(
    sampleUnlessFull(
      operations.map(({ id, path, method }) => ({ id, path, method })),
      { oneIn: 6 },
    ),
  )(
    'a fault on $id can respond with the statuses that the document lists and with others, and each body matches the document',
    async ({ path, method }) => {
      const service = await startTestService({ choices });
      const checkedFetch = createCheckedFetch({ choices });
      const documentedStatuses = Object.keys(document.paths?.[path]?.[method]?.responses ?? {}).map(Number);
      const statuses = [
        ...documentedStatuses.filter(Number.isInteger),
        400,
        402,
        404,
        405,
        408,
        409,
        413,
        415,
        418,
        500,
        502,
        599,
      ];
      for (const status of statuses) {
        const response = await checkedFetch(service.baseUrl + path.replace(/\{\w+\}/, '1'), {
          method: method.toUpperCase(),
          headers: { ...headers, 'X-Sim-Fault': `status=${status}` },
        });
        expect([response.status, response.headers.get('x-sim-fault')]).toEqual([status, 'status']);
      }
      expect(service.account.deposits.size).toBe(0);
      expect(service.internalErrors).toEqual([]);
    },
  );
});

describe('status', () => {
  test.each([
    ['/deposits/1/capture', 'status=409', 'Deposit cannot be captured'],
    ['/deposits/1/release', 'status=404', 'Deposit not found'],
    ['/invoices/1/reminder', 'status=400', 'Invoice is already paid'],
    ['/payment-links', 'status=400', 'The request body is not valid JSON.'],
    ['/deposits/1/release', 'status=400', 'Bad Request'],
    ['/deposits', 'status=503', 'Service Unavailable'],
    ['/deposits', 'status=599', 'Status 599'],
    ['/deposits', 'status=500;error=Out of cheese', 'Out of cheese'],
  ])('on %s, given as `%s`, responds with the error: %s', async (path, effect, error) => {
    const service = await startTestService();
    service.addFault({ effect });
    expect(await (await service.post(path, {})).json()).toEqual({ success: false, error });
  });

  test.each([
    ['of HTML', 'status=502;body=<h1>502 Bad Gateway</h1>', 502, '<h1>502 Bad Gateway</h1>', 'text/html'],
    ['of JSON', 'status=502;body="{\\"message\\":1}"', 502, '{"message":1}', 'application/json'],
    ['of JSON without quotes around it', 'status=200;body={"data":[1]}', 200, '{"data":[1]}', 'application/json'],
    ['of text', 'status=504;body="upstream timed out, sorry"', 504, 'upstream timed out, sorry', 'text/plain'],
    ['of a given type', 'status=500;body="{}";type=application/problem+json', 500, '{}', 'application/problem+json'],
    ['of length 0', 'status=500;body=', 500, '', null],
    ['of length 0 if the status allows no other', 'status=204;body=', 204, '', null],
  ])('can have a body %s', async (_name, effect, status, body, type) => {
    const service = await startTestService();
    service.addFault({ effect });
    const response = await service.fetch('/invoices');
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(Object.fromEntries(response.headers)).toEqual({
      ...(type === null ? {} : { 'content-type': type }),
      ...(status === 204 ? {} : { 'content-length': String(body.length) }),
      'x-sim-fault': 'status (fault 1)',
      connection: 'keep-alive',
      'keep-alive': 'timeout=95',
      date: expect.any(String),
    });
  });

  test('responds to HEAD with the status and Content-Length of GET, and without a body', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=503' });
    const get = await service.fetch('/invoices');
    const head = await service.fetch('/invoices', { method: 'HEAD' });
    expect([get.status, head.status, await head.text()]).toEqual([503, 503, '']);
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  });

  test('short-circuits the request, so that retries create only one deposit', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=503', match: { operation: 'createDeposit' }, times: 2 });
    const response = await got.post(`${service.baseUrl}/deposits`, { headers, json: deposit, retry: immediateRetries });
    expect([response.statusCode, response.retryCount]).toEqual([201, 2]);
    expect(service.bookingReferences()).toEqual(['BK-1']);
  });

  test('in a fault that matches a response status applies after the request was handled', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=500', match: { status: 201 } });
    expect((await service.post('/deposits', deposit)).status).toBe(500);
    expect(service.bookingReferences()).toEqual(['BK-1']);
    expect((await service.fetch('/deposits')).status).toBe(200);
  });

  test('closes the connection if the request body is still arriving', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=502;body=<p>', match: { status: 413 } });
    const response = await service.post('/deposits', { description: 'a'.repeat(101_000) });
    expect([response.status, response.headers.get('connection')]).toEqual([502, 'close']);
  });

  test('with `times: 1` does not affect the next request on the connection', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'status=502;body=<p>', times: 1 });
    const request = `GET /api/v1/invoices/stats HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\n`;
    const responses = await sendRaw(service.server.url, `${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(responses.map(({ status }) => status)).toEqual([502, 200]);
  });
});

describe('rate-limited', () => {
  test.each<[string, string, string]>([
    ['epoch-seconds', String(Date.parse('2026-03-01T09:00:30Z') / 1_000), '30'],
    ['seconds-left', '30', '30'],
    ['iso', '2026-03-01T09:00:30+00:00', '30'],
  ])('has consistent headers if the profile gives X-RateLimit-Reset as %s', async (unit, reset, retryAfter) => {
    const service = await startTestService({ choices: { 'rate.reset-unit': unit } });
    service.addFault({ effect: 'rate-limited=30s' });
    const response = await service.fetch('/invoices');
    expect([response.status, await response.json()]).toEqual([429, { success: false, error: 'Too Many Attempts.' }]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': reset,
      'retry-after': retryAfter,
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('lasts until the end of the current window by default', async () => {
    const service = await startTestService();
    await service.fetch('/invoices');
    await service.advanceMs(20_000);
    service.addFault({ effect: 'rate-limited' });
    const { headers: responseHeaders } = await service.fetch('/invoices');
    expect([responseHeaders.get('retry-after'), responseHeaders.get('x-ratelimit-reset')]).toEqual([
      '40',
      String(Date.parse('2026-03-01T09:01:00Z') / 1_000),
    ]);
  });

  test('lasts by default until a bucket has regained a request, which is before it is full', async () => {
    const service = await startTestService({ choices: { 'rate.window': 'bucket' } });
    await service.fetch('/invoices');
    await service.fetch('/invoices');
    service.addFault({ effect: 'rate-limited' });
    const { headers: responseHeaders } = await service.fetch('/invoices');
    expect([responseHeaders.get('retry-after'), responseHeaders.get('x-ratelimit-reset')]).toEqual([
      '1',
      String(Date.parse('2026-03-01T09:00:03Z') / 1_000),
    ]);
  });

  test('has the status that the profile has for a request beyond the limit', async () => {
    const service = await startTestService({
      choices: { 'rate.exceeded': '403', 'rate.unauthenticated': 'uncounted' },
    });
    service.addFault({ effect: 'rate-limited=5s' });
    expect((await service.fetch('/invoices')).status).toBe(403);
    const withoutToken = await fetch(`${service.baseUrl}/invoices`);
    expect([
      withoutToken.status,
      withoutToken.headers.get('retry-after'),
      withoutToken.headers.get('x-ratelimit-reset'),
    ]).toEqual([403, '5', String(Date.parse('2026-03-01T09:00:05Z') / 1_000)]);
  });

  test('makes the HTTP client `got` wait for Retry-After', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'rate-limited=90s', times: 1 });
    const waitsMs: number[] = [];
    await got(`${service.baseUrl}/invoices`, {
      headers,
      retry: recordingRetries(waitsMs),
    });
    expect(waitsMs).toEqual([90_000]);
  });
});

describe('outage', () => {
  test('responds to every request with 503, until its time on the account clock is over', async () => {
    const service = await startTestService();
    const { id } = service.addFault({ effect: 'outage', for: '10m' });
    const requests: [string, RequestInit][] = [
      ['/invoices', { headers }],
      ['/deposits', { headers, method: 'POST' }],
      ['/invoices/99', { headers }],
      ['/nothing', { headers }],
      ['/invoices', { headers, method: 'DELETE' }],
      ['/invoices', {}],
      ['/invoices', { headers: { Authorization: 'Bearer wrong' } }],
      ['/deposits', { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{' }],
      ['/deposits', { method: 'POST', headers: { Authorization: 'Bearer demo_read' } }],
    ];
    const sendAll = (): Promise<number[]> =>
      Promise.all(requests.map(async ([path, init]) => (await fetch(service.baseUrl + path, init)).status));
    expect(await sendAll()).toEqual(requests.map(() => 503));
    await service.advanceMs(599_000);
    expect(await sendAll()).toEqual(requests.map(() => 503));
    const sentDuringOutage = 2 * requests.length;
    await service.advanceMs(1_000);
    expect(await sendAll()).toEqual([200, 422, 404, 404, 405, 401, 401, 400, 403]);
    expect(service.account.faults.get(id)).toMatchObject({
      times_matched: sentDuringOutage,
      times_fired: sentDuringOutage,
    });
  });

  test('does not reveal the original response', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'outage' });
    const response = await fetch(`${service.baseUrl}/invoices`);
    expect([response.status, response.headers.get('x-sim-hint')]).toEqual([503, null]);
  });

  test('does not affect the control API or other accounts', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'outage' });
    const { tokens } = service.server.world.accounts.create({ id: 'other', seed: await readSeed('empty') });
    expect((await fetch(`${service.server.url}/_sim/health`)).status).toBe(200);
    const otherAccount = { headers: { Authorization: `Bearer ${tokens.full}` } };
    expect((await fetch(`${service.baseUrl}/invoices`, otherAccount)).status).toBe(200);
  });
});

describe('maintenance', () => {
  test('sets Retry-After to the seconds until the end of the fault', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'maintenance=1h', until: '2026-03-01T09:10:00Z' });
    const readRetryAfter = async (): Promise<string | null> =>
      (await service.fetch('/invoices')).headers.get('retry-after');
    expect(await readRetryAfter()).toBe('600');
    // Leaves 59.5 seconds, which are rounded up.
    await service.advanceMs(540_500);
    expect(await readRetryAfter()).toBe('60');
    await service.advanceMs(59_500);
    expect(await readRetryAfter()).toBeNull();
  });

  test('lasts as long as its option says if the fault has no other end', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'maintenance=2h;error=Back at noon' });
    const response = await service.fetch('/invoices');
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      503,
      '7200',
      { success: false, error: 'Back at noon' },
    ]);
    await service.advanceMs(7_199_000);
    expect((await service.fetch('/invoices')).headers.get('retry-after')).toBe('1');
    await service.advanceMs(1_000);
    expect((await service.fetch('/invoices')).status).toBe(200);
  });

  test('makes the HTTP client `got` wait for 10 minutes by default', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'maintenance', times: 1 });
    const waitsMs: number[] = [];
    const { statusCode } = await got(`${service.baseUrl}/invoices`, {
      headers,
      retry: recordingRetries(waitsMs),
    });
    expect([statusCode, waitsMs]).toEqual([200, [600_000]]);
  });
});
