import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { clientErrorListener } from '../../src/http/client-error.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { emptyWorld, openAccount } from '../simulation/world.js';
import { expectRateLimitHeaders } from '../support/envelope.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { openRaw, sendRaw } from '../support/raw.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/**
 * "Every response carries the rate-limit headers" (specification, Limits), even if the request is refused before its
 * operation is known. The challenge is the `WWW-Authenticate` header of a 401 or 403.
 */

/** Maximum number of requests per minute (specification, Limits). */
const standardLimit = 60;
/** Maximum number of requests in a minute in which bursts are allowed (specification, Limits). */
const burstLimit = 100;

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ cors: '*', rateLimit: false, log: () => undefined });
});

afterAll(() => sim.close());

const hostLine = 'Host: 127.0.0.1\r\n';
const tokenLine = 'Authorization: Bearer demo_full\r\n';
/** The last header, and the empty line that ends the headers. */
const lastLines = 'Connection: close\r\n\r\n';

test.each([
  [
    'a request to an unknown host',
    `GET /api/v1/invoices HTTP/1.1\r\nHost: evil.example\r\n${tokenLine}${lastLines}`,
    421,
  ],
  [
    'a request with an unknown host in the request line',
    `GET http://evil.example/api/v1/invoices HTTP/1.1\r\n${hostLine}${lastLines}`,
    421,
  ],
  [
    'a request to an unknown host for only the base path',
    `GET /api/v1 HTTP/1.1\r\nHost: evil.example\r\n${lastLines}`,
    421,
  ],
  ['a request without a host', `GET /api/v1/invoices?page=1 HTTP/1.1\r\n${lastLines}`, 400],
  ['a request with two hosts', `GET /api/v1/invoices HTTP/1.1\r\n${hostLine}${hostLine}${lastLines}`, 400],
  [
    'a CORS preflight',
    `OPTIONS /api/v1/invoices HTTP/1.1\r\n${hostLine}Origin: http://a\r\nAccess-Control-Request-Method: GET\r\n${lastLines}`,
    204,
  ],
  ['a request without a token', `GET /api/v1/invoices HTTP/1.1\r\n${hostLine}${lastLines}`, 401],
  [
    'a request whose path cannot be decoded',
    `GET /api/v1/invoices/%ff HTTP/1.1\r\n${hostLine}${tokenLine}${lastLines}`,
    404,
  ],
  [
    'a request with an unknown method',
    `PROPFIND /api/v1/invoices HTTP/1.1\r\n${hostLine}${tokenLine}${lastLines}`,
    405,
  ],
  [
    'a request whose body is too large',
    `POST /api/v1/deposits HTTP/1.1\r\n${hostLine}${tokenLine}Content-Type: application/json\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n${lastLines}`,
    413,
  ],
  [
    'a request whose headers are too large',
    `GET /api/v1/invoices HTTP/1.1\r\n${hostLine}X-Long: ${'a'.repeat(20_000)}\r\n${lastLines}`,
    431,
  ],
  ['a request with an unknown HTTP version', `GET /api/v1/invoices HTTP/9.9\r\n${hostLine}${lastLines}`, 400],
])('the response to %s carries the rate-limit headers', async (_name, bytes, status) => {
  const [response] = await sendRaw(sim.url, bytes);
  expect(response?.status).toBe(status);
  expectRateLimitHeaders(response ?? { headers: {} });
});

test('a request that is not valid HTTP counts like one without a token from the same address', async () => {
  const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', log: () => undefined });
  onTestFinished(() => simulator.close());
  const remainingAfter = async (bytes: string): Promise<number> => {
    const [response] = await sendRaw(simulator.url, bytes);
    return Number(response?.headers['x-ratelimit-remaining']);
  };
  const remaining = await remainingAfter(`GET /api/v1/invoices HTTP/1.1\r\n${hostLine}${lastLines}`);
  expect(await remainingAfter(`GET /api/v1/invoices HTTP/9.9\r\n${hostLine}${lastLines}`)).toBe(remaining - 1);
});

test('the response to a request that times out carries the rate-limit headers', async () => {
  const world = await emptyWorld();
  openAccount(world, 'demo');
  const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 10 });
  server.on('clientError', clientErrorListener(world));
  const { url } = await listenUntilTestEnds(server);
  const connection = await openRaw(url);
  onTestFinished(() => connection.close());
  connection.send('GET /api/v1/invoices HTTP/1.1\r\nHost:');
  const response = await connection.nextResponse();
  expect(response.status).toBe(408);
  expectRateLimitHeaders(response);
});

test.each(['/dashboard', '/_sim/health', '/docs', '/api/v10', '/unknown'])(
  'the response to a request to an unknown host for %s, outside the service, has no rate-limit headers',
  async (path) => {
    const [response] = await sendRaw(sim.url, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${lastLines}`);
    expect(response?.status).toBe(421);
    expect(Object.keys(response?.headers ?? {}).join()).not.toContain('ratelimit');
  },
);

describe('requests without a valid token', () => {
  const path = '/api/v1/invoices';

  test.each<[string, Choices, string[]]>([
    ['count against the limit of the IP address', {}, ['99', '98']],
    ['do not count if the profile says so', { 'rate.unauthenticated': 'uncounted' }, ['100', '100']],
    [
      'do not count if the profile says so, even if other requests are counted per IP address',
      { 'rate.unauthenticated': 'uncounted', 'rate.key': 'address' },
      ['100', '100'],
    ],
  ])('%s', async (_name, profile, expectedRemaining) => {
    const { url, close } = await startSimulator({ profile, now: '2026-03-01T09:00:00Z' });
    onTestFinished(close);
    const remaining: unknown[] = [];
    for (const invalidToken of ['nobody', undefined]) {
      remaining.push((await sendHttpRequest(url, { path, token: invalidToken })).headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(expectedRemaining);
  });

  test('still report the remaining requests of the IP address if they do not count', async () => {
    const profile = { 'rate.unauthenticated': 'uncounted', 'rate.key': 'address', 'rate.burst': 'never' };
    const { url, close } = await startSimulator({ profile, now: '2026-03-01T09:00:00Z' });
    onTestFinished(close);
    for (let sent = 0; sent < standardLimit; sent++)
      await sendHttpRequest(url, { path: '/api/v1/invoices/stats', token: 'demo_full' });
    const { status, headers } = await sendHttpRequest(url, { path });
    expect([status, headers['x-ratelimit-remaining']]).toEqual([401, '0']);
  });
});

describe('WWW-Authenticate', () => {
  const statusAndChallenge = async (path: string, headers: string[], method = 'GET') => {
    const response = await sendHttpRequest(sim.url, { method, path, headers });
    return { status: response.status, challenge: response.headers['www-authenticate'] };
  };

  test.each<[string, string[]]>([
    ['there is no token', []],
    ['the header is empty', ['Authorization', '']],
    ['the scheme is not Bearer', ['Authorization', 'Basic ZGVtbzpkZW1v']],
    ['there is only a scheme', ['Authorization', 'Bearer']],
  ])('names the scheme, and no error, if %s', async (_name, headers) => {
    expect(await statusAndChallenge('/api/v1/invoices', headers)).toEqual({
      status: 401,
      challenge: 'Bearer realm="billing"',
    });
  });

  const invalidToken = { status: 401, challenge: 'Bearer realm="billing", error="invalid_token"' };

  test.each<[string, string]>([
    ['it is unknown', 'Bearer nobody'],
    ['it is unknown and the scheme is in lower case', 'bearer nobody'],
    ['it contains a space', 'Bearer demo_full demo_full'],
    ['the header has two credentials', 'Bearer demo_full, Bearer demo_read'],
  ])('says that the token is invalid if %s', async (_name, header) => {
    expect(await statusAndChallenge('/api/v1/invoices', ['Authorization', header])).toEqual(invalidToken);
  });

  test('says that the token is invalid once it has expired or been revoked', async () => {
    const { url, close } = await startSimulator({
      profile: { 'auth.token-lifetime': { after: '1h' } },
      now: '2026-03-01T09:00:00Z',
    });
    onTestFinished(close);
    const createToken = async (name: string): Promise<{ id: number; token: string }> => {
      const body = JSON.stringify({ name, scopes: ['billing.read'] });
      return JSON.parse(
        (await sendHttpRequest(url, { method: 'POST', path: '/_sim/accounts/demo/tokens', body })).text,
      );
    };
    const [expiring, revoked] = [await createToken('expiring'), await createToken('revoked')];
    const challenges = (): Promise<unknown[]> =>
      Promise.all(
        [expiring, revoked].map(
          async ({ token }) =>
            (await sendHttpRequest(url, { path: '/api/v1/invoices', token })).headers['www-authenticate'],
        ),
      );
    expect(await challenges()).toEqual([undefined, undefined]);
    await sendHttpRequest(url, { method: 'DELETE', path: `/_sim/accounts/demo/tokens/${revoked.id}` });
    expect(await challenges()).toEqual([undefined, invalidToken.challenge]);
    await sendHttpRequest(url, { method: 'POST', path: '/_sim/accounts/demo/clock/advance', body: '{"by":"2h"}' });
    expect(await challenges()).toEqual([invalidToken.challenge, invalidToken.challenge]);
  });

  test.each([
    ['GET', '/api/v1/invoices', 'demo_write', 'billing.read'],
    ['POST', '/api/v1/deposits', 'demo_read', 'billing.write'],
  ])('names the scope that %s %s requires', async (method, path, token, scope) => {
    expect(await statusAndChallenge(path, ['Authorization', `Bearer ${token}`], method)).toEqual({
      status: 403,
      challenge: `Bearer realm="billing", error="insufficient_scope", scope="${scope}"`,
    });
  });

  test('is sent when a fault responds with 401', async () => {
    const headers = ['Authorization', 'Bearer demo_full', 'X-Sim-Fault', 'status=401'];
    expect(await statusAndChallenge('/api/v1/invoices', headers)).toEqual(invalidToken);
  });

  test('is sent with the 401 that `Prefer: code=401` requests', async () => {
    const headers = ['Authorization', 'Bearer demo_full', 'Prefer', 'code=401'];
    const { status, challenge } = await statusAndChallenge('/api/v1/invoices', headers);
    expect({ status, challenge }).toEqual({ status: 401, challenge: expect.stringMatching(/^Bearer /) });
  });

  test('is not sent with a 200 or 404', async () => {
    for (const path of ['/api/v1/invoices', '/api/v1/invoices/99', '/api/v1/unknown']) {
      expect((await statusAndChallenge(path, ['Authorization', 'Bearer demo_full'])).challenge).toBeUndefined();
    }
  });

  test('is sent when the control API refuses a missing or wrong control token', async () => {
    const { url, close } = await startSimulator({ controlToken: 'open-sesame' });
    onTestFinished(close);
    const challenges = await Promise.all(
      [undefined, 'wrong'].map(async (token) => {
        const { status, headers } = await sendHttpRequest(url, { path: '/_sim/accounts', token });
        return [status, headers['www-authenticate']];
      }),
    );
    expect(challenges).toEqual([
      [401, 'Bearer realm="billing-sim control"'],
      [401, 'Bearer realm="billing-sim control", error="invalid_token"'],
    ]);
  });
});

describe('with the rate limit off', () => {
  // The header stays well above 0, so that clients do not throttle themselves.
  test('X-RateLimit-Remaining counts down to half of the limit, and then starts again', async () => {
    const { tokens } = await sim.createAccount();
    const remaining: number[] = [];
    for (let sent = 0; sent < burstLimit + 20; sent++) {
      const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices/stats', token: tokens.read });
      remaining.push(Number(response.headers['x-ratelimit-remaining']));
    }
    expect(remaining.slice(0, 3)).toEqual([99, 98, 97]);
    expect(Math.min(...remaining)).toBe(burstLimit / 2);
    expect(Math.max(...remaining)).toBe(burstLimit - 1);
  });
});

test.each([
  ['fixed', 60],
  // A bucket regains a request a second, although it is full only after 100 seconds.
  ['bucket', 1],
])(
  'a 429 under a frozen clock and rate.window: %s has a hint on how to continue, which works',
  async (window, waitSeconds) => {
    const { url, close } = await startSimulator({ now: '2026-03-01T09:00:00Z', profile: { 'rate.window': window } });
    onTestFinished(close);
    const getStats = () => sendHttpRequest(url, { path: '/api/v1/invoices/stats', token: 'demo_full' });
    let response = await getStats();
    while (response.status === 200) response = await getStats();
    const { status, headers } = response;
    expect({ status, retryAfter: headers['retry-after'], hint: headers['x-sim-hint'] }).toEqual({
      status: 429,
      retryAfter: String(waitSeconds),
      hint: `wait as long as Retry-After says (in real time, although the clock is frozen), or advance the clock: billing-sim clock advance ${waitSeconds}s --url ${url}; to turn the limit off: billing-sim settings set --rate-limit off --url ${url}`,
    });
    const by = `${waitSeconds}s`;
    await sendHttpRequest(url, { method: 'POST', path: '/_sim/accounts/demo/clock/advance', body: `{"by":"${by}"}` });
    expect((await getStats()).status).toBe(200);
  },
);
