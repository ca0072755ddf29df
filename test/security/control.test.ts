import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { expectJson } from '../support/envelope.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** Access to the control API: tokens and origins. */

const tokenRefused = { success: false, error: 'The control token is missing or wrong.' };
const originRefused = { success: false, error: 'Requests from other origins are refused.' };
const routeUnknown = { success: false, error: 'Route not found' };

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

  describe.each(paths)('%s', (path) => {
    test.each<{ name: string; headers: string[] }>([
      { name: 'no token', headers: [] },
      { name: 'an empty token', headers: ['Authorization', 'Bearer '] },
      { name: 'a wrong token', headers: ['Authorization', 'Bearer open-sesam'] },
      { name: 'a token in another case', headers: ['Authorization', 'Bearer Open-Sesame'] },
      { name: 'a token of the service', headers: ['Authorization', 'Bearer demo_full'] },
      { name: 'the token under another scheme', headers: ['Authorization', 'Basic open-sesame'] },
      { name: 'the token and something else', headers: ['Authorization', 'Bearer open-sesame, Bearer a'] },
      { name: 'two headers', headers: ['Authorization', 'Bearer open-sesame', 'Authorization', 'Bearer a'] },
    ])('is refused with $name', async ({ headers }) => {
      expectJson(await sendHttpRequest(sim.url, { path, headers }), 401, tokenRefused);
    });

    test('is refused with the token in the query', async () => {
      expectJson(await sendHttpRequest(sim.url, { path: `${path}?access_token=open-sesame` }), 401, tokenRefused);
    });
  });

  test('the right token can list the accounts', async () => {
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
    const reply = await sendHttpRequest(sim.url, { path: '/api/v1/invoices', token: 'open-sesame' });
    expectJson(reply, 401, { success: false, error: 'Unauthenticated.' });
  });
});

test('an empty control token, as an unset variable gives it, is refused at the start', async () => {
  await expect(startSimulator({ controlToken: '' })).rejects.toThrow('the control token is empty; set or omit it');
});

test.each(['0.0.0.0', '::', '192.0.2.1'])('listening on %s without a control token is refused', async (host) => {
  const refusal = `--host ${host} is reachable from other machines; set --control-token too`;
  await expect(startSimulator({ host })).rejects.toThrow(refusal);
});

describe('without a control token', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ rateLimit: false });
  });

  afterAll(() => sim.close());

  /** The one origin that is not foreign. */
  const own = (): string => sim.url;

  const change = (headers: string[], method = 'POST'): Promise<ReceivedResponse> =>
    sendHttpRequest(sim.url, { method, path: '/_sim/nothing', body: '{}', headers });

  describe.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a %s', (method) => {
    test.each<{ name: string; headers: string[] }>([
      { name: 'another site', headers: ['Origin', 'http://evil.example'] },
      { name: 'a sandboxed or local page', headers: ['Origin', 'null'] },
      { name: 'an empty origin', headers: ['Origin', ''] },
      { name: 'another port of this machine', headers: ['Origin', 'http://127.0.0.1:1'] },
      { name: 'a site that begins like this one', headers: ['Origin', 'http://127.0.0.1.evil.example'] },
      { name: 'two origins', headers: ['Origin', 'http://a.example', 'Origin', 'http://b.example'] },
      { name: 'a page of another site, as browsers call it', headers: ['Sec-Fetch-Site', 'cross-site'] },
      {
        name: 'a page of the same site (in the sense of browsers) on another port',
        headers: ['Sec-Fetch-Site', 'same-site'],
      },
      { name: 'a site of an unknown kind', headers: ['Sec-Fetch-Site', 'whatever'] },
    ])('from $name is refused', async ({ headers }) => {
      expectJson(await change(headers, method), 403, originRefused);
    });
  });

  test('a POST from this origin over HTTPS, which the simulator does not serve, is refused', async () => {
    expectJson(await change(['Origin', own().replace('http:', 'https:')]), 403, originRefused);
  });

  test('a POST from this origin, but by a page of another site, is refused', async () => {
    expectJson(await change(['Origin', own(), 'Sec-Fetch-Site', 'cross-site']), 403, originRefused);
  });

  test.each<{ name: string; headers: () => string[] }>([
    { name: 'this origin', headers: () => ['Origin', own()] },
    { name: 'a page of this origin', headers: () => ['Origin', own(), 'Sec-Fetch-Site', 'same-origin'] },
    { name: 'the address bar', headers: () => ['Sec-Fetch-Site', 'none'] },
    { name: 'no browser', headers: () => [] },
  ])('a POST from $name reaches the server', async ({ headers }) => {
    expectJson(await change(headers()), 404, routeUnknown);
  });

  test.each(['GET', 'HEAD'])('a %s from another site is answered, since it changes nothing', async (method) => {
    const headers = ['Origin', 'http://evil.example', 'Sec-Fetch-Site', 'cross-site'];
    const { status } = await sendHttpRequest(sim.url, { method, path: '/_sim/accounts', headers });
    expect(status).toBe(200);
  });
});

describe('a page of another site can read nothing:', () => {
  let sim: Simulator;

  beforeAll(async () => {
    sim = await startSimulator({ rateLimit: false });
  });

  afterAll(() => sim.close());

  const questions: RequestToSend[] = [
    { path: '/_sim/health' },
    { path: '/_sim/accounts' },
    { path: '/_sim/accounts/demo/requests' },
    { path: '/_sim/openapi.json' },
    { path: '/_sim/nothing' },
    { method: 'POST', path: '/_sim/accounts', body: '{}' },
    { method: 'OPTIONS', path: '/_sim/health' },
    { method: 'OPTIONS', path: '/_sim/accounts' },
    { path: '/api/v1/invoices', token: 'demo_full' },
    { path: '/api/v1/invoices' },
    { method: 'POST', path: '/api/v1/payment-links', body: '{', token: 'demo_full' },
    { method: 'OPTIONS', path: '/api/v1/invoices', token: 'demo_full' },
    { method: 'OPTIONS', path: '/api/v1/invoices' },
    { path: '/docs' },
    { path: '/docs/start.js' },
    { path: '/docs/swagger-ui.css' },
    { method: 'OPTIONS', path: '/docs' },
    { path: '/openapi.json' },
    { method: 'OPTIONS', path: '/openapi.json' },
    { path: '/' },
  ];

  test.each(questions)('$method $path allows no other origin', async (question) => {
    const headers = ['Origin', 'http://evil.example', 'Access-Control-Request-Method', 'POST'];
    const reply = await sendHttpRequest(sim.url, { ...question, headers });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
  });
});
