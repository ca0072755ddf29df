import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageParts } from '../../src/http/dashboard/components/message.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';
import { unescapeHtml } from './html-text.js';

/** The request log on the dashboard. */

const execFileAsync = promisify(execFile);

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens the dashboard of an account that has received three requests. */
async function openDashboardWithRequests() {
  const demo = await createAccountWithDashboard(sim);
  await demo.client.GET('/deposits');
  await demo.client.GET('/invoices/{invoice}', { params: { path: { invoice: 999 } } });
  await demo.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  const logged = await demo.account.requests();
  const idOf = (operation: string): string => logged.find((request) => request.operation === operation)?.id ?? '';
  return { ...demo, idOf };
}

test('while the log is empty, the page shows a curl command that does not contain a token', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  const text = await dashboard.readText('requests');
  expect(text).toContain(`curl -i '${sim.baseUrl}/deposits' \\ -H "Authorization: Bearer $TOKEN"`);
});

test.each([
  ['', ['createDeposit', 'getInvoice', 'listDeposits']],
  ['q=INVOICES', ['getInvoice']],
  ['q=createDep', ['createDeposit']],
  ['q=404', ['getInvoice']],
  ['status=2xx', ['createDeposit', 'listDeposits']],
  ['status=4xx&q=get', ['getInvoice']],
])('the requests are filtered by %s', async (query, operations) => {
  const { dashboard } = await openDashboardWithRequests();
  const html = await dashboard.readHtml(`requests?${query}`);
  const listed = [...html.matchAll(/<td>(\w+)<\/td><td>full<\/td>/g)].map(([, operation]) => operation);
  expect(listed).toEqual(operations);
});

test('the requests are filtered by the status "no response"', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.faults.add({ effect: 'reset', match: { operation: 'listDeposits' } });
  await expect(client.GET('/deposits')).rejects.toThrow('fetch failed');
  await client.GET('/payments');
  expect(await dashboard.readText('requests?status=no+response')).toContain(' 1 of 1 request, last answered first');
  expect(await dashboard.readText('requests?q=no+response')).toContain(' 1 of 1 request, last answered first');
  expect(await dashboard.readText('requests?q=null')).toContain('No requests match');
});

test('the requests are filtered by a status from 300 to 399, which a fault can cause', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.faults.add({ effect: 'status=304', times: 1 });
  await client.GET('/deposits');
  await client.GET('/payments');
  const html = await dashboard.readHtml('requests?status=3xx');
  expect(html).toContain('>1 of 1 request, last answered first<');
  expect(html).toContain('<option value="3xx" selected>');
});

describe('a request', () => {
  test('is shown as a curl command with its body and idempotency key, but without its token', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const body = JSON.stringify({ booking_reference: "it's", amount: 5 });
    const headers = ['Content-Type', 'application/json', 'Idempotency-Key', 'k1'];
    await sendHttpRequest(sim.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: account.tokens.full,
      body,
      headers,
    });
    const [logged] = await account.requests();
    const html = unescapeHtml(await dashboard.readHtml(`requests/${logged?.id}`));
    expect(html).toContain(`curl -i -X POST '${sim.baseUrl}/deposits' \\\n  -H "Authorization: Bearer $TOKEN"`);
    expect(html).toContain("-H 'Idempotency-Key: k1'");
    expect(html).toContain(`--data-raw '{"booking_reference":"it'\\''s","amount":5}'`);
    expect(html).toContain('Change the key to run the operation again.');
    expect(html).not.toContain(account.tokens.full);
  });

  test('is shown with its headers and body beside those of the response', async () => {
    const { dashboard, idOf } = await openDashboardWithRequests();
    const text = await dashboard.readText(`requests/${idOf('createDeposit')}`);
    expect(text).toContain('Body { "booking_reference": "BK-1", "amount": 5 }');
    const [, response = ''] = text.split(' Response Headers ');
    expect(response).toMatch(/X-Request-Id: req_\w+/);
    expect(response).toMatch(/Body \{ .*"id": 8\b/);
    expect(text).toContain('deposit 8 created');
  });

  test('whose body is too long is shown with a note, and cannot be replayed', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await client.POST('/deposits', {
      body: { booking_reference: 'BK-1', amount: 5, metadata: { notes: 'n'.repeat(80_000) } },
    });
    const [logged] = await account.requests();
    const html = await dashboard.readHtml(`requests/${logged?.id}`);
    expect(html).toMatch(/Only the beginning of 80,\d+ bytes is kept/);
    expect(html).toContain('--data-binary @body.json');
    expect(html).not.toContain('do/replayRequest');
  });

  test('whose body is a single character is shown with the singular, once the log has dropped the body', () => {
    const body = { size: 1, text: null, is_truncated: false };
    expect(String(messageParts('request', { headers: [], body }))).toContain('The body (1 byte) was discarded');
  });

  test('that was refused is shown with a table of its invalid fields', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await sendHttpRequest(sim.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: account.tokens.full,
      headers: ['Content-Type', 'application/json'],
      body: '{"amount":-5}',
    });
    const [logged] = await account.requests();
    const html = await dashboard.readHtml(`requests/${logged?.id}`);
    const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) => row.replace(/<[^>]+>/g, ' '));
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^booking_reference nothing The booking.reference field is required/),
      expect.stringMatching(/^amount -5 The amount field/),
    ]);
  });

  test('is replayed, and the page of the new request opens', async () => {
    const { account, dashboard, idOf } = await openDashboardWithRequests();
    const id = idOf('createDeposit');
    const { path, html } = await dashboard.submitForm(`requests/${id}`, `replayRequest/${id}`);
    const [latest] = await account.requests();
    expect(path).toBe(`/dashboard/${account.id}/requests/${latest?.id}`);
    expect(latest?.id).not.toBe(id);
    expect(html).toContain('deposit 9');
  });

  test('is replayed with the same idempotency key, and gets the same response', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const headers = ['Content-Type', 'application/json', 'Idempotency-Key', 'k1'];
    const body = '{"booking_reference":"BK-1","amount":5}';
    await sendHttpRequest(sim.url, {
      method: 'POST',
      path: '/api/v1/deposits',
      token: account.tokens.full,
      body,
      headers,
    });
    const [logged] = await account.requests();
    await dashboard.postFields(`requests/${logged?.id}`, `replayRequest/${logged?.id}`, { 'same_key:boolean': 'true' });
    const [replayed, ...earlier] = await account.requests();
    expect(earlier).toHaveLength(1);
    expect(replayed).toMatchObject({ operation: 'createDeposit', status: 201 });
    expect(await dashboard.readText(`requests/${replayed?.id}`)).toContain('"id": 8');
    expect((await sendHttpRequest(sim.url, { path: '/api/v1/deposits/9', token: account.tokens.full })).status).toBe(
      404,
    );
  });

  test('is shown with the gaps that affect its response, and their choices', async () => {
    const { dashboard, idOf } = await openDashboardWithRequests();
    const text = await dashboard.readText(`requests/${idOf('getInvoice')}`);
    expect(text).toContain('Explanation The account has no such invoice.');
    expect(text).toContain(
      'request.not-found How does the service respond to an unknown path or record, except in the reminder operation? 404 with the text Invoice not found',
    );
  });

  test('is shown with the choice of the account for a gap, if it is not the default', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, { 'list.order': 'oldest-first' });
    await client.GET('/deposits');
    const [logged] = await account.requests();
    expect(await dashboard.readText(`requests/${logged?.id}`)).toMatch(/list\.order .*\? Oldest first\./);
  });

  test('is shown with the value of a choice, once', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, {
      'request.not-found': { error: 'Nothing here' },
    });
    await client.GET('/invoices/{invoice}', { params: { path: { invoice: 99 } } });
    const [logged] = await account.requests();
    const text = await dashboard.readText(`requests/${logged?.id}`);
    expect(text.match(/404 with the given text\S*( "Nothing here")?/g)).toEqual([
      '404 with the given text: "Nothing here"',
    ]);
  });

  test('is shown with the choices that the account had then, even if its profile has changed', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim, {
      'list.order': 'oldest-first',
      'status.acted': '202',
    });
    await client.GET('/deposits');
    await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
    await account.settings.update({ profile: {} });
    const [reminder, list] = await account.requests();
    expect(await dashboard.readText(`requests/${list?.id}`)).toMatch(/list\.order .*\? Oldest first\./);
    expect(await dashboard.readText(`requests/${reminder?.id}`)).toMatch(/status\.acted .*\? 202/);
  });

  test('that a fault changed is shown with the name of its effect', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await account.faults.add({ effect: 'status=502' });
    await client.GET('/deposits');
    const [logged] = await account.requests();
    expect(await dashboard.readText(`requests/${logged?.id}`)).toContain('Changed by faults: status.');
  });

  test.each(['status=503', 'status=200'])(
    'that the fault %s kept from being handled is not explained by the document, which describes the service',
    async (effect) => {
      const { account, client, dashboard } = await createAccountWithDashboard(sim);
      await account.faults.add({ effect });
      await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
      const [logged] = await account.requests();
      expect(await dashboard.readText(`requests/${logged?.id}`)).toContain(
        'Explanation Changed by faults: status. See the faults The fault made this response; Activity shows what the request changed, if anything. Copy as curl',
      );
    },
  );

  test('that was handled although a fault changed the response is explained by the document', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await account.faults.add({ effect: 'wrong-content-type' });
    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 }, parseAs: 'text' });
    const [logged] = await account.requests();
    const text = await dashboard.readText(`requests/${logged?.id}`);
    expect(text).toContain('Explanation Changed by faults: wrong-content-type. See the faults The new deposit,');
  });

  test('without a response is shown without gaps', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await account.faults.add({ effect: 'reset' });
    await expect(client.GET('/deposits')).rejects.toThrow('fetch failed');
    const [logged] = await account.requests();
    const text = await dashboard.readText(`requests/${logged?.id}`);
    expect(text).toContain(
      'Explanation Changed by faults: reset. See the faults The fault made this response; Activity shows what the request changed, if anything. Copy as curl',
    );
  });

  test.each([
    ['an unknown path', 'GET', 'nowhere', 'request.not-found'],
    ['a path with a slash at its end', 'GET', 'deposits/1/', 'request.not-found'],
    ['a path that has another method', 'DELETE', 'deposits/1', 'request.method'],
  ])('to %s is shown with the gap that determines its response', async (_title, method, path, gap) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await sendHttpRequest(sim.url, { method, path: `/api/v1/${path}`, token: account.tokens.full });
    const [logged] = await account.requests();
    const text = await dashboard.readText(`requests/${logged?.id}`);
    expect(text).toContain('Operation unknown');
    expect(text).toContain('Explanation The service has no operation with this method and path.');
    expect(text).toContain(gap);
  });

  test('to an unknown path without a token is shown with the description that all operations have', async () => {
    await sendHttpRequest(sim.url, { path: '/api/v1/nowhere' });
    // Such a request belongs to the default account.
    const [logged] = await sim.account.requests();
    const text = await dashboardOf(sim.url).readText(`requests/${logged?.id}`);
    expect(text).toContain('Explanation The token is missing or unknown.');
  });

  test.each(["it's", '$(id)', '`id`', '";id;"'])('with %s in its path is quoted for a shell', async (pathSegment) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const path = `/api/v1/${pathSegment}`;
    await sendHttpRequest(sim.url, { path, token: account.tokens.full });
    const [logged] = await account.requests();
    const html = await dashboard.readHtml(`requests/${logged?.id}`);
    const [, command = ''] = /aria-label="As a curl command"[^>]*>(.*?)<\/pre>/s.exec(html) ?? [];
    // A shell function replaces curl: it prints its second argument, the URL.
    const { stdout } = await execFileAsync('sh', ['-c', `curl() { printf '%s\\n' "$2"; }; ${unescapeHtml(command)}`]);
    expect(stdout.trim()).toBe(`${sim.url}${path}`);
  });

  test.each([
    { encoding: 'UTF-8', value: Buffer.from('Zoë-1').toString('latin1') },
    { encoding: 'Latin-1', value: 'Zoë-1' },
  ])('is shown with the header values that the client has encoded as $encoding', async ({ value }) => {
    const { html } = await openPageOfRequest({ path: '/api/v1/deposits', headers: ['Idempotency-Key', value] });
    expect(html).toContain('<span class="json-name">Idempotency-Key</span>: Zoë-1\n');
    expect(html).toContain("-H 'Idempotency-Key: Zoë-1'");
  });

  /** Sends a request with exactly these headers and a token. @returns its page, and its id in the log */
  async function openPageOfRequest(
    request: Partial<Parameters<typeof sendHttpRequest>[1]> & { readonly path: string },
  ) {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await sendHttpRequest(sim.url, { token: account.tokens.full, ...request });
    const [logged] = await account.requests();
    const html = unescapeHtml(await dashboard.readHtml(`requests/${logged?.id}`));
    return { account, dashboard, html, id: logged?.id };
  }

  test('with brackets or braces in its path is shown with an option that makes curl send them', async () => {
    expect((await openPageOfRequest({ path: '/api/v1/invoices?page={1}' })).html).toContain('curl -i -g ');
    expect((await openPageOfRequest({ path: '/api/v1/invoices?status[]=x' })).html).toContain('curl -i -g ');
  });

  test('whose target is an absolute URL, as clients of a proxy send it, is shown with its path', async () => {
    const { account, html } = await openPageOfRequest({ path: 'http://localhost/api/v1/deposits?page=1' });
    expect(html).toContain('<h1>GET /api/v1/deposits?page=1</h1>');
    expect(html).toContain(`curl -i '${sim.url}/api/v1/deposits?page=1'`);
    expect(await account.requests()).toMatchObject([{ path: '/api/v1/deposits?page=1', status: 200 }]);
  });

  // Newer versions of curl resolve encoded dots, too.
  const pathsWithDots = [
    '/api/v1/invoices/../deposits',
    '/api/v1/./deposits',
    '/api/v1/invoices/..',
    '/api/v1/invoices/%2e%2E/deposits',
    '/api/v1/.%2e',
  ];
  test.each(pathsWithDots)('to %s is shown with an option that makes curl send its dots', async (path) => {
    expect((await openPageOfRequest({ path })).html).toContain(`curl -i --path-as-is '${sim.url}${path}'`);
  });

  test('with an empty header is shown with the semicolon with which curl sends it', async () => {
    const { html } = await openPageOfRequest({ path: '/api/v1/deposits', headers: ['X-Empty', ''] });
    expect(html).toContain("-H 'X-Empty;'");
  });

  const deposit = '{"booking_reference":"BK-1","amount":5}';

  test('with a body but without a content type is shown with an option that keeps curl from adding one', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim, { 'request.content-type': 'parsed' });
    const { hostname, port } = new URL(sim.url);
    const headers = { Authorization: `Bearer ${account.tokens.full}`, 'Content-Length': deposit.length };
    await new Promise((resolve) => {
      request({ hostname, port, method: 'POST', path: '/api/v1/deposits', headers }, resolve).end(deposit);
    });
    const [logged] = await account.requests();
    expect(logged?.status).toBe(201);
    const html = unescapeHtml(await dashboard.readHtml(`requests/${logged?.id}`));
    expect(html).toContain(`-H 'Content-Type:' \\\n  --data-raw '${deposit}'`);
  });

  test('that was refused before its body was read cannot be replayed without the body', async () => {
    const { account, html, id } = await openPageOfRequest({
      method: 'POST',
      path: '/api/v1/deposits',
      headers: ['Content-Type', 'text/plain'],
      body: deposit,
    });
    expect(html).toContain('The request was refused before its body was read.');
    expect(html).toContain('--data-binary @body.json');
    expect(html).toContain('The log does not have the complete body. Save yours as body.json.');
    expect(html).not.toContain('do/replayRequest');
    const replay = { method: 'POST', path: `/_sim/accounts/${account.id}/requests/${id}/replay`, body: '{}' };
    expect((await sendHttpRequest(sim.url, replay)).status).toBe(409);
    expect(await account.requests()).toHaveLength(1);
  });

  test('whose operation takes no body is replayed, although the body that came with it was not read', async () => {
    const { account, dashboard, id } = await openPageOfRequest({
      method: 'POST',
      path: '/api/v1/deposits/2/release',
      headers: ['Content-Type', 'application/json'],
      body: '{}',
    });
    await dashboard.submitForm(`requests/${id}`, `replayRequest/${id}`);
    expect((await account.requests()).map(({ operation }) => operation)).toEqual(['releaseDeposit', 'releaseDeposit']);
  });

  test('that is no longer in the log is not found', async () => {
    const response = await sendHttpRequest(sim.url, { path: '/dashboard/demo/requests/req_0' });
    expect(response.status).toBe(404);
    expect(response.text).toContain('The log contains only the last 1000 requests');
  });
});
