import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectJson, invalidFieldBody } from '../../support/envelope.js';
import { sendHttpRequest } from '../../support/send-http-request.js';
import { deposit, headers, startFaulty } from './faulty-service.js';

/** `X-Sim-Fault`: what one request asks for itself. */

const asking = (fault: string): RequestInit => ({ headers: { 'X-Sim-Fault': fault } });

test('fires on its request alone', async () => {
  const sim = await startFaulty();
  const answer = await sim.fetch('/invoices', asking('status=503'));
  expect([answer.status, answer.headers.get('x-sim-fault')]).toEqual([503, 'status']);
  expect((await sim.fetch('/invoices')).status).toBe(200);
  expect(sim.account.faults.size).toBe(0);
  expect(sim.account.requests.latest().map(({ status, faults }) => [status, faults])).toEqual([
    [200, []],
    [503, ['status']],
  ]);
});

test('applies to unknown routes, missing scopes and invalid bodies as well', async () => {
  const sim = await startFaulty();
  const statusOf = async (path: string, init: RequestInit): Promise<number> =>
    (await sim.fetch(path, { ...init, headers: { ...Object(init.headers), 'X-Sim-Fault': 'status=418' } })).status;
  expect(await statusOf('/nothing', {})).toBe(418);
  expect(await statusOf('/deposits', { method: 'POST', headers: { Authorization: 'Bearer demo_read' } })).toBe(418);
  expect(await statusOf('/deposits', { method: 'POST', body: '{' })).toBe(418);
});

test('applies without a token, and beyond the rate limit', async () => {
  const sim = await startFaulty({ rateLimit: true });
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${sim.baseUrl}/invoices`, { headers })).status;
  const short = { 'X-Sim-Fault': 'status=418' };
  expect(await statusOf(short)).toBe(418);
  expect(await statusOf({ ...short, Authorization: 'Bearer unknown' })).toBe(418);
  for (let count = 0; count < 100; count++) await sim.fetch('/invoices');
  expect(await statusOf(headers)).toBe(429);
  expect(await statusOf({ ...short, ...headers })).toBe(418);
});

test('changes errors like any other response', async () => {
  const sim = await startFaulty();
  const answer = await fetch(`${sim.baseUrl}/invoices`, asking('malformed-json'));
  expect([answer.status, answer.headers.get('x-sim-fault')]).toEqual([401, 'malformed-json']);
  await expect(answer.json()).rejects.toThrow(SyntaxError);
});

test('takes precedence: if it short-circuits the request, other such faults do not', async () => {
  const sim = await startFaulty();
  const { id } = sim.add({ effect: 'outage' });
  sim.add({ effect: 'wrong-content-type=text/plain' });
  const answer = await sim.fetch('/invoices', asking('status=418'));
  expect([answer.status, answer.headers.get('x-sim-fault')]).toEqual([418, 'status, wrong-content-type (fault 2)']);
  expect(sim.account.faults.get(id)).toMatchObject({ seen: 0, hits: 0 });
  const slow = await sim.fetch('/invoices', asking('latency=1ms'));
  expect([slow.status, slow.headers.get('x-sim-fault')]).toEqual([
    503,
    'outage (fault 1), latency, wrong-content-type (fault 2)',
  ]);
});

test('may be sent more than once', async () => {
  const sim = await startFaulty();
  const { status, headers: answered } = await sendHttpRequest(sim.server.url, {
    path: '/api/v1/invoices',
    token: 'demo_full',
    headers: ['X-Sim-Fault', 'status=418;error="a, b; c"', 'X-Sim-Fault', 'latency=1ms'],
  });
  expect([status, answered['x-sim-fault']]).toEqual([418, 'status latency']);
});

test('is ignored by the control API and outside of the service', async () => {
  const sim = await startFaulty();
  for (const path of ['/_sim/health', '/_sim/accounts', '/openapi.json']) {
    expect((await fetch(sim.server.url + path, asking('status=503'))).status).toBe(200);
    expect((await fetch(sim.server.url + path, asking('nonsense'))).status).toBe(200);
  }
});

describe('that is wrong', () => {
  test.each([
    ['statsu=503', 'unknown effect `statsu`; did you mean `status`?'],
    ['status', 'status: `status` is missing'],
    ['status=5000', 'status.status: must be 599 or less'],
    ['latency=12', 'latency.min: `12` is not a duration of up to 10m (for example 200ms or 2s)'],
    ['latency=11m', 'latency.min: `11m` is not a duration of up to 10m (for example 200ms or 2s)'],
    ['', 'effect: an effect or option has no name; write an effect like status=503'],
    ['drop', 'a request can be given effects on requests only; add a fault for those on webhooks'],
    ['reset=1', 'reset: takes options only, no value'],
  ])('is refused before anything is done: %s', async (fault, message) => {
    const sim = await startFaulty();
    const reply = await sendHttpRequest(sim.server.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: 'demo_full',
      headers: ['X-Sim-Fault', fault],
      body: JSON.stringify(deposit),
    });
    expectJson(reply, 422, invalidFieldBody('X-Sim-Fault', message));
    expect(reply.headers['x-ratelimit-limit']).toBe('100');
    expect(sim.account.deposits.size).toBe(0);
  });

  test('does not consume an Idempotency-Key', async () => {
    const sim = await startFaulty({ choices: { 'deposit.key-failed': 'replayed' } });
    const post = async (fault?: string): Promise<number> => {
      const own = fault === undefined ? {} : { 'X-Sim-Fault': fault };
      const all = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'key', ...own };
      return (await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers: all, body: JSON.stringify(deposit) }))
        .status;
    };
    expect([await post('nonsense'), await post('status=503'), await post(), await post()]).toEqual([
      422, 503, 201, 201,
    ]);
    expect(sim.account.deposits.size).toBe(1);
  });
});

test('that suppressed an error does not store it for an Idempotency-Key', async () => {
  const sim = await startFaulty({ choices: { 'deposit.key-failed': 'replayed' } });
  sim.add({ effect: 'outage', times: 2 });
  const post = async (body: string): Promise<number> => {
    const all = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'key' };
    return (await fetch(`${sim.baseUrl}/deposits`, { method: 'POST', headers: all, body })).status;
  };
  expect([await post('{'), await post('{}')]).toEqual([503, 503]);
  expect(await post(JSON.stringify(deposit))).toBe(201);
});

test('may be any text: it fires or is refused, without internal errors', async () => {
  const sim = await startFaulty();
  const part = fc.constantFrom(
    ...['status', 'reset', 'outage', 'maintenance', 'truncate', 'malformed-json', 'patch', 'drop', 'slow-body=0s'],
    ...[
      'wrong-content-type',
      'rate-limited',
      'lose-response',
      '503',
      'body',
      'bytes',
      'how',
      'error',
      '10',
      '__proto__',
    ],
    ...['=', '=', ',', ';', '"', '{', '}', '[{"op":"remove","path":"/data"}]', '[', '\\', ' ', '<p>', 'é'],
  );
  const header = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(header, async (fault) => {
      const requested = sendHttpRequest(sim.server.url, {
        path: '/api/v1/invoices',
        token: 'demo_full',
        headers: ['X-Sim-Fault', fault],
      });
      const status = await requested.then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      expect(
        status === 422 ||
          (typeof status === 'number' && status < 600) ||
          /hang up|ECONNRESET|aborted/.test(`${status}`),
      ).toBe(true);
    }),
    { numRuns: 200 },
  );
  expect(sim.failures).toEqual([]);
});
