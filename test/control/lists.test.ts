import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlServer, startControlServer } from './control-server.js';

/** Behavior of all lists of the control API except the activity: format, pagination and filters. */

let sim: ControlServer;

interface Page {
  readonly current_page: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

async function readPage(path: string): Promise<Page> {
  const { status, body } = await sim.callControl('GET', path);
  expect(status).toBe(200);
  // `Object` returns an object unchanged. Its type `any` can be returned as a page.
  return Object(body);
}

/** Removes the field that changes while a clock runs. */
function withoutNow({ now: _now, ...row }: Readonly<Record<string, unknown>>): object {
  return row;
}

beforeAll(async () => {
  sim = await startControlServer();
  const post = (path: string, body?: unknown) => sim.callControl('POST', `/accounts/demo${path}`, body);
  await sim.callControl('POST', '/accounts', { id: 'running' });
  await post('/tokens', { name: 'report', scopes: ['billing.read'] });
  await post('/trigger', { event: 'deposit.authorized' });
  await post('/trigger', { event: 'deposit.failed' });
  await sim.callService('demo_full', 'POST', '/invoices/3/reminder');
  await sim.callService('demo_full', 'POST', '/invoices/7/reminder');
  await sim.callService('demo_read', 'GET', '/nothing');
  await post('/snapshots', { name: 'one' });
  await post('/snapshots', { name: 'two' });
  await post('/scenarios/no-show/run', { deposit: 1 });
  await post('/scenarios/late-payment/run', { invoice: 2 });
  await sim.callControl('DELETE', '/accounts/demo/runs/1');
  await post('/faults', { effect: 'status=503', match: { path: '/nowhere' } });
  await post('/faults', { effect: 'drop', match: { event: 'deposit.expired' } });
  // This fault ends with the next request, which it matches.
  await post('/faults', { effect: 'status=503', match: { operation: 'getDeposit' }, times: 1 });
  await sim.callService('demo_full', 'GET', '/deposits/1');
  // A delivery that is not `unsent`: no server listens on port 1, so its first attempt fails.
  await sim.callControl('PATCH', '/accounts/demo/settings', { webhook_url: 'http://127.0.0.1:1/' });
  await post('/trigger', { event: 'deposit.created' });
  // Waits until that attempt has failed.
  await post('/clock/advance', { by: '0s' });
});

afterAll(() => sim.server.close());

const demoPath = '/accounts/demo';
const lists = [
  '/accounts',
  '/effects',
  `${demoPath}/agenda`,
  `${demoPath}/tokens`,
  `${demoPath}/customers`,
  `${demoPath}/deposits`,
  `${demoPath}/invoices`,
  `${demoPath}/payments`,
  `${demoPath}/payment-links`,
  `${demoPath}/deliveries`,
  `${demoPath}/mails`,
  `${demoPath}/requests`,
  `${demoPath}/snapshots`,
  `${demoPath}/scenarios`,
  `${demoPath}/runs`,
  `${demoPath}/faults`,
];

describe.each(lists)('%s', (path) => {
  test('has pages, which together are the whole list', async () => {
    const wholeList = await readPage(path);
    expect(wholeList).toMatchObject({ current_page: 1, per_page: 100, total: wholeList.data.length, last_page: 1 });
    expect(wholeList.total).toBeGreaterThan(1);
    const rowsOfPages = [];
    for (let page = 1; page <= wholeList.total; page++) {
      const singlePage = await readPage(`${path}?per_page=1&page=${page}`);
      expect(singlePage).toMatchObject({
        current_page: page,
        per_page: 1,
        total: wholeList.total,
        last_page: wholeList.total,
      });
      rowsOfPages.push(...singlePage.data);
    }
    expect(rowsOfPages.map(withoutNow)).toEqual(wholeList.data.map(withoutNow));
  });

  test('has an empty page after its last one', async () => {
    const { total } = await readPage(path);
    expect(await readPage(`${path}?page=99`)).toMatchObject({ current_page: 99, data: [], total });
  });
});

test.each([
  ['/accounts', 'mode', 'frozen'],
  ['/effects', 'stage', 'response'],
  [`${demoPath}/agenda`, 'kind', 'deposit-expires'],
  [`${demoPath}/tokens`, 'name', 'report'],
  [`${demoPath}/customers`, 'email', 'emilie@cirey.example'],
  [`${demoPath}/deposits`, 'status', 'authorized'],
  [`${demoPath}/invoices`, 'status', 'overdue'],
  [`${demoPath}/payments`, 'status', 'failed'],
  [`${demoPath}/deliveries`, 'event', 'deposit.created'],
  [`${demoPath}/deliveries`, 'status', 'unsent'],
  [`${demoPath}/mails`, 'invoice_id', 3],
  [`${demoPath}/requests`, 'method', 'POST'],
  [`${demoPath}/requests`, 'operation', 'sendInvoiceReminder'],
  [`${demoPath}/requests`, 'token', 'read'],
  [`${demoPath}/requests`, 'status', 404],
  [`${demoPath}/scenarios`, 'for', 'invoice'],
  [`${demoPath}/runs`, 'scenario', 'no-show'],
  [`${demoPath}/runs`, 'status', 'cancelled'],
  [`${demoPath}/faults`, 'stage', 'message'],
  [`${demoPath}/faults`, 'status', 'active'],
])('%s is filtered by %s', async (path, field, value) => {
  const { data } = await readPage(path);
  const filtered = await readPage(`${path}?${field}=${encodeURIComponent(value)}&per_page=1`);
  const expected = data.filter((row) => row[field] === value);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(data.length);
  expect(filtered).toMatchObject({ data: expected.slice(0, 1), total: expected.length });
});

test('emails are filtered by status', async () => {
  // Without an SMTP server, every email is `stored`.
  const storedEmails = await readPage(`${demoPath}/mails?status=stored`);
  expect(storedEmails.data).toEqual((await readPage(`${demoPath}/mails`)).data);
  expect(await readPage(`${demoPath}/mails?status=sent`)).toMatchObject({ data: [], total: 0 });
});
