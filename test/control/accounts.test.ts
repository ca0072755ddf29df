import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../src/generated/seed-demo.js';
import { demoCounts } from '../support/counts.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, dataOf, pageOf, startControlServer, startControlServerForTest } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

async function total(token: string, list: string): Promise<unknown> {
  const { body } = await sim.callService(token, 'GET', `/${list}`);
  return Reflect.get(Object(Reflect.get(Object(body), 'data')), 'total');
}

describe('an account is created', () => {
  test('empty, with the next free id and working tokens', async () => {
    const own = await startControlServerForTest();
    const first = dataOf(await own.control.POST('/accounts', { body: {} }));
    const second = dataOf(await own.control.POST('/accounts', {}));
    expect([first.id, second.id]).toEqual(['account-1', 'account-2']);
    expect(first).toEqual({
      id: 'account-1',
      base_url: `${own.url}/api/v1`,
      tokens: {
        full: expect.stringMatching(/^account-1_full_[0-9a-f]{32}$/),
        read: expect.stringMatching(/^account-1_read_[0-9a-f]{32}$/),
        write: expect.stringMatching(/^account-1_write_[0-9a-f]{32}$/),
      },
      webhook_secret: expect.stringMatching(/^whsec_[0-9a-f]{32}$/),
    });
    const headers = { Authorization: `Bearer ${first.tokens.read}` };
    const listed = await fetch(`${first.base_url}/deposits`, { headers });
    expect(await listed.json()).toMatchObject({ data: { total: 0 } });
    expect((await own.callService(first.tokens.read, 'POST', '/deposits', {})).status).toBe(403);
  });

  test('with the data of demo, but not with its tokens', async () => {
    const { tokens } = dataOf(await sim.control.POST('/accounts', { body: { id: 'like-demo', seed: 'demo' } }));
    expect(tokens.full).not.toBe('demo_full');
    expect(await total(tokens.full, 'invoices')).toBe(demoCounts.invoices);
    expect(await total(tokens.full, 'deposits')).toBe(demoCounts.deposits);
    expect(await total('demo_full', 'deposits')).toBe(demoCounts.deposits);
  });

  test('with its own data, without the fixed tokens of the seed', async () => {
    const body = { id: 'own-data', seed: { ...demo, invoices: [], payments: [] } };
    const { tokens } = dataOf(await sim.control.POST('/accounts', { body }));
    expect(await total(tokens.full, 'invoices')).toBe(0);
    expect(await total(tokens.full, 'payment-links')).toBe(demoCounts.payment_links);
    expect(await total('demo_full', 'invoices')).toBe(demoCounts.invoices);
  });

  test('with a seed of almost 1 MB', async () => {
    const customers = Array.from({ length: 3_000 }, (_, index) => ({
      id: index + 1,
      name: `Guest ${index} ${'x'.repeat(150)}`,
      email: `guest-${index}@hotel.example`,
      company: null,
      phone: null,
      address: null,
      city: null,
      postal_code: null,
      country: null,
      currency: null,
    }));
    const seed = { ...demo, customers, invoices: [], payments: [] };
    expect(JSON.stringify({ seed }).length).toBeGreaterThan(900_000);
    const { id: account } = dataOf(await sim.control.POST('/accounts', { body: { seed } }));
    const path = '/accounts/{account}/customers';
    const listed = dataOf(await sim.control.GET(path, { params: { path: { account }, query: { per_page: 2 } } }));
    expect(listed).toMatchObject({ total: 3_000, last_page: 1_500, data: [{ id: 3_000 }, { id: 2_999 }] });
  });

  test('with all options', async () => {
    const body = {
      id: 'as-told',
      profile: { 'list.order': 'oldest-first', 'deposit.id': 'prefixed' },
      now: '2026-05-01T10:00:00+02:00',
      random_seed: '42',
      rate_limit: false,
      webhook_url: 'http://receiver.example/webhooks',
      webhook_secret: 'shhh',
    };
    const made = dataOf(await sim.control.POST('/accounts', { body }));
    expect(made.webhook_secret).toBe('shhh');
    const params = { params: { path: { account: 'as-told' } } };
    expect(dataOf(await sim.control.GET('/accounts/{account}/settings', params))).toEqual({
      webhook_url: 'http://receiver.example/webhooks',
      webhook_secret: 'shhh',
      rate_limit: false,
      profile: { 'list.order': 'oldest-first', 'deposit.id': 'prefixed' },
    });
    expect(dataOf(await sim.control.GET('/accounts/{account}/clock', params))).toEqual({
      now: '2026-05-01T08:00:00.000Z',
      mode: 'frozen',
    });
    // The same random seed gives the same tokens and ids.
    const other = await startControlServerForTest();
    expect(dataOf(await other.control.POST('/accounts', { body })).tokens).toEqual(made.tokens);
    const deposit = { booking_reference: 'BK-1', amount: 10 };
    const created = await sim.callService(made.tokens.full, 'POST', '/deposits', deposit);
    expect(created.body).toMatchObject({ data: { id: expect.stringMatching(/^dep_/) } });
    expect((await other.callService(made.tokens.full, 'POST', '/deposits', deposit)).body).toMatchObject({
      data: { id: Reflect.get(Object(Reflect.get(Object(created.body), 'data')), 'id') },
    });
  });

  test('without the options of the simulator or of demo', async () => {
    const own = await startControlServerForTest({
      choices: { 'list.order': 'oldest-first' },
      webhookUrl: 'http://receiver.example/',
      webhookSecret: 'of-demo',
      randomSeed: 'of-demo',
    });
    const before = Date.now();
    const { id: account, webhook_secret } = dataOf(await own.control.POST('/accounts', {}));
    const params = { params: { path: { account } } };
    expect(webhook_secret).not.toBe('of-demo');
    expect(dataOf(await own.control.GET('/accounts/{account}/settings', params))).toEqual({
      webhook_url: null,
      webhook_secret,
      rate_limit: true,
      profile: {},
    });
    const clock = dataOf(await own.control.GET('/accounts/{account}/clock', params));
    expect(clock.mode).toBe('real');
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(before);
  });
});

test('accounts are listed with their clocks', async () => {
  const own = await startControlServerForTest();
  await own.control.POST('/accounts', { body: { id: 'hotel', now: '2026-05-01T08:00:00Z' } });
  expect(dataOf(await own.control.GET('/accounts', {}))).toEqual(
    pageOf([
      { id: 'demo', created_at: '2026-03-01T09:00:00.000Z', now: '2026-03-01T09:00:00.000Z', mode: 'frozen' },
      { id: 'hotel', created_at: '2026-05-01T08:00:00.000Z', now: '2026-05-01T08:00:00.000Z', mode: 'frozen' },
    ]),
  );
});

describe('settings', () => {
  test('can be changed one at a time', async () => {
    const { id: account } = dataOf(await sim.control.POST('/accounts', { body: { webhook_secret: 'first' } }));
    const change = async (body: object) =>
      dataOf(await sim.control.PATCH('/accounts/{account}/settings', { params: { path: { account } }, body }));
    const first = { webhook_url: null, webhook_secret: 'first', rate_limit: true, profile: {} };
    expect(await change({})).toEqual(first);
    expect(await change({ rate_limit: false })).toEqual({ ...first, rate_limit: false });
    const url = 'http://receiver.example/webhooks';
    expect(await change({ webhook_url: url })).toEqual({ ...first, rate_limit: false, webhook_url: url });
    expect(await change({ webhook_secret: 'second' })).toMatchObject({ webhook_url: url, webhook_secret: 'second' });
    expect(await change({ webhook_url: null })).toMatchObject({ webhook_url: null, webhook_secret: 'second' });
    expect(await change({ profile: { 'list.order': 'oldest-first' } })).toMatchObject({
      webhook_secret: 'second',
      profile: { 'list.order': 'oldest-first' },
    });
    expect(await change({ profile: { 'decimal.encoding': 'string' } })).toMatchObject({
      profile: { 'decimal.encoding': 'string' },
    });
  });

  test('that turn the rate limit on again start a fresh window', async () => {
    const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body: { rate_limit: false } }));
    const statuses: number[] = [];
    for (let sent = 0; sent < 101; sent++) {
      statuses.push((await sim.callService(tokens.read, 'GET', '/invoices/stats')).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await sim.control.PATCH('/accounts/{account}/settings', {
      params: { path: { account } },
      body: { rate_limit: true },
    });
    expect((await sim.callService(tokens.read, 'GET', '/invoices/stats')).status).toBe(200);
  });

  test('take effect immediately, with the same tokens and records', async () => {
    const { id: account, tokens } = dataOf(
      await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z' } }),
    );
    const params = { params: { path: { account } } };
    const amount = async () => {
      const { body } = await sim.callService(tokens.full, 'GET', '/deposits/1');
      return Reflect.get(Object(Reflect.get(Object(body), 'data')), 'amount');
    };
    expect(await amount()).toBe(300);
    const profile = { 'decimal.encoding': 'string' };
    await sim.control.PATCH('/accounts/{account}/settings', { ...params, body: { profile } });
    expect(await amount()).toBe('300.00');
    const path = { account, deposit: 1 };
    const moved = await sim.control.POST('/accounts/{account}/deposits/{deposit}/authorize', { params: { path } });
    expect(dataOf(moved)).toMatchObject({ deposit: { amount: '300.00', status: 'authorized' } });
  });
});

describe('an account is deleted', () => {
  test('with its id, tokens and records, but not those of others', async () => {
    const { tokens } = dataOf(await sim.control.POST('/accounts', { body: { id: 'short-lived', seed: 'demo' } }));
    const params = { params: { path: { account: 'short-lived' } } };
    expect(dataOf(await sim.control.DELETE('/accounts/{account}', params))).toMatchObject({
      id: 'short-lived',
      mode: 'real',
    });
    expect((await sim.callService(tokens.full, 'GET', '/deposits')).status).toBe(401);
    expect((await sim.callControl('GET', '/accounts/short-lived/settings')).status).toBe(404);
    expect((await sim.callControl('DELETE', '/accounts/short-lived')).status).toBe(404);
    expect((await sim.callService('demo_full', 'GET', '/deposits')).status).toBe(200);

    const again = dataOf(await sim.control.POST('/accounts', { body: { id: 'short-lived' } }));
    expect(again.tokens.full).not.toBe(tokens.full);
    expect(await total(again.tokens.full, 'deposits')).toBe(0);
    expect((await sim.callService(tokens.full, 'GET', '/deposits')).status).toBe(401);
  });

  test('during an advance, which reports it', async () => {
    const { url: webhook_url } = await openReceiver(() => undefined);
    const body = { id: 'deleted-meanwhile', webhook_url, now: '2026-03-01T09:00:00Z' };
    await sim.control.POST('/accounts', { body });
    await sim.callControl('POST', '/accounts/deleted-meanwhile/trigger', { event: 'deposit.authorized' });
    const advance = sim.callControl('POST', '/accounts/deleted-meanwhile/clock/advance', { by: '8d' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await sim.callControl('DELETE', '/accounts/deleted-meanwhile')).status).toBe(200);
    const error = 'The account was reset, restored or removed meanwhile';
    expect(await advance).toMatchObject({ status: 409, body: { success: false, error } });
  });
});

test('an account is reset to its seed and clock, with its tokens, settings and snapshots', async () => {
  const { id: account, tokens } = dataOf(
    await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z' } }),
  );
  const params = { params: { path: { account } } };
  const at = `/accounts/${account}`;
  const { body: first } = await sim.callService(tokens.full, 'GET', '/deposits');
  const token = dataOf(
    await sim.control.POST('/accounts/{account}/tokens', {
      ...params,
      body: { name: 'new', scopes: ['billing.read'] },
    }),
  );
  await sim.callControl('PATCH', `${at}/settings`, { webhook_secret: 'changed', rate_limit: false });
  await sim.callControl('POST', `${at}/snapshots`, { name: 'kept' });
  await sim.callControl('POST', `${at}/trigger`, { event: 'deposit.created' });
  await sim.callControl('POST', `${at}/scenarios/no-show/run`, { deposit: 1 });
  await sim.callControl('PUT', `${at}/scenarios/mine`, {
    description: 'a',
    for: 'deposit',
    steps: [{ do: 'authorize' }],
  });
  await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
  await sim.callControl('POST', `${at}/clock/advance`, { by: '20d' });

  expect(dataOf(await sim.control.POST('/accounts/{account}/reset', params))).toEqual({
    id: account,
    created_at: '2026-03-01T09:00:00.000Z',
    now: '2026-03-01T09:00:00.000Z',
    mode: 'frozen',
  });
  expect((await sim.callService(tokens.full, 'GET', '/deposits')).body).toEqual(first);
  expect((await sim.callService(token.token, 'GET', '/deposits')).status).toBe(200);
  expect((await sim.callControl('GET', `${at}/settings`)).body).toMatchObject({
    webhook_secret: 'changed',
    rate_limit: false,
  });
  expect((await sim.callControl('GET', `${at}/snapshots`)).body).toMatchObject({ data: [{ name: 'kept' }] });
  expect((await sim.callControl('GET', `${at}/deliveries`)).body).toEqual(pageOf([]));
  expect((await sim.callControl('GET', `${at}/mails`)).body).toEqual(pageOf([]));
  expect((await sim.callControl('GET', `${at}/runs`)).body).toEqual(pageOf([]));
});

test('demo, too, is reset', async () => {
  const own = await startControlServerForTest();
  await own.callControl('POST', '/accounts/demo/clock/advance', { by: '8d' });
  expect(
    dataOf(await own.control.POST('/accounts/{account}/reset', { params: { path: { account: 'demo' } } })),
  ).toMatchObject({
    now: '2026-03-01T09:00:00.000Z',
  });
  expect((await own.callService('demo_full', 'GET', '/deposits/2')).body).toMatchObject({
    data: { status: 'authorized' },
  });
});
