import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { runCli, startSimulatorInProcess } from '../support/cli.js';
import { expectRateLimitHeaders } from '../support/envelope.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { sendRaw } from '../support/raw.js';
import { type ReceivedResponse, sendHttpRequest } from '../support/send-http-request.js';

/** CORS: which web pages may call the service, and which headers they may send and read. */

const pageOrigin = 'http://localhost:3000';
const otherPageOrigin = 'https://app.example';

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
      // Browsers list all headers that are not always allowed, such as those of a tracing library.
      'authorization,content-type,traceparent',
    ],
  });

/** The CORS headers of a response, and `Vary` if it names the origin. */
function corsHeaders({ headers }: ReceivedResponse): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => name.startsWith('access-control-') || (name === 'vary' && String(value).includes('Origin')),
    ),
  );
}

const exposedHeaders =
  'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Retry-After,WWW-Authenticate,Preference-Applied,X-Request-Id,X-Sim-Hint,X-Sim-Fault';
/** CORS headers of a successful preflight, besides those that depend on the origin. */
const preflightHeaders = {
  'access-control-allow-methods': 'GET,HEAD,POST',
  'access-control-allow-headers': 'authorization,content-type,traceparent',
  'access-control-max-age': '600',
  'access-control-expose-headers': exposedHeaders,
};

describe('with two allowed origins', () => {
  let sim: Simulator;
  beforeAll(async () => {
    sim = await startSimulator({ cors: [pageOrigin, otherPageOrigin], now: '2026-03-01T09:00:00Z' });
  });
  afterAll(() => sim.close());

  test.each([pageOrigin, otherPageOrigin])('a preflight from %s succeeds without a token', async (origin) => {
    const response = await preflight(sim.url, origin);
    expect({ status: response.status, text: response.text, ...corsHeaders(response) }).toEqual({
      status: 204,
      text: '',
      'access-control-allow-origin': origin,
      vary: 'Origin, Access-Control-Request-Headers',
      ...preflightHeaders,
    });
    expect(response.headers).not.toHaveProperty('content-type');
    expect(response.headers).not.toHaveProperty('content-length');
  });

  test.each([
    ...['http://localhost:3001', 'https://localhost:3000', 'http://localhost', 'https://evil.example'].map(
      (origin) => [origin, `pages from ${origin}`, origin] as const,
    ),
    ['null', 'pages without an origin, such as local files,', "'*'"] as const,
  ])(
    'a preflight from %s is not allowed, and a hint names the flag that would allow it',
    async (origin, pages, flagValue) => {
      const response = await preflight(sim.url, origin);
      expect(corsHeaders(response)).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers['x-sim-hint']).toBe(
        `to let ${pages} call the service, start the simulator with --cors ${flagValue}`,
      );
      expect(corsHeaders(response)).toHaveProperty('vary', 'Origin, Access-Control-Request-Headers');
    },
  );

  test('a page cannot read the response to a request with two Origin headers', async () => {
    const headers = ['Origin', pageOrigin, 'Origin', otherPageOrigin];
    const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full', headers });
    expect(corsHeaders(response)).toEqual({ vary: 'Origin', 'access-control-expose-headers': exposedHeaders });
  });

  test.each([
    ['a list', '/api/v1/invoices', 'demo_full', 200],
    ['the error for an unknown record', '/api/v1/invoices/99', 'demo_full', 404],
    ['the error for an unknown token', '/api/v1/invoices', 'nobody', 401],
    ['the error for a token without the scope', '/api/v1/invoices', 'demo_write', 403],
    ['the error for an unknown path', '/api/v1/nothing', 'demo_full', 404],
    ['the OpenAPI document', '/openapi.json', undefined, 200],
  ])('%s can be read by a page', async (_name, path, token, status) => {
    const response = await sendHttpRequest(sim.url, { path, token, headers: ['Origin', pageOrigin] });
    expect({ status: response.status, ...corsHeaders(response) }).toEqual({
      status,
      'access-control-allow-origin': pageOrigin,
      'access-control-expose-headers': exposedHeaders,
      vary: 'Origin',
    });
  });

  test('the response of a fault can be read by a page', async () => {
    const headers = ['Origin', pageOrigin, 'X-Sim-Fault', 'status=503'];
    const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full', headers });
    expect({ status: response.status, ...corsHeaders(response) }).toMatchObject({
      status: 503,
      'access-control-allow-origin': pageOrigin,
    });
  });

  test('the error for an unknown host can be read by a page', async () => {
    const request = `GET /api/v1/invoices HTTP/1.1\r\nHost: build-7\r\nOrigin: ${pageOrigin}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(sim.url, request)).toMatchObject([
      { status: 421, headers: { 'access-control-allow-origin': pageOrigin } },
    ]);
  });

  test('the response to a request without an origin also varies by origin', async () => {
    const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'demo_full' });
    expect(corsHeaders(response)).toEqual({ vary: 'Origin', 'access-control-expose-headers': exposedHeaders });
  });

  test.each(['/_sim/accounts', '/_sim/health', '/dashboard', '/dashboard/demo', '/pay/1', '/docs', '/'])(
    '%s has no CORS headers',
    async (path) => {
      expect(corsHeaders(await sendHttpRequest(sim.url, { path, headers: ['Origin', pageOrigin] }))).toEqual({});
      expect(corsHeaders(await preflight(sim.url, pageOrigin, path, 'GET'))).toEqual({});
    },
  );

  test('an OPTIONS request that is not a preflight gets 405, or 401 without a token', async () => {
    const plain = await sendHttpRequest(sim.url, { method: 'OPTIONS', path: '/api/v1/invoices', token: 'demo_full' });
    expect({ status: plain.status, allow: plain.headers['allow'] }).toEqual({ status: 405, allow: 'GET, HEAD, POST' });
    const anonymous = await sendHttpRequest(sim.url, {
      method: 'OPTIONS',
      path: '/api/v1/invoices',
      headers: ['Origin', pageOrigin],
    });
    expect(anonymous.status).toBe(401);
  });
});

describe('preflights', () => {
  test('carry the rate-limit headers and do not count against the limit', async () => {
    const { url } = await start({ cors: pageOrigin, now: '2026-03-01T09:00:00Z' });
    const remaining: unknown[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const response = await preflight(url, pageOrigin);
      expectRateLimitHeaders(response);
      remaining.push(response.headers['x-ratelimit-remaining']);
    }
    const afterPreflights = await sendHttpRequest(url, { path: '/api/v1/invoices' });
    expect([...remaining, afterPreflights.headers['x-ratelimit-remaining']]).toEqual(['100', '100', '100', '99']);
  });

  test('succeed when the rate limit is exceeded', async () => {
    const { url } = await start({ cors: pageOrigin, now: '2026-03-01T09:00:00Z' });
    for (let sent = 0; sent < 100; sent++) await sendHttpRequest(url, { path: '/api/v1/invoices' });
    expect((await sendHttpRequest(url, { path: '/api/v1/invoices' })).status).toBe(429);
    expect((await preflight(url, pageOrigin)).status).toBe(204);
  });

  test('are not logged as requests of the service, and no fault applies to them', async () => {
    const { url, account } = await start({ cors: pageOrigin });
    await account.faults.add({ effect: 'status=503' });
    expect((await preflight(url, pageOrigin)).status).toBe(204);
    // A request of the service, which is logged after the preflight would have been.
    expect((await sendHttpRequest(url, { path: '/api/v1/invoices' })).status).toBe(503);
    await expect.poll(() => account.requests()).not.toEqual([]);
    expect(await account.requests()).toMatchObject([{ method: 'GET', path: '/api/v1/invoices', status: 503 }]);
  });

  test('are refused with a hint on how to allow the origin, if no origin is allowed', async () => {
    const { url } = await start({});
    const response = await preflight(url, pageOrigin);
    expect({ status: response.status, hint: response.headers['x-sim-hint'], ...corsHeaders(response) }).toEqual({
      status: 401,
      hint: `to let pages from ${pageOrigin} call the service, start the simulator with --cors ${pageOrigin}`,
    });
  });
});

test('`*` allows every origin, and the response is the same for all', async () => {
  const { url } = await start({ cors: '*' });
  const preflightResponse = await preflight(url, 'null');
  expect({ status: preflightResponse.status, ...corsHeaders(preflightResponse) }).toEqual({
    status: 204,
    'access-control-allow-origin': '*',
    ...preflightHeaders,
  });
  const response = await sendHttpRequest(url, {
    path: '/api/v1/invoices',
    token: 'demo_full',
    headers: ['Origin', otherPageOrigin],
  });
  expect(corsHeaders(response)).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
  });
});

test.each([{}, { cors: [] }])('with the options %j, no response has a CORS header', async (options) => {
  const { url } = await start(options);
  const response = await sendHttpRequest(url, {
    path: '/api/v1/invoices',
    token: 'demo_full',
    headers: ['Origin', pageOrigin],
  });
  expect(corsHeaders(response)).toEqual({});
});

describe('an origin in the `cors` option must be written as browsers send it:', () => {
  test.each(['http://localhost:3000', 'https://app.example', 'http://[::1]:8080', 'capacitor://localhost', '*'])(
    '%s is accepted',
    async (cors) => {
      const { url } = await start({ cors });
      expect((await preflight(url, cors === '*' ? pageOrigin : cors)).headers['access-control-allow-origin']).toBe(
        cors,
      );
    },
  );

  test.each([
    ['localhost:3000', ''],
    ['app.example', ''],
    ['', ''],
    ['null', '; to allow pages without an origin, such as local files, use *'],
    ['http://*.app.example', ''],
    ['http://localhost:3000/', '; did you mean http://localhost:3000?'],
    ['https://app.example/path?a#b', '; did you mean https://app.example?'],
    ['https://app.example:443', '; did you mean https://app.example?'],
    ['HTTPS://App.Example', '; did you mean https://app.example?'],
    ['https://a:b@app.example', '; did you mean https://app.example?'],
    ['http://localhost:3000 ', '; did you mean http://localhost:3000?'],
    ['http://localhost:3000,http://localhost:3001', ''],
  ])('`%s` is rejected at startup', async (cors, hint) => {
    await expect(startSimulator({ cors: [pageOrigin, cors] })).rejects.toMatchObject({
      message: `cors: "${cors}" is not an origin (for example http://localhost:3000)${hint}`,
    });
  });
});

describe('billing-sim start --cors', () => {
  test('can be repeated to allow several origins', async () => {
    const { ready } = await startSimulatorInProcess('--memory', '--cors', pageOrigin, '--cors', otherPageOrigin);
    for (const origin of [pageOrigin, otherPageOrigin]) {
      expect((await preflight(ready.url, origin)).headers['access-control-allow-origin']).toBe(origin);
    }
  });

  test('fails with a one-line error if the value is not an origin', async () => {
    expect(await runCli('start', '--memory', '--port', '0', '--cors', 'localhost:3000')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: cors: "localhost:3000" is not an origin (for example http://localhost:3000)\n',
    });
  });
});

test('in a browser, a page of an allowed origin creates a deposit and reads the rate-limit headers, and another page cannot', async (context) => {
  const browser = await openBrowser(context);
  const { port } = await listenUntilTestEnds(
    createServer((_request, response) => void response.setHeader('Content-Type', 'text/html').end('<body>An app')),
  );
  const sim = await start({ cors: `http://localhost:${port}`, now: '2026-03-01T09:00:00Z' });
  const tab = await browser.newPage();

  const createDepositFromPage = async (host: string) => {
    await tab.goto(`http://${host}:${port}/`);
    return tab.evaluate(async (url) => {
      try {
        const response = await fetch(`${url}/deposits`, {
          method: 'POST',
          headers: {
            Authorization: 'Bearer demo_full',
            'Content-Type': 'application/json',
            'Idempotency-Key': 'one',
            // The service ignores this preference, but pages may send it.
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

  expect(await createDepositFromPage('localhost')).toMatchObject({
    status: 201,
    data: { booking_reference: 'BK-1' },
    remaining: '99',
  });
  expect(await createDepositFromPage('127.0.0.1')).toBe('TypeError: Failed to fetch');
});
