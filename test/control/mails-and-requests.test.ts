import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account. @returns its id, its token with all scopes, and its path parameters */
async function openAccount() {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  return { account, token: tokens.full, path: { account } };
}

test('emails are listed newest first, without the text and HTML that a single email includes', async () => {
  const { account, token, path } = await openAccount();
  await sim.callService(token, 'POST', '/invoices/3/reminder');
  await sim.callControl('POST', `/accounts/${account}/clock/advance`, { by: '1h' });
  await sim.callService(token, 'POST', '/invoices/7/reminder');

  const listed = requireData(await sim.control.GET('/accounts/{account}/mails', { params: { path } }));
  expect(listed).toEqual(
    expectedPage([
      expect.objectContaining({ id: 2, invoice_id: 7, created_at: '2026-03-01T10:00:00.000Z' }),
      {
        id: 1,
        invoice_id: 3,
        to: expect.stringContaining('@'),
        subject: expect.stringContaining('DEMO-0003'),
        status: 'stored',
        created_at: '2026-03-01T09:00:00.000Z',
        attempts: 0,
        next_attempt_at: null,
      },
    ]),
  );
  const query = { per_page: 1 };
  const latest = requireData(await sim.control.GET('/accounts/{account}/mails', { params: { path, query } }));
  expect(latest).toEqual(expectedPage(listed.data.slice(0, 1), { per_page: 1, total: 2, last_page: 2 }));

  const mail = requireData(
    await sim.control.GET('/accounts/{account}/mails/{mail}', { params: { path: { ...path, mail: 1 } } }),
  );
  expect(mail).toEqual({ ...listed.data[1], attempts: [], text: expect.any(String), html: expect.any(String) });
  expect(mail.text).toContain('DEMO-0003');
  expect(mail.html).toContain('<');
});

test('emails are visible only in their own account', async () => {
  const { token } = await openAccount();
  const { account } = await openAccount();
  await sim.callService(token, 'POST', '/invoices/3/reminder');
  expect((await sim.callControl('GET', `/accounts/${account}/mails`)).body).toEqual(expectedPage([]));
});

test('requests to the service are listed newest first, without requests to the control API', async () => {
  const { account, token, path } = await openAccount();
  await sim.callService(token, 'POST', '/deposits', { booking_reference: 'BK-1', amount: 10 });
  await sim.callService(token, 'GET', '/invoices?per_page=1&secret=x');
  await sim.callService(token, 'GET', '/nothing');
  await sim.callControl('POST', `/accounts/${account}/trigger`, { event: 'deposit.created' });
  await sim.callControl('GET', `/accounts/${account}/mails`);
  const { data: requests } = requireData(await sim.control.GET('/accounts/{account}/requests', { params: { path } }));
  const commonFields = {
    at: '2026-03-01T09:00:00.000Z',
    token: 'full',
    error: null,
    faults: [],
    milliseconds: expect.any(Number),
  };
  // Not 1.3000000000000114, as a subtraction may result in.
  expect(requests.map(({ milliseconds }) => String(milliseconds))).toEqual(
    Array(3).fill(expect.stringMatching(/^\d+(\.\d)?$/)),
  );
  const id = expect.stringMatching(/^req_\d+$/);
  expect(requests).toEqual([
    {
      ...commonFields,
      id,
      method: 'GET',
      path: '/api/v1/nothing',
      operation: null,
      status: 404,
      error: 'Route not found',
    },
    {
      ...commonFields,
      id,
      method: 'GET',
      // The value of an unknown parameter is masked.
      path: '/api/v1/invoices?per_page=1&secret=…',
      operation: 'listInvoices',
      status: 200,
    },
    { ...commonFields, id, method: 'POST', path: '/api/v1/deposits', operation: 'createDeposit', status: 201 },
  ]);
});

test('a request is listed with the time when it arrived, even if the clock has advanced before its response', async () => {
  const { account, token, path } = await openAccount();
  const body = '{"booking_reference":"BK-1","amount":10}';
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
  };
  const pending = request(`${sim.url}/api/v1/deposits`, { method: 'POST', agent: false, headers });
  pending.flushHeaders();
  await once(pending, 'continue');
  await sim.callControl('POST', `/accounts/${account}/clock/advance`, { by: '1h' });
  pending.end(body);
  await once(pending, 'response');
  const { data } = requireData(await sim.control.GET('/accounts/{account}/requests', { params: { path } }));
  expect(data).toMatchObject([{ operation: 'createDeposit', status: 201, at: '2026-03-01T09:00:00.000Z' }]);
});

test('a request without a valid token is listed with its operation', async () => {
  await sim.callService('unknown', 'GET', '/invoices?page=1&secret=x');
  const path = { account: 'demo' };
  const { data: requests } = requireData(await sim.control.GET('/accounts/{account}/requests', { params: { path } }));
  expect(requests[0]).toMatchObject({
    path: '/api/v1/invoices?page=1&secret=…',
    operation: 'listInvoices',
    token: null,
    status: 401,
  });
});

test.each([
  { query: '?page=1&sk_test_1', logged: '?page=1&…', rule: 'a part that is not a documented parameter is masked' },
  { query: '?page', logged: '?page', rule: 'a documented parameter without a value is not masked' },
  { query: '?key=a?key=b&page=1?2', logged: '?key=…&page=1?2', rule: 'a question mark is part of a value' },
  { query: '?&&page=1', logged: '?&&page=1', rule: 'empty parts are not masked' },
])('in the logged query, $rule', async ({ query, logged }) => {
  const { token, path } = await openAccount();
  await sim.callService(token, 'GET', `/invoices${query}`);
  const { data: requests } = requireData(await sim.control.GET('/accounts/{account}/requests', { params: { path } }));
  expect(requests.map((request) => request.path)).toEqual([`/api/v1/invoices${logged}`]);
});

test('only the latest 1,000 requests are listed', async () => {
  const { token, path } = await openAccount();
  await sim.callService(token, 'GET', '/payments');
  for (let sent = 0; sent < 1_000; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => sim.callService(token, 'GET', '/deposits/1')));
  }
  const query = { per_page: 10_000 };
  const { data: requests, total } = requireData(
    await sim.control.GET('/accounts/{account}/requests', { params: { path, query } }),
  );
  expect({ listed: requests.length, total }).toEqual({ listed: 1_000, total: 1_000 });
  expect(new Set(requests.map(({ operation }) => operation))).toEqual(new Set(['getDeposit']));
});

test('requests to the control API are not logged', async () => {
  await sim.callControl('GET', '/accounts');
  const logged = sim.server.world.accounts.default().requests.newestFirst();
  expect(logged.filter(({ path }) => path.startsWith('/_sim'))).toEqual([]);
});
