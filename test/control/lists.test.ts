import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlServer, startControlServer } from './control-server.js';

/** Behavior common to all lists of the control API: format, paging and filters. */

let sim: ControlServer;

interface Page {
  readonly current_page: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

async function pageAt(path: string): Promise<Page> {
  const { status, body } = await sim.callControl('GET', path);
  expect(status).toBe(200);
  return Object(body);
}

/** Leaves out the field that changes while a clock runs. */
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
  await post('/faults', { effect: 'status=503', match: { token: 'nobody' } });
  await post('/faults', { effect: 'drop', match: { event: 'deposit.expired' } });
});

afterAll(() => sim.server.close());

const own = '/accounts/demo';
const lists = [
  '/accounts',
  '/effects',
  `${own}/agenda`,
  `${own}/tokens`,
  `${own}/customers`,
  `${own}/deliveries`,
  `${own}/mails`,
  `${own}/requests`,
  `${own}/snapshots`,
  `${own}/scenarios`,
  `${own}/runs`,
  `${own}/faults`,
];

describe.each(lists)('%s', (path) => {
  test('is paged, and the pages together are the whole list', async () => {
    const whole = await pageAt(path);
    expect(whole).toMatchObject({ current_page: 1, per_page: 100, total: whole.data.length, last_page: 1 });
    expect(whole.total).toBeGreaterThan(1);
    const parts = [];
    for (let page = 1; page <= whole.total; page++) {
      const part = await pageAt(`${path}?per_page=1&page=${page}`);
      expect(part).toMatchObject({ current_page: page, per_page: 1, total: whole.total, last_page: whole.total });
      parts.push(...part.data);
    }
    expect(parts.map(withoutNow)).toEqual(whole.data.map(withoutNow));
  });

  test('has nothing beyond its last page', async () => {
    const { total } = await pageAt(path);
    expect(await pageAt(`${path}?page=99`)).toMatchObject({ current_page: 99, data: [], total });
  });
});

test.each([
  ['/accounts', 'mode', 'frozen'],
  ['/effects', 'stage', 'answer'],
  [`${own}/agenda`, 'kind', 'deposit-expires'],
  [`${own}/tokens`, 'name', 'report'],
  [`${own}/customers`, 'email', 'emilie@cirey.example'],
  [`${own}/deliveries`, 'event', 'deposit.created'],
  [`${own}/deliveries`, 'status', 'unsent'],
  [`${own}/mails`, 'invoice_id', 3],
  [`${own}/mails`, 'status', 'kept'],
  [`${own}/requests`, 'method', 'POST'],
  [`${own}/requests`, 'operation', 'sendInvoiceReminder'],
  [`${own}/requests`, 'token', 'read'],
  [`${own}/requests`, 'status', 404],
  [`${own}/scenarios`, 'for', 'invoice'],
  [`${own}/runs`, 'scenario', 'no-show'],
  [`${own}/runs`, 'status', 'cancelled'],
  [`${own}/faults`, 'stage', 'message'],
  [`${own}/faults`, 'status', 'active'],
])('%s is filtered by %s', async (path, field, value) => {
  const { data } = await pageAt(path);
  const found = await pageAt(`${path}?${field}=${encodeURIComponent(value)}&per_page=1`);
  const expected = data.filter((each) => each[field] === value);
  expect(expected.length).toBeGreaterThan(0);
  expect(found).toMatchObject({ data: expected.slice(0, 1), total: expected.length });
});
