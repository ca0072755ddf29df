import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { expectJson } from '../support/envelope.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** Access to the control API: tokens and origins. */

const tokenRefused = { success: false, error: 'The control token is missing or wrong.', code: 'control-token-invalid' };
const originRefused = { success: false, error: 'Requests from other origins are refused.', code: 'origin-not-allowed' };
const routeNotFound = { success: false, error: 'Route not found', code: 'route-not-found' };

describe('with a control token', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ now: '2026-03-01T09:00:00Z', controlToken: 'open-sesame', rateLimit: false });
  });

  afterAll(() => sim.close());

  const paths = [
    '/_sim/accounts',
    '/_sim/accounts/demo/requests',
    '/_sim/accounts/demo/requests/stream',
    '/_sim/accounts/nobody/requests',
    '/_sim/nothing',
  ];

  describe.each(paths)('a request to %s', (path) => {
    test.each<{ name: string; headers: string[] }>([
      { name: 'no token', headers: [] },
      { name: 'an empty token', headers: ['Authorization', 'Bearer '] },
      { name: 'a wrong token', headers: ['Authorization', 'Bearer open-sesam'] },
      { name: 'a token in another case', headers: ['Authorization', 'Bearer Open-Sesame'] },
      { name: 'a token of the service', headers: ['Authorization', 'Bearer demo_full'] },
      { name: 'the token under another scheme', headers: ['Authorization', 'Basic open-sesame'] },
      { name: 'two tokens in one header', headers: ['Authorization', 'Bearer open-sesame, Bearer a'] },
      {
        name: 'two Authorization headers',
        headers: ['Authorization', 'Bearer open-sesame', 'Authorization', 'Bearer a'],
      },
    ])('is refused with $name', async ({ headers }) => {
      expectJson(await sendHttpRequest(sim.url, { path, headers }), 401, tokenRefused);
    });

    test('is refused with the token in the query', async () => {
      expectJson(await sendHttpRequest(sim.url, { path: `${path}?access_token=open-sesame` }), 401, tokenRefused);
    });
  });

  test('the control token allows listing the accounts', async () => {
    expectJson(await sendHttpRequest(sim.url, { path: '/_sim/accounts', token: 'open-sesame' }), 200, {
      current_page: 1,
      data: [{ id: 'demo', created_at: '2026-03-01T09:00:00.000Z', now: '2026-03-01T09:00:00.000Z', mode: 'frozen' }],
      per_page: 100,
      total: 1,
      last_page: 1,
    });
  });

  test('a change is refused without the token', async () => {
    expectJson(
      await sendHttpRequest(sim.url, { method: 'POST', path: '/_sim/nothing', body: '{}' }),
      401,
      tokenRefused,
    );
  });

  test.each(['/_sim/health', '/_sim/openapi.json'])('%s needs no token', async (path) => {
    const { status } = await sendHttpRequest(sim.url, { path });
    expect(status).toBe(200);
  });

  test('the control token is not valid for the service', async () => {
    const response = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'open-sesame' });
    expectJson(response, 401, { success: false, error: 'Unauthenticated.' });
  });
});

test('the simulator does not start with an empty control token, which an unset variable would give', async () => {
  await expect(startSimulator({ controlToken: '' })).rejects.toThrow('the control token is empty; set or omit it');
});

test.each(['a b', 'ü', 'a\n'])('the simulator does not start with the control token %j', async (controlToken) => {
  await expect(startSimulator({ controlToken })).rejects.toThrow(
    'no request can send the control token: expected ASCII characters without spaces',
  );
});

test.each(['0.0.0.0', '::', '192.0.2.1'])(
  'the simulator does not listen on %s without a control token',
  async (host) => {
    const message = `the host ${host} may be reachable from other machines; also set a control token (--control-token, or controlToken in the library)`;
    await expect(startSimulator({ host })).rejects.toThrow(message);
  },
);

describe('without a control token', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ rateLimit: false });
  });

  afterAll(() => sim.close());

  /** The origin of the simulator, the only origin whose pages may send changes. */
  const simulatorOrigin = (): string => sim.url;

  const sendChange = (headers: string[], method = 'POST'): Promise<ReceivedResponse> =>
    sendHttpRequest(sim.url, { method, path: '/_sim/nothing', body: '{}', headers });

  describe.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a %s request', (method) => {
    test.each<{ name: string; headers: string[] }>([
      { name: 'another site', headers: ['Origin', 'http://evil.example'] },
      { name: 'a sandboxed or local page', headers: ['Origin', 'null'] },
      { name: 'an empty origin', headers: ['Origin', ''] },
      { name: 'another port of this machine', headers: ['Origin', 'http://127.0.0.1:1'] },
      {
        name: 'a site whose name begins like the host of the simulator',
        headers: ['Origin', 'http://127.0.0.1.evil.example'],
      },
      { name: 'two origins', headers: ['Origin', 'http://a.example', 'Origin', 'http://b.example'] },
      { name: 'a page that the browser calls cross-site', headers: ['Sec-Fetch-Site', 'cross-site'] },
      {
        name: 'a page that the browser calls same-site, such as on another port',
        headers: ['Sec-Fetch-Site', 'same-site'],
      },
      { name: 'a site of an unknown kind', headers: ['Sec-Fetch-Site', 'unknown'] },
    ])('from $name is refused', async ({ headers }) => {
      expectJson(await sendChange(headers, method), 403, originRefused);
    });
  });

  test("a POST from the simulator's own host, but over HTTPS, which it does not serve, is refused", async () => {
    expectJson(await sendChange(['Origin', simulatorOrigin().replace('http:', 'https:')]), 403, originRefused);
  });

  test('a POST with the origin of the simulator, but from a cross-site page, is refused', async () => {
    expectJson(await sendChange(['Origin', simulatorOrigin(), 'Sec-Fetch-Site', 'cross-site']), 403, originRefused);
  });

  test.each<{ name: string; headers: () => string[] }>([
    { name: 'the origin of the simulator', headers: () => ['Origin', simulatorOrigin()] },
    {
      name: 'a page of the origin of the simulator',
      headers: () => ['Origin', simulatorOrigin(), 'Sec-Fetch-Site', 'same-origin'],
    },
    { name: 'the address bar', headers: () => ['Sec-Fetch-Site', 'none'] },
    { name: 'a client that is not a browser', headers: () => [] },
  ])('a POST from $name is accepted, and gets the 404 of its unknown path', async ({ headers }) => {
    expectJson(await sendChange(headers()), 404, routeNotFound);
  });

  test.each(['GET', 'HEAD'])('a %s from another site is answered, since it changes nothing', async (method) => {
    const headers = ['Origin', 'http://evil.example', 'Sec-Fetch-Site', 'cross-site'];
    const { status } = await sendHttpRequest(sim.url, { method, path: '/_sim/accounts', headers });
    expect(status).toBe(200);
  });
});

describe('a page of another site cannot read the response:', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ rateLimit: false });
  });

  afterAll(() => sim.close());

  const requests: RequestToSend[] = [
    { method: 'GET', path: '/_sim/health' },
    { method: 'GET', path: '/_sim/accounts' },
    { method: 'GET', path: '/_sim/accounts/demo/requests' },
    { method: 'GET', path: '/_sim/openapi.json' },
    { method: 'GET', path: '/_sim/nothing' },
    { method: 'POST', path: '/_sim/accounts', body: '{}' },
    { method: 'OPTIONS', path: '/_sim/health' },
    { method: 'OPTIONS', path: '/_sim/accounts' },
    { method: 'GET', path: '/api/v1/invoices', token: 'demo_full' },
    { method: 'GET', path: '/api/v1/invoices' },
    { method: 'POST', path: '/api/v1/payment-links', body: '{', token: 'demo_full' },
    { method: 'OPTIONS', path: '/api/v1/invoices', token: 'demo_full' },
    { method: 'OPTIONS', path: '/api/v1/invoices' },
    { method: 'GET', path: '/docs' },
    { method: 'GET', path: '/docs/start.js' },
    { method: 'GET', path: '/docs/swagger-ui.css' },
    { method: 'OPTIONS', path: '/docs' },
    { method: 'GET', path: '/openapi.json' },
    { method: 'OPTIONS', path: '/openapi.json' },
    { method: 'GET', path: '/' },
  ];

  test.each(requests)('$method $path is answered without CORS headers', async (request) => {
    const headers = ['Origin', 'http://evil.example', 'Access-Control-Request-Method', 'POST'];
    const response = await sendHttpRequest(sim.url, { ...request, headers });
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
  });
});
