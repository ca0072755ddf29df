import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { expectJson, expectRateLimitHeaders, expectServiceJson } from '../support/envelope.js';
import { sendHttpRequest } from '../support/send-http-request.js';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', randomSeed: 'head', rateLimit: false });
});

afterAll(() => sim.close());

describe.each([
  '/invoices',
  '/invoices/1',
  '/invoices/stats',
  '/invoices/overdue',
  '/payment-links',
  '/payments',
  '/deposits',
  '/deposits/1',
])('HEAD %s', (path) => {
  test('has the status, Content-Type and Content-Length of GET, without the body', async () => {
    const get = await sendHttpRequest(sim.url, { path: `/api/v1${path}`, token: 'demo_full' });
    const head = await sendHttpRequest(sim.url, { method: 'HEAD', path: `/api/v1${path}`, token: 'demo_full' });
    expect(get.status).toBe(200);
    expect(head).toMatchObject({
      status: 200,
      text: '',
      headers: {
        'content-type': get.headers['content-type'],
        'content-length': `${Buffer.byteLength(get.text)}`,
      },
    });
    expectRateLimitHeaders(head);
  });
});

test.each([
  ['/invoices/99', 'demo_full', 404],
  ['/unknown', 'demo_full', 404],
  ['/invoices/1', 'demo_write', 403],
  ['/invoices/1', 'nobody', 401],
  ['/invoices?per_page=0', 'demo_full', 422],
  ['/deposits/1/capture', 'demo_full', 405],
])('HEAD %s with the token %s is refused with %d, without a body', async (path, token, status) => {
  const response = await sendHttpRequest(sim.url, { method: 'HEAD', path: `/api/v1${path}`, token });
  expect({ status: response.status, text: response.text }).toStrictEqual({ status, text: '' });
});

describe('OPTIONS', () => {
  test.each([
    ['/invoices', 'GET, HEAD, POST'],
    ['/invoices/1', 'GET, HEAD'],
    ['/invoices/stats', 'GET, HEAD'],
    ['/invoices/overdue', 'GET, HEAD'],
    ['/invoices/1/reminder', 'POST'],
    ['/payment-links', 'GET, HEAD, POST'],
    ['/payments', 'GET, HEAD'],
    ['/deposits', 'GET, HEAD, POST'],
    ['/deposits/1', 'GET, HEAD'],
    ['/deposits/1/capture', 'POST'],
    ['/deposits/1/release', 'POST'],
  ])('%s is refused with 405 and Allow: %s', async (path, allow) => {
    const response = await sendHttpRequest(sim.url, { method: 'OPTIONS', path: `/api/v1${path}`, token: 'demo_full' });
    expectServiceJson(response, 405, { success: false, error: 'Method not allowed' });
    expect(response.headers['allow']).toBe(allow);
  });

  test('without a token (for example a CORS preflight) is refused', async () => {
    const response = await sendHttpRequest(sim.url, {
      method: 'OPTIONS',
      path: '/api/v1/invoices',
      headers: ['Origin', 'http://evil.example', 'Access-Control-Request-Method', 'POST'],
    });
    expectServiceJson(response, 401, { success: false, error: 'Unauthenticated.' });
  });

  test('with the target * in place of a path is refused with 404', async () => {
    expectJson(await sendHttpRequest(sim.url, { method: 'OPTIONS', path: '*' }), 404, {
      success: false,
      error: 'Route not found',
    });
  });
});
