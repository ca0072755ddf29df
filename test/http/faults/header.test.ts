import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectStages } from '../../../src/domain/faults.js';
import { expectJson, invalidFieldBody } from '../../support/envelope.js';
import { sendRaw } from '../../support/raw.js';
import { sendHttpRequest } from '../../support/send-http-request.js';
import { deposit, headers, startTestService } from './test-service.js';

/** The `X-Sim-Fault` request header, which injects faults into the request that carries it. */

const withFaultHeader = (fault: string): RequestInit => ({ headers: { 'X-Sim-Fault': fault } });

test('X-Sim-Fault applies to its request only', async () => {
  const service = await startTestService();
  const response = await service.fetch('/invoices', withFaultHeader('status=503'));
  expect([response.status, response.headers.get('x-sim-fault')]).toEqual([503, 'status']);
  expect((await service.fetch('/invoices')).status).toBe(200);
  expect(service.account.faults.size).toBe(0);
  expect(service.account.requests.newestFirst().map(({ status, faults }) => [status, faults])).toEqual([
    [200, []],
    [503, ['status']],
  ]);
});

test('X-Sim-Fault applies to unknown routes, missing scopes and invalid bodies as well', async () => {
  const service = await startTestService();
  const statusOf = async (path: string, init: RequestInit): Promise<number> =>
    (await service.fetch(path, { ...init, headers: { ...Object(init.headers), 'X-Sim-Fault': 'status=418' } })).status;
  expect(await statusOf('/nothing', {})).toBe(418);
  expect(await statusOf('/deposits', { method: 'POST', headers: { Authorization: 'Bearer demo_read' } })).toBe(418);
  expect(await statusOf('/deposits', { method: 'POST', body: '{' })).toBe(418);
});

test('X-Sim-Fault applies without a token, and beyond the rate limit', async () => {
  const service = await startTestService({ rateLimit: true });
  const statusOf = async (sentHeaders: Record<string, string>): Promise<number> =>
    (await fetch(`${service.baseUrl}/invoices`, { headers: sentHeaders })).status;
  const faultHeader = { 'X-Sim-Fault': 'status=418' };
  expect(await statusOf(faultHeader)).toBe(418);
  expect(await statusOf({ ...faultHeader, Authorization: 'Bearer unknown' })).toBe(418);
  // The burst of 100 requests per minute.
  for (let count = 0; count < 100; count++) await service.fetch('/invoices');
  expect(await statusOf(headers)).toBe(429);
  expect(await statusOf({ ...faultHeader, ...headers })).toBe(418);
});

test.each([
  { name: 'UTF-8', bytes: Buffer.from('été ☕'), error: 'été ☕' },
  { name: 'Latin-1', bytes: Buffer.from('été', 'latin1'), error: 'été' },
])('X-Sim-Fault may contain text in $name', async ({ bytes, error }) => {
  const service = await startTestService();
  const head =
    'GET /api/v1/invoices HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nConnection: close';
  const request = [Buffer.from(`${head}\r\nX-Sim-Fault: status=503;error=`), bytes, Buffer.from('\r\n\r\n')];
  const [response] = await sendRaw(service.baseUrl, Buffer.concat(request));
  expect(response).toMatchObject({ status: 503, body: JSON.stringify({ success: false, error }) });
});

test('X-Sim-Fault can change an error of the service', async () => {
  const service = await startTestService();
  const response = await fetch(`${service.baseUrl}/invoices`, withFaultHeader('malformed-json'));
  expect([response.status, response.headers.get('x-sim-fault')]).toEqual([401, 'malformed-json']);
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

test('X-Sim-Fault takes precedence: if it short-circuits the request, no other fault does', async () => {
  const service = await startTestService();
  const { id } = service.addFault({ effect: 'outage' });
  service.addFault({ effect: 'wrong-content-type=text/plain' });
  const response = await service.fetch('/invoices', withFaultHeader('status=418'));
  expect([response.status, response.headers.get('x-sim-fault')]).toEqual([418, 'status, wrong-content-type (fault 2)']);
  expect(service.account.faults.get(id)).toMatchObject({ times_matched: 0, times_fired: 0 });
  const slow = await service.fetch('/invoices', withFaultHeader('latency=1ms'));
  expect([slow.status, slow.headers.get('x-sim-fault')]).toEqual([
    503,
    'outage (fault 1), latency, wrong-content-type (fault 2)',
  ]);
});

test('two X-Sim-Fault headers in one request both apply', async () => {
  const service = await startTestService();
  const { status, headers: responseHeaders } = await sendHttpRequest(service.server.url, {
    path: '/api/v1/invoices',
    token: 'demo_full',
    headers: ['X-Sim-Fault', 'status=418;error="a, b; c"', 'X-Sim-Fault', 'latency=1ms'],
  });
  // Two headers make one fault. Spaces separate the effects of a fault, and commas separate faults.
  expect([status, responseHeaders['x-sim-fault']]).toEqual([418, 'status latency']);
});

test('X-Sim-Fault is ignored by the control API and outside of the service', async () => {
  const service = await startTestService();
  for (const path of ['/_sim/health', '/_sim/accounts', '/openapi.json']) {
    expect((await fetch(service.server.url + path, withFaultHeader('status=503'))).status).toBe(200);
    expect((await fetch(service.server.url + path, withFaultHeader('nonsense'))).status).toBe(200);
  }
});

describe('X-Sim-Fault with an invalid value', () => {
  test.each([
    ['statsu=503', 'unknown effect `statsu`; did you mean `status`?'],
    ['reorde', 'unknown effect `reorde`; did you mean `reorder`?'],
    ['status', 'status: `status` is missing; for example status=503'],
    ['status=5000', 'status.status: must be 599 or less'],
    ['latency=12', 'latency.min: `12` is not a duration of up to 10m (for example 200ms or 2s)'],
    ['latency=11m', 'latency.min: `11m` is not a duration of up to 10m (for example 200ms or 2s)'],
    ['', 'effect: an effect or option has no name; write an effect like status=503'],
    ['drop', 'the header accepts only effects on requests; for effects on webhooks, use billing-sim fault add'],
    ['reset=1', 'reset: takes only named options, not a value'],
  ])('is refused before the request is handled: %s', async (fault, message) => {
    const service = await startTestService();
    const response = await sendHttpRequest(service.server.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: 'demo_full',
      headers: ['X-Sim-Fault', fault],
      body: JSON.stringify(deposit),
    });
    expectJson(response, 422, invalidFieldBody('X-Sim-Fault', message));
    expect(response.headers['x-ratelimit-limit']).toBe('100');
    expect(service.account.deposits.size).toBe(0);
  });

  test('names every invalid option of an effect', async () => {
    const { server } = await startTestService();
    const response = await fetch(`${server.url}/api/v1/deposits`, withFaultHeader('status=50;type='));
    expect(JSON.parse(await response.text()).errors).toEqual({
      'X-Sim-Fault': [
        'status.status: must be 200 or more',
        'status.type: `` is not a content type (for example text/html)',
      ],
    });
  });

  test('lists the effects on requests if the effect is unknown', async () => {
    const service = await startTestService();
    const { text } = await sendHttpRequest(service.server.url, {
      path: '/api/v1/invoices',
      token: 'demo_full',
      headers: ['X-Sim-Fault', 'explode'],
    });
    const [, list = ''] = /unknown effect `explode`; available: ([^"]*)/.exec(text) ?? [];
    const effectsOnRequests = Object.entries(effectStages).flatMap(([name, stage]) =>
      stage === 'request' || stage === 'response' ? [`\`${name}\``] : [],
    );
    expect(list.split(', ').sort()).toEqual(effectsOnRequests.sort());
  });

  test('does not consume an Idempotency-Key', async () => {
    // The profile stores an error of the operation for the key. The first two requests never reach the operation.
    const service = await startTestService({ choices: { 'deposit.key-failed': 'replayed' } });
    const post = async (fault?: string): Promise<number> => {
      const faultHeader = fault === undefined ? {} : { 'X-Sim-Fault': fault };
      const allHeaders = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'key', ...faultHeader };
      return (
        await fetch(`${service.baseUrl}/deposits`, {
          method: 'POST',
          headers: allHeaders,
          body: JSON.stringify(deposit),
        })
      ).status;
    };
    expect([await post('nonsense'), await post('status=503'), await post(), await post()]).toEqual([
      422, 503, 201, 201,
    ]);
    expect(service.account.deposits.size).toBe(1);
  });
});

test('an error that a fault replaced is not stored for the Idempotency-Key', async () => {
  const service = await startTestService({ choices: { 'deposit.key-failed': 'replayed' } });
  service.addFault({ effect: 'outage', times: 2 });
  const post = async (body: string): Promise<number> => {
    const allHeaders = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'key' };
    return (await fetch(`${service.baseUrl}/deposits`, { method: 'POST', headers: allHeaders, body })).status;
  };
  expect([await post('{'), await post('{}')]).toEqual([503, 503]);
  expect(await post(JSON.stringify(deposit))).toBe(201);
});

test('X-Sim-Fault with random text injects faults or is refused, and causes no internal error', async () => {
  const service = await startTestService();
  const effects = ['status', 'reset', 'outage', 'maintenance', 'truncate', 'malformed-json', 'patch', 'drop'];
  const moreEffects = ['slow-body=0s', 'wrong-content-type', 'rate-limited', 'lose-response'];
  const optionsAndValues = ['body', 'bytes', 'how', 'error', '503', '10', '<p>', 'é', '__proto__'];
  const syntax = ['=', '=', ',', ';', '"', '{', '}', '[', '\\', ' ', '[{"op":"remove","path":"/data"}]'];
  const fragment = fc.constantFrom(...effects, ...moreEffects, ...optionsAndValues, ...syntax);
  const headerValue = fc.array(fragment, { maxLength: 8 }).map((fragments) => fragments.join(''));
  await fc.assert(
    fc.asyncProperty(headerValue, async (fault) => {
      const pendingResponse = sendHttpRequest(service.server.url, {
        path: '/api/v1/invoices',
        token: 'demo_full',
        headers: ['X-Sim-Fault', fault],
      });
      const statusOrError = await pendingResponse.then(
        (response) => String(response.status),
        (error: Error) => error.message,
      );
      expect(statusOrError).toMatch(/^[1-5]\d\d$|hang up|ECONNRESET|aborted/);
    }),
    { numRuns: 200 },
  );
  expect(service.internalErrors).toEqual([]);
});
