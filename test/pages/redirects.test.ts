import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';

/** The redirect target is a form field, so a page of another site can put anything there. */

const controlToken = 'a-control-token';
let open: Simulator;
let guarded: Simulator;

beforeAll(async () => {
  open = await startSimulator();
  guarded = await startSimulator({ controlToken });
});

afterAll(async () => {
  await open.close();
  await guarded.close();
});

const forms = [
  { name: 'a form of the dashboard', sim: () => open, path: '/dashboard/demo/do/clearFaults', fields: {} },
  { name: 'signing in', sim: () => guarded, path: '/dashboard/sign-in', fields: { token: controlToken } },
];

describe.each(forms)('$name', ({ sim, path, fields }) => {
  async function send(then: string): Promise<string> {
    const { url } = sim();
    const reply = await sendHttpRequest(url, {
      method: 'POST',
      path,
      body: new URLSearchParams({ ...fields, then }).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url],
    });
    expect(reply.status).toBe(303);
    return String(reply.headers['location']);
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
    'http://here:1/dashboard',
    'http://user@evil.example/dashboard',
    'http://localhost:99999/dashboard',
    'http://[/dashboard',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///dashboard',
    'blob:http://here/dashboard',
    '/dashboardly',
    '/dashboard.evil.example',
    '/dashboard%2f..%2f..',
    '/docs',
    '?x',
    '#x',
    '',
  ])('given %j leads to the dashboard', async (then) => {
    expect((await send(then)).replace(/\?notice=[\w-]+$/, '')).toBe('/dashboard');
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
  ])('with %j redirects to this host, in one line of ASCII', async (then) => {
    const location = await send(then);
    expect(location).toMatch(/^\/dashboard[/?#\x21-\x7e]*$/);
    expect(new URL(location, sim().url).origin).toBe(new URL(sim().url).origin);
  });

  test.each(['/dashboard', '/dashboard/demo/clock', '/dashboard/demo/invoices?status=paid&page=2#row-1'])(
    'with %s redirects there',
    async (then) => {
      expect((await send(then)).replace(/[?&]notice=[\w-]+/, '')).toBe(then);
    },
  );
});
