import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { runCli, startCli } from '../support/cli.js';
import { expectRateLimitHeaders } from '../support/envelope.js';
import { sendRaw } from '../support/raw.js';
import { type ReceivedResponse, sendHttpRequest } from '../support/send-http-request.js';
import { listening } from '../webhooks/receiver.js';

/** Clients that are web pages of another origin: which may call the service, and what they may send and read. */

const page = 'http://localhost:3000';
const other = 'https://app.example';

async function start(options: SimulatorOptions): Promise<Simulator> {
  const sim = await startSimulator(options);
  onTestFinished(() => sim.close());
  return sim;
}

const preflight = (
  url: string,
  origin: string,
  path = '/api/v1/deposits',
  method = 'POST',
): Promise<ReceivedResponse> =>
  sendHttpRequest(url, {
    method: 'OPTIONS',
    path,
    headers: [
      'Origin',
      origin,
      'Access-Control-Request-Method',
      method,
      'Access-Control-Request-Headers',
      'authorization',
    ],
  });

/** The headers of a response that are about other origins. */
function shared({ headers }: ReceivedResponse): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => name.startsWith('access-control-') || (name === 'vary' && String(value).includes('Origin')),
    ),
  );
}

const exposed =
  'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Retry-After,WWW-Authenticate,Preference-Applied,X-Request-Id,X-Sim-Hint,X-Sim-Fault';
const allowed = {
  'access-control-allow-methods': 'GET,HEAD,POST',
  'access-control-allow-headers': 'Authorization,Content-Type,Accept,Idempotency-Key,Prefer,X-Sim-Fault',
  'access-control-max-age': '600',
  'access-control-expose-headers': exposed,
};

describe('with origins that are allowed', () => {
  let sim: Simulator;
  beforeAll(async () => {
    sim = await startSimulator({ cors: [page, other], now: '2026-03-01T09:00:00Z' });
  });
  afterAll(() => sim.close());

  test.each([page, other])('a preflight of %s is answered without a token', async (origin) => {
    const reply = await preflight(sim.url, origin);
    expect({ status: reply.status, text: reply.text, ...shared(reply) }).toEqual({
      status: 204,
      text: '',
      'access-control-allow-origin': origin,
      vary: 'Origin',
      ...allowed,
    });
    expect(reply.headers).not.toHaveProperty('content-type');
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  test.each(['http://localhost:3001', 'https://localhost:3000', 'http://localhost', 'https://evil.example', 'null'])(
    'a preflight of %s is not let through',
    async (origin) => {
      const reply = await preflight(sim.url, origin);
      expect(shared(reply)).not.toHaveProperty('access-control-allow-origin');
      expect(reply.headers['x-sim-hint']).toBe(
        `to let pages of ${origin} call the service, start with --cors ${origin}`,
      );
      expect(shared(reply)).toHaveProperty('vary', 'Origin');
    },
  );

  test('two origins in one request are refused', async () => {
    const headers = ['Origin', page, 'Origin', other];
    const reply = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full', headers });
    expect(shared(reply)).toEqual({ vary: 'Origin', 'access-control-expose-headers': exposed });
  });

  test.each([
    ['an answer', '/api/v1/invoices', 'demo_full', 200],
    ['a record that is not there', '/api/v1/invoices/99', 'demo_full', 404],
    ['an unknown token', '/api/v1/invoices', 'nobody', 401],
    ['a token without the scope', '/api/v1/invoices', 'demo_write', 403],
    ['a path that is not there', '/api/v1/nothing', 'demo_full', 404],
    ['the document', '/openapi.json', undefined, 200],
  ])('%s can be read by a page', async (_what, path, token, status) => {
    const reply = await sendHttpRequest(sim.url, { path, token, headers: ['Origin', page] });
    expect({ status: reply.status, ...shared(reply) }).toEqual({
      status,
      'access-control-allow-origin': page,
      'access-control-expose-headers': exposed,
      vary: 'Origin',
    });
  });

  test('the response of a fault can be read, too', async () => {
    const headers = ['Origin', page, 'X-Sim-Fault', 'status=503'];
    const reply = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full', headers });
    expect({ status: reply.status, ...shared(reply) }).toMatchObject({
      status: 503,
      'access-control-allow-origin': page,
    });
  });

  test('the refusal of a host can be read, too', async () => {
    const request = `GET /api/v1/invoices HTTP/1.1\r\nHost: build-7\r\nOrigin: ${page}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(sim.url, request)).toMatchObject([
      { status: 421, headers: { 'access-control-allow-origin': page } },
    ]);
  });

  test('the response to a request without an origin varies by origin, too', async () => {
    const reply = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full' });
    expect(shared(reply)).toEqual({ vary: 'Origin', 'access-control-expose-headers': exposed });
  });

  test.each(['/_sim/accounts', '/_sim/health', '/dashboard', '/dashboard/demo', '/pay/1', '/docs', '/'])(
    '%s is not for other origins',
    async (path) => {
      expect(shared(await sendHttpRequest(sim.url, { path, headers: ['Origin', page] }))).toEqual({});
      expect(shared(await preflight(sim.url, page, path, 'GET'))).toEqual({});
    },
  );

  test('OPTIONS that is not a preflight is refused as usual', async () => {
    const plain = await sendHttpRequest(sim.url, { method: 'OPTIONS', path: '/api/v1/invoices', token: 'demo_full' });
    expect({ status: plain.status, allow: plain.headers['allow'] }).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
    const anonymous = await sendHttpRequest(sim.url, {
      method: 'OPTIONS',
      path: '/api/v1/invoices',
      headers: ['Origin', page],
    });
    expect(anonymous.status).toBe(401);
  });
});

describe('preflights', () => {
  test('announce the rate window and do not count', async () => {
    const { url } = await start({ cors: page, now: '2026-03-01T09:00:00Z' });
    const left: unknown[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const reply = await preflight(url, page);
      expectRateLimitHeaders(reply);
      left.push(reply.headers['x-ratelimit-remaining']);
    }
    const refused = await sendHttpRequest(url, { path: '/api/v1/invoices' });
    expect([...left, refused.headers['x-ratelimit-remaining']]).toEqual(['100', '100', '100', '99']);
  });

  test('are answered when the window is used up', async () => {
    const { url } = await start({ cors: page, now: '2026-03-01T09:00:00Z' });
    for (let sent = 0; sent < 100; sent++) await sendHttpRequest(url, { path: '/api/v1/invoices' });
    expect((await sendHttpRequest(url, { path: '/api/v1/invoices' })).status).toBe(429);
    expect((await preflight(url, page)).status).toBe(204);
  });

  test('are not logged as requests of the service, and no fault is on them', async () => {
    const { url, account } = await start({ cors: page });
    await account.faults.add({ effect: 'status=503' });
    expect((await preflight(url, page)).status).toBe(204);
    expect(await account.requests()).toEqual([]);
  });

  test('say how to allow an origin if none is allowed', async () => {
    const { url } = await start({});
    const reply = await preflight(url, page);
    expect({ status: reply.status, hint: reply.headers['x-sim-hint'], ...shared(reply) }).toEqual({
      status: 401,
      hint: `to let pages of ${page} call the service, start with --cors ${page}`,
    });
  });
});

test('`*` allows every origin, and the response is the same for all', async () => {
  const { url } = await start({ cors: '*' });
  const requested = await preflight(url, 'null');
  expect({ status: requested.status, ...shared(requested) }).toEqual({
    status: 204,
    'access-control-allow-origin': '*',
    ...allowed,
  });
  const reply = await sendHttpRequest(url, {
    path: '/api/v1/invoices',
    token: 'demo_full',
    headers: ['Origin', other],
  });
  expect(shared(reply)).toEqual({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed });
});

test.each([{}, { cors: [] }])('with %j no response has a header for other origins', async (options) => {
  const { url } = await start(options);
  const reply = await sendHttpRequest(url, { path: '/api/v1/invoices', token: 'demo_full', headers: ['Origin', page] });
  expect(shared(reply)).toEqual({});
});

describe('an origin is written as browsers send it:', () => {
  test.each(['http://localhost:3000', 'https://app.example', 'http://[::1]:8080', 'capacitor://localhost', '*'])(
    '%s is taken',
    async (cors) => {
      const { url } = await start({ cors });
      expect((await preflight(url, cors === '*' ? page : cors)).headers['access-control-allow-origin']).toBe(cors);
    },
  );

  test.each([
    ['localhost:3000', ''],
    ['app.example', ''],
    ['', ''],
    ['null', '; for pages without an origin of their own, such as files, allow *'],
    ['http://*.app.example', ''],
    ['http://localhost:3000/', '; did you mean http://localhost:3000?'],
    ['https://app.example/path?a#b', '; did you mean https://app.example?'],
    ['https://app.example:443', '; did you mean https://app.example?'],
    ['HTTPS://App.Example', '; did you mean https://app.example?'],
    ['https://a:b@app.example', '; did you mean https://app.example?'],
    ['http://localhost:3000 ', '; did you mean http://localhost:3000?'],
    ['http://localhost:3000,http://localhost:3001', ''],
  ])('`%s` stops the start', async (cors, hint) => {
    await expect(startSimulator({ cors: [page, cors] })).rejects.toThrow(
      `"${cors}" is not an origin (for example http://localhost:3000)${hint}`,
    );
  });
});

describe('billing-sim start --cors', () => {
  test('takes several origins', async () => {
    const { ready } = await startCli('--memory', '--cors', page, '--cors', other);
    for (const origin of [page, other]) {
      expect((await preflight(ready.url, origin)).headers['access-control-allow-origin']).toBe(origin);
    }
  });

  test('refuses what is not an origin with one line', async () => {
    expect(await runCli('start', '--memory', '--port', '0', '--cors', 'localhost:3000')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: "localhost:3000" is not an origin (for example http://localhost:3000)\n',
    });
  });
});

test('a page in a browser creates a deposit, and reads its rate-limit headers', async (context) => {
  const browser = await openBrowser(context);
  const { port } = await listening(
    createServer((_request, response) => void response.setHeader('Content-Type', 'text/html').end('<body>An app')),
    'http',
  );
  const sim = await start({ cors: `http://localhost:${port}`, now: '2026-03-01T09:00:00Z' });
  const tab = await browser.newPage();

  const call = async (host: string) => {
    await tab.goto(`http://${host}:${port}/`);
    return tab.evaluate(async (url) => {
      try {
        const response = await fetch(`${url}/deposits`, {
          method: 'POST',
          headers: {
            Authorization: 'Bearer demo_full',
            'Content-Type': 'application/json',
            'Idempotency-Key': 'one',
            Prefer: 'respond-async',
          },
          body: JSON.stringify({ booking_reference: 'BK-1', amount: 10 }),
        });
        const { data }: { data?: unknown } = JSON.parse(await response.text());
        return { status: response.status, data, remaining: response.headers.get('X-RateLimit-Remaining') };
      } catch (error) {
        return String(error);
      }
    }, sim.baseUrl);
  };

  expect(await call('localhost')).toMatchObject({
    status: 201,
    data: { booking_reference: 'BK-1' },
    remaining: '99',
  });
  expect(await call('127.0.0.1')).toBe('TypeError: Failed to fetch');
});
