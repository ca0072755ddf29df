import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { expectJson } from '../support/envelope.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/** Pages and files that need no token: `/docs`, `/openapi.json`, icons and the redirect of the root. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ rateLimit: false });
});

afterAll(() => sim.close());

test.each([
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
])('%s is served as %s with a strict Content-Security-Policy', async (path, type) => {
  const response = await sendHttpRequest(sim.url, { path });
  expect({ status: response.status, headers: response.headers }).toMatchObject({
    status: 200,
    headers: {
      'content-type': type,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  });
});

test.each([
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
])('%s is served as %s, and browsers must not guess another type', async (path, type) => {
  const response = await sendHttpRequest(sim.url, { path });
  expect({ status: response.status, headers: response.headers }).toMatchObject({
    status: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff' },
  });
});

describe.each([
  ['/assets/icon.svg', 'image/svg+xml'],
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
])('%s', (path, type) => {
  test(`is served as ${type}`, async () => {
    const { status, headers, text } = await sendHttpRequest(sim.url, { path });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type });
    expect(text).not.toBe('');
  });

  test('is served to HEAD with the same length, and no body', async () => {
    const { headers } = await sendHttpRequest(sim.url, { path });
    const head = await sendHttpRequest(sim.url, { method: 'HEAD', path });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': headers['content-length'] } });
  });

  test('is answered with 304 if it has not changed', async () => {
    const { headers } = await sendHttpRequest(sim.url, { path });
    const revalidated = await sendHttpRequest(sim.url, {
      path,
      headers: ['If-None-Match', String(headers['etag'])],
    });
    expect({ status: revalidated.status, text: revalidated.text }).toEqual({ status: 304, text: '' });
  });
});

test.each([
  ['/docs', '/openapi.json', '/docs/start.js'],
  ['/docs/control', '/_sim/openapi.json', '/docs/start-control.js'],
])('%s loads nothing from other servers, and has no inline script', async (path, document, startScript) => {
  const { text } = await sendHttpRequest(sim.url, { path });
  const sources = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  const scripts = [...text.matchAll(/<script[^>]*>([^<]*)</g)].map(([, script]) => script);
  expect({ sources, scripts }).toStrictEqual({
    sources: [
      '/assets/icon.svg',
      '/docs/swagger-ui.css',
      '/assets/docs.css',
      '/dashboard',
      '/docs',
      '/docs/control',
      document,
      '/docs/swagger-ui-bundle.js',
      '/assets/docs.js',
      startScript,
    ],
    scripts: ['', '', ''],
  });
});

test('the root redirects to the dashboard', async () => {
  const response = await sendHttpRequest(sim.url, { path: '/' });
  expect({ status: response.status, to: response.headers['location'] }).toStrictEqual({
    status: 303,
    to: '/dashboard',
  });
});

test.each([
  '/docs/../package.json',
  '/docs/../../package.json',
  '/docs/..%2fcli.js',
  '/docs/..%2f..%2fpackage.json',
  '/docs/..%2F..%2Fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
  '/docs/..%5c..%5cpackage.json',
  '/docs/%252e%252e%252fpackage.json',
  '/docs/..%c0%af..%c0%afpackage.json',
  '/docs/....//....//package.json',
  '/docs/;/../../package.json',
  '/docs//etc/passwd',
  '/docs/%2fetc%2fpasswd',
  '/docs/%00',
  '/docs/swagger-ui.css%00.html',
  '/docs/%',
  '/docs/%ZZ',
  '/docs/.git/config',
  '/docs/.npmrc',
  '/docs/nothing',
  '/docs/index.html',
  '/docs/swagger-ui.css/',
  `/docs/${'a'.repeat(5000)}`,
  '/DOCS',
])('%s is not found', async (path) => {
  expectJson(await sendHttpRequest(sim.url, { path }), 404, { success: false, error: 'Route not found' });
});

test.each(['POST', 'PUT', 'DELETE'])('%s /docs is not found', async (method) => {
  expectJson(await sendHttpRequest(sim.url, { method, path: '/docs' }), 404, {
    success: false,
    error: 'Route not found',
  });
});
