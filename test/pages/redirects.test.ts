import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/** The `return_to` field of a form is the page to redirect to. It may be forged, so only dashboard pages are allowed. */

const controlToken = 'a-control-token';
let simWithoutToken: Simulator;
let simWithToken: Simulator;

beforeAll(async () => {
  simWithoutToken = await startSimulator();
  simWithToken = await startSimulator({ controlToken });
});

afterAll(async () => {
  await simWithoutToken.close();
  await simWithToken.close();
});

const forms = [
  { name: 'a form of the dashboard', sim: () => simWithoutToken, path: '/dashboard/demo/do/clearFaults', fields: {} },
  { name: 'signing in', sim: () => simWithToken, path: '/dashboard', fields: { token: controlToken } },
];

describe.each(forms)('$name', ({ sim, path, fields }) => {
  /** Sends the form with a redirect target. @returns the `Location` of the response */
  async function send(target: string): Promise<string> {
    const { url } = sim();
    const response = await sendHttpRequest(url, {
      method: 'POST',
      path,
      body: new URLSearchParams([...Object.entries(fields), ['return_to', target]]).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url],
    });
    expect(response.status).toBe(303);
    return String(response.headers['location']);
  }

  test.each([
    '/dashboard/..//evil.example/x',
    '/dashboard/../\\evil.example',
    '/dashboard/..\\\\evil.example',
    '/dashboard/%2e%2e//evil.example',
    '/dashboard/.%2E/%2e/./\\evil.example',
    '/dashboard/x/../../..//evil.example',
    '/dashboard\\..\\\\evil.example',
    '/dashboard/..//evil.example\\@localhost',
    '/dashboard/.\t.//evil.example',
    '/dashboard/.\n.//evil.example',
    '/dashboard/../..//evil.example?/dashboard#/dashboard',
    '//evil.example/dashboard',
    '///evil.example/dashboard',
    '\\\\evil.example/dashboard',
    '/\\evil.example/dashboard',
    '/\t/evil.example/dashboard',
    ' //evil.example/dashboard',
    '\u0000//evil.example/dashboard',
    'https://evil.example/dashboard',
    'https:evil.example/dashboard',
    'HTTPS:/\\evil.example/dashboard',
    'http://evil.example:1/dashboard',
    'http://user@evil.example/dashboard',
    'http://localhost:99999/dashboard',
    'http://[/dashboard',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///dashboard',
    'blob:http://evil.example/dashboard',
    '/dashboardly',
    '/dashboard.evil.example',
    '/dashboard%2f..%2f..',
    '/docs',
    '?x',
    '#x',
    '',
  ])('redirects to the start of the dashboard if the target is %j', async (target) => {
    expect((await send(target)).replace(/\?notice=[\w-]+$/, '')).toBe('/dashboard');
  });

  test.each([
    '/dashboard/demo\r\nSet-Cookie: a=b',
    '/dashboard/demo\r\n\r\n<script>',
    '/dashboard/\u0000\u001f\u007f',
    '/dashboard/\u2028\ud800',
    '/dashboard//evil.example',
    '/dashboard/%5c%5cevil.example',
    '/dashboard/..%2f..%2f%2fevil.example',
    '/dashboard?next=//evil.example',
    '/dashboard#//evil.example',
  ])('redirects to this host, in one line of ASCII, if the target is %j', async (target) => {
    const location = await send(target);
    expect(location).toMatch(/^\/dashboard[/?#\x21-\x7e]*$/);
    expect(new URL(location, sim().url).origin).toBe(new URL(sim().url).origin);
  });

  test.each(['/dashboard', '/dashboard/demo/clock', '/dashboard/demo/invoices?status=paid&page=2#row-1'])(
    'redirects to %s if that is the target',
    async (target) => {
      expect((await send(target)).replace(/[?&]notice=[\w-]+/, '')).toBe(target);
    },
  );
});
