import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { answerClientError } from '../../src/http/client-error.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { emptyWorld, openAccount } from '../simulation/world.js';
import { openRaw, type RawResponse, sendRaw } from '../support/raw.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/** "Every response carries the rate-limit headers" (specification, Limits), also those before an operation is known. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ cors: '*', rateLimit: false, log: () => undefined });
});

afterAll(() => sim.close());

const host = 'Host: 127.0.0.1\r\n';
const token = 'Authorization: Bearer demo_full\r\n';
const close = 'Connection: close\r\n\r\n';

function expectRateHeadersOn({ headers }: Pick<RawResponse, 'headers'>): void {
  const number = expect.stringMatching(/^\d+$/);
  expect(headers).toMatchObject({
    'x-ratelimit-limit': number,
    'x-ratelimit-remaining': number,
    'x-ratelimit-reset': number,
  });
}

test.each([
  ['a foreign host', `GET /api/v1/invoices HTTP/1.1\r\nHost: evil.example\r\n${token}${close}`, 421],
  ['a foreign host in the target', `GET http://evil.example/api/v1/invoices HTTP/1.1\r\n${host}${close}`, 421],
  [
    'a foreign host and the address of the service alone',
    `GET /api/v1 HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    421,
  ],
  ['no host', `GET /api/v1/invoices?page=1 HTTP/1.1\r\n${close}`, 400],
  ['two hosts', `GET /api/v1/invoices HTTP/1.1\r\n${host}${host}${close}`, 400],
  [
    'a preflight',
    `OPTIONS /api/v1/invoices HTTP/1.1\r\n${host}Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n${close}`,
    204,
  ],
  ['no token', `GET /api/v1/invoices HTTP/1.1\r\n${host}${close}`, 401],
  ['a path that cannot be decoded', `GET /api/v1/invoices/%ff HTTP/1.1\r\n${host}${token}${close}`, 404],
  ['an unknown method', `PROPFIND /api/v1/invoices HTTP/1.1\r\n${host}${token}${close}`, 405],
  [
    'a body that is too large',
    `POST /api/v1/deposits HTTP/1.1\r\n${host}${token}Content-Type: application/json\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n${close}`,
    413,
  ],
  [
    'headers that are too large',
    `GET /api/v1/invoices HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_000)}\r\n${close}`,
    431,
  ],
  ['bytes that are not HTTP', `GET /api/v1/invoices HTTP/9.9\r\n${host}${close}`, 400],
])('a response to %s carries the rate-limit headers', async (_what, bytes, status) => {
  const [answer] = await sendRaw(sim.url, bytes);
  expect(answer?.status).toBe(status);
  expectRateHeadersOn(answer ?? { headers: {} });
});

test('a response to a request that takes too long carries the rate-limit headers', async () => {
  const world = await emptyWorld();
  openAccount(world, 'demo');
  const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 10 });
  server.on('clientError', answerClientError(world));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const connection = await openRaw(`http://127.0.0.1:${address.port}`);
  onTestFinished(() => connection.close());
  connection.send('GET /api/v1/invoices HTTP/1.1\r\nHost:');
  const answer = await connection.nextResponse();
  expect(answer.status).toBe(408);
  expectRateHeadersOn(answer);
});

test.each(['/dashboard', '/_sim/health', '/docs', '/api/v10', '/nothing'])(
  'the response to a foreign host for %s, which is not the service, carries none',
  async (path) => {
    const [answer] = await sendRaw(sim.url, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${close}`);
    expect(answer?.status).toBe(421);
    expect(Object.keys(answer?.headers ?? {}).join()).not.toContain('ratelimit');
  },
);

describe('refused tokens', () => {
  const refused = [
    ['/api/v1/invoices', 'nobody'],
    ['/api/v1/invoices', undefined],
  ] as const;

  test.each<[string, Choices, string[]]>([
    ['count by address', {}, ['99', '98']],
    ['do not count where the profile says so', { 'rate.unauthenticated': 'uncounted' }, ['100', '100']],
    [
      'do not count, though tokens count by address',
      { 'rate.unauthenticated': 'uncounted', 'rate.key': 'address' },
      ['100', '100'],
    ],
  ])('%s', async (_what, profile, expected) => {
    const { url, close: stop } = await startSimulator({ profile, now: '2026-03-01T09:00:00Z' });
    onTestFinished(stop);
    const left: unknown[] = [];
    for (const [path, given] of refused) {
      left.push((await sendHttpRequest(url, { path, token: given })).headers['x-ratelimit-remaining']);
    }
    expect(left).toEqual(expected);
  });

  test('that do not count get unaffected headers, whatever the window', async () => {
    const profile = { 'rate.unauthenticated': 'uncounted', 'rate.key': 'address', 'rate.burst': 'never' };
    const { url, close: stop } = await startSimulator({ profile, now: '2026-03-01T09:00:00Z' });
    onTestFinished(stop);
    for (let sent = 0; sent < 60; sent++)
      await sendHttpRequest(url, { path: '/api/v1/invoices/stats', token: 'demo_full' });
    const { status, headers } = await sendHttpRequest(url, { path: '/api/v1/invoices' });
    expect([status, headers['x-ratelimit-remaining']]).toEqual([401, '0']);
  });
});

describe('WWW-Authenticate', () => {
  const seen = async (path: string, headers: string[], method = 'GET') => {
    const reply = await sendHttpRequest(sim.url, { method, path, headers });
    return { status: reply.status, challenge: reply.headers['www-authenticate'] };
  };

  test.each<[string, string[]]>([
    ['no token', []],
    ['an empty header', ['Authorization', '']],
    ['another scheme', ['Authorization', 'Basic ZGVtbzpkZW1v']],
    ['the scheme alone', ['Authorization', 'Bearer']],
  ])('names the scheme, and no error, where %s is given', async (_what, headers) => {
    expect(await seen('/api/v1/invoices', headers)).toEqual({ status: 401, challenge: 'Bearer realm="billing"' });
  });

  const invalid = { status: 401, challenge: 'Bearer realm="billing", error="invalid_token"' };

  test.each<[string, string]>([
    ['is unknown', 'Bearer nobody'],
    ['is unknown, the scheme in another case', 'bearer nobody'],
    ['has a space', 'Bearer demo_full demo_full'],
    ['is two', 'Bearer demo_full, Bearer demo_read'],
  ])('says that a token is invalid that %s', async (_what, header) => {
    expect(await seen('/api/v1/invoices', ['Authorization', header])).toEqual(invalid);
  });

  test('says that a token is invalid that was revoked, or has expired', async () => {
    const { url, close: stop } = await startSimulator({
      profile: { 'auth.token-lifetime': { after: '1h' } },
      now: '2026-03-01T09:00:00Z',
    });
    onTestFinished(stop);
    const made = await sendHttpRequest(url, {
      method: 'POST',
      path: '/_sim/accounts/demo/tokens',
      body: JSON.stringify({ name: 'short', scopes: ['billing.read'] }),
    });
    const { id, token: short } = JSON.parse(made.text);
    const challenge = async (): Promise<unknown> =>
      (await sendHttpRequest(url, { path: '/api/v1/invoices', token: short })).headers['www-authenticate'];
    expect(await challenge()).toBeUndefined();
    await sendHttpRequest(url, { method: 'POST', path: '/_sim/accounts/demo/clock/advance', body: '{"by":"2h"}' });
    expect(await challenge()).toBe(invalid.challenge);
    await sendHttpRequest(url, { method: 'DELETE', path: `/_sim/accounts/demo/tokens/${id}` });
    expect(await challenge()).toBe(invalid.challenge);
  });

  test.each([
    ['GET', '/api/v1/invoices', 'demo_write', 'billing.read'],
    ['POST', '/api/v1/deposits', 'demo_read', 'billing.write'],
  ])('names the scope that %s %s wants', async (method, path, given, scope) => {
    expect(await seen(path, ['Authorization', `Bearer ${given}`], method)).toEqual({
      status: 403,
      challenge: `Bearer realm="billing", error="insufficient_scope", scope="${scope}"`,
    });
  });

  test('is sent if a fault responds with 401', async () => {
    const headers = ['Authorization', 'Bearer demo_full', 'X-Sim-Fault', 'status=401'];
    expect(await seen('/api/v1/invoices', headers)).toEqual(invalid);
  });

  test('is sent if 401 is preferred', async () => {
    const headers = ['Authorization', 'Bearer demo_full', 'Prefer', 'code=401'];
    const { status, challenge } = await seen('/api/v1/invoices', headers);
    expect({ status, challenge }).toEqual({ status: 401, challenge: expect.stringMatching(/^Bearer /) });
  });

  test('is on no other response', async () => {
    for (const path of ['/api/v1/invoices', '/api/v1/invoices/99', '/api/v1/nothing']) {
      expect((await seen(path, ['Authorization', 'Bearer demo_full'])).challenge).toBeUndefined();
    }
  });

  test('is also there for the control token', async () => {
    const { url, close: stop } = await startSimulator({ controlToken: 'open-sesame' });
    onTestFinished(stop);
    const challenges = await Promise.all(
      [undefined, 'guess'].map(async (given) => {
        const { status, headers } = await sendHttpRequest(url, { path: '/_sim/accounts', token: given });
        return [status, headers['www-authenticate']];
      }),
    );
    expect(challenges).toEqual([
      [401, 'Bearer realm="billing-sim control"'],
      [401, 'Bearer realm="billing-sim control", error="invalid_token"'],
    ]);
  });
});

describe('with the limit off', () => {
  test('X-RateLimit-Remaining counts down, and never approaches 0', async () => {
    const { tokens } = await sim.createAccount();
    const left: number[] = [];
    for (let sent = 0; sent < 120; sent++) {
      const reply = await sendHttpRequest(sim.url, { path: '/api/v1/invoices/stats', token: tokens.read });
      left.push(Number(reply.headers['x-ratelimit-remaining']));
    }
    expect(left.slice(0, 3)).toEqual([99, 98, 97]);
    expect(Math.min(...left)).toBe(50);
    expect(Math.max(...left)).toBe(99);
  });
});

test('a 429 under a frozen clock says how to continue', async () => {
  const { url, close: stop } = await startSimulator({ now: '2026-03-01T09:00:00Z' });
  onTestFinished(stop);
  const get = () => sendHttpRequest(url, { path: '/api/v1/invoices/stats', token: 'demo_full' });
  for (let sent = 0; sent < 100; sent++) await get();
  const { status, headers } = await get();
  expect({ status, wait: headers['retry-after'], hint: headers['x-sim-hint'] }).toEqual({
    status: 429,
    wait: '60',
    hint: 'wait as long as Retry-After says, or advance the frozen clock: billing-sim clock advance 60s; start with --rate-limit off to turn the limit off',
  });
  await sendHttpRequest(url, { method: 'POST', path: '/_sim/accounts/demo/clock/advance', body: '{"by":"60s"}' });
  expect((await get()).status).toBe(200);
});
