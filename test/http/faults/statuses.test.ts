import got from 'got';
import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../src/files/seed-file.js';
import { apiOf } from '../../../src/http/document/profiles.js';
import type { Choices } from '../../../src/index.js';
import { resolveProfile } from '../../../src/openapi/profile.js';
import { createCheckedFetch } from '../../support/checked-fetch.js';
import { sendRaw } from '../../support/raw.js';
import { again, deposit, headers, startFaulty } from './faulty-service.js';

/** Effects that answer in place of the service. */

/** Has got try again at once, and note for how long it would have waited. */
const noting = (waits: number[]) => ({
  calculateDelay: ({ computedValue }: { readonly computedValue: number }): number => {
    waits.push(computedValue);
    return computedValue && 1;
  },
});

describe.each<{ name: string; choices: Choices }>([
  { name: 'the defaults', choices: {} },
  {
    name: 'other choices',
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
])('under $name', ({ choices }) => {
  const { document, operations } = apiOf(resolveProfile(choices));

  test.each(operations.map(({ id, path, method }) => ({ id, path, method })))(
    '$id can have every status of the document, and others, with an envelope of the document',
    async ({ path, method }) => {
      const sim = await startFaulty({ choices });
      const checked = createCheckedFetch({ choices });
      const listed = Object.keys(document.paths?.[path]?.[method]?.responses ?? {}).map(Number);
      const statuses = [...listed.filter(Number.isInteger), 400, 402, 404, 405, 408, 409, 413, 415, 418, 500, 502, 599];
      for (const status of statuses) {
        const answer = await checked(sim.baseUrl + path.replace(/\{\w+\}/, '1'), {
          method: method.toUpperCase(),
          headers: { ...headers, 'X-Sim-Fault': `status=${status}` },
        });
        expect([answer.status, answer.headers.get('x-sim-fault')]).toEqual([status, 'status']);
      }
      expect(sim.account.deposits.size).toBe(0);
      expect(sim.failures).toEqual([]);
    },
  );
});

describe('status', () => {
  test.each([
    ['/deposits/1/capture', 'status=409', 'Deposit cannot be captured'],
    ['/deposits/1/release', 'status=404', 'Deposit not found'],
    ['/invoices/1/reminder', 'status=400', 'Invoice is already paid'],
    ['/deposits', 'status=503', 'Service Unavailable'],
    ['/deposits', 'status=599', 'Status 599'],
    ['/deposits', 'status=500;error=Out of cheese', 'Out of cheese'],
  ])('on %s, %s says: %3$s', async (path, effect, error) => {
    const sim = await startFaulty();
    sim.add({ effect });
    expect(await (await sim.post(path, {})).json()).toEqual({ success: false, error });
  });

  test.each([
    ['a page of HTML', 'status=502;body=<h1>502 Bad Gateway</h1>', 502, '<h1>502 Bad Gateway</h1>', 'text/html'],
    ['a text', 'status=504;body="upstream timed out, sorry"', 504, 'upstream timed out, sorry', 'text/plain'],
    ['a type of its own', 'status=500;body="{}";type=application/problem+json', 500, '{}', 'application/problem+json'],
    ['nothing', 'status=500;body=', 500, '', null],
    ['nothing, where the status allows no body', 'status=204;body=lost', 204, '', null],
  ])('can have the body %s', async (_what, effect, status, body, type) => {
    const sim = await startFaulty();
    sim.add({ effect });
    const answer = await sim.fetch('/invoices');
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...(type === null ? {} : { 'content-type': type }),
      ...(status === 204 ? {} : { 'content-length': String(body.length) }),
      'x-sim-fault': 'status (fault 1)',
      connection: 'keep-alive',
      'keep-alive': 'timeout=95',
      date: expect.any(String),
    });
  });

  test('to HEAD has the headers of the whole answer, and no body', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=503' });
    const get = await sim.fetch('/invoices');
    const head = await sim.fetch('/invoices', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([503, '']);
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  });

  test('prevents the request, and a retry finds the service unchanged', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=503', match: { operation: 'createDeposit' }, times: 2 });
    const answer = await got.post(`${sim.baseUrl}/deposits`, { headers, json: deposit, retry: again });
    expect([answer.statusCode, answer.retryCount]).toEqual([201, 2]);
    expect(await sim.deposits()).toEqual(['BK-1']);
  });

  test('on a response status applies after the request was handled', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=500', match: { status: 201 } });
    expect((await sim.post('/deposits', deposit)).status).toBe(500);
    expect(await sim.deposits()).toEqual(['BK-1']);
    expect((await sim.fetch('/deposits')).status).toBe(200);
  });

  test('closes a connection whose request body is still arriving', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=502;body=<p>', match: { status: 413 } });
    const answer = await sim.post('/deposits', { description: 'a'.repeat(101_000) });
    expect([answer.status, answer.headers.get('connection')]).toEqual([502, 'close']);
  });

  test('does not affect the next request on the connection', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'status=502;body=<p>', times: 1 });
    const request = `GET /api/v1/invoices/stats HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\n`;
    const answers = await sendRaw(sim.server.url, `${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([502, 200]);
  });
});

describe('rate-limited', () => {
  test.each<[string, string, string]>([
    ['epoch-seconds', String(Date.parse('2026-03-01T09:00:30Z') / 1_000), '30'],
    ['seconds-left', '30', '30'],
    ['iso', '2026-03-01T09:00:30+00:00', '30'],
  ])('has headers that agree where the window is reported in %s', async (unit, reset, after) => {
    const sim = await startFaulty({ choices: { 'rate.reset-unit': unit } });
    sim.add({ effect: 'rate-limited=30s' });
    const answer = await sim.fetch('/invoices');
    expect([answer.status, await answer.json()]).toEqual([429, { success: false, error: 'Too Many Attempts.' }]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': reset,
      'retry-after': after,
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('ends with the real window by default', async () => {
    const sim = await startFaulty();
    await sim.fetch('/invoices');
    await sim.advance(20_000);
    sim.add({ effect: 'rate-limited' });
    const { headers: reported } = await sim.fetch('/invoices');
    expect([reported.get('retry-after'), reported.get('x-ratelimit-reset')]).toEqual([
      '40',
      String(Date.parse('2026-03-01T09:01:00Z') / 1_000),
    ]);
  });

  test('is what the profile says of a request beyond the limit', async () => {
    const sim = await startFaulty({ choices: { 'rate.exceeded': '403', 'rate.unauthenticated': 'uncounted' } });
    sim.add({ effect: 'rate-limited=5s' });
    expect((await sim.fetch('/invoices')).status).toBe(403);
    const unknown = await fetch(`${sim.baseUrl}/invoices`);
    expect([unknown.status, unknown.headers.get('retry-after'), unknown.headers.get('x-ratelimit-reset')]).toEqual([
      403,
      '5',
      String(Date.parse('2026-03-01T09:00:05Z') / 1_000),
    ]);
  });

  test('makes got wait for Retry-After', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'rate-limited=90s', times: 1 });
    const waits: number[] = [];
    await got(`${sim.baseUrl}/invoices`, {
      headers,
      retry: noting(waits),
    });
    expect(waits).toEqual([90_000]);
  });
});

describe('outage', () => {
  test('returns 503 for a time on the clock, and then ends', async () => {
    const sim = await startFaulty();
    const { id } = sim.add({ effect: 'outage', for: '10m' });
    const all: [string, RequestInit][] = [
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
    const statuses = (): Promise<number[]> =>
      Promise.all(all.map(async ([path, init]) => (await fetch(sim.baseUrl + path, init)).status));
    expect(await statuses()).toEqual(all.map(() => 503));
    await sim.advance(599_000);
    expect(await statuses()).toEqual(all.map(() => 503));
    await sim.advance(1_000);
    expect(await statuses()).toEqual([200, 422, 404, 404, 405, 401, 401, 400, 403]);
    expect(sim.account.faults.get(id)).toMatchObject({ seen: 18, hits: 18 });
  });

  test('does not reveal the original response', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'outage' });
    const answer = await fetch(`${sim.baseUrl}/invoices`);
    expect([answer.status, answer.headers.get('x-sim-hint')]).toEqual([503, null]);
  });

  test('leaves the control API alone, and requests to other accounts', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'outage' });
    const { tokens } = sim.server.world.accounts.create({ id: 'other', seed: await readSeed('empty') });
    expect((await fetch(`${sim.server.url}/_sim/health`)).status).toBe(200);
    const other = { headers: { Authorization: `Bearer ${tokens.full}` } };
    expect((await fetch(`${sim.baseUrl}/invoices`, other)).status).toBe(200);
  });
});

describe('maintenance', () => {
  test('counts Retry-After down to the end of the fault', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'maintenance=1h', until: '2026-03-01T09:10:00Z' });
    const retryAfter = async (): Promise<string | null> => (await sim.fetch('/invoices')).headers.get('retry-after');
    expect(await retryAfter()).toBe('600');
    await sim.advance(540_500);
    expect(await retryAfter()).toBe('60');
    await sim.advance(59_500);
    expect(await retryAfter()).toBeNull();
  });

  test('uses its own Retry-After if the fault has no end, and its own text', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'maintenance=2h;error=Back at noon' });
    const answer = await sim.fetch('/invoices');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '7200',
      { success: false, error: 'Back at noon' },
    ]);
  });

  test('makes got wait until then', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'maintenance', times: 1 });
    const waits: number[] = [];
    const { statusCode } = await got(`${sim.baseUrl}/invoices`, {
      headers,
      retry: noting(waits),
    });
    expect([statusCode, waits]).toEqual([200, [600_000]]);
  });
});
