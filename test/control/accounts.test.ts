import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demo } from '../../src/generated/seed-demo.js';
import { demoCounts } from '../support/counts.js';
import { openReceiver } from '../webhooks/receiver.js';
import {
  type ControlServer,
  expectedPage,
  requireData,
  startControlServer,
  startControlServerForTest,
} from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Returns the total of a list of the service, such as `deposits`. */
async function countRecords(token: string, list: string): Promise<unknown> {
  const { body } = await sim.callService(token, 'GET', `/${list}`);
  return Object(body).data.total;
}

describe('an account can be created', () => {
  test('empty, with the next free id and working tokens', async () => {
    const separateSim = await startControlServerForTest();
    const first = requireData(await separateSim.control.POST('/accounts', { body: {} }));
    const second = requireData(await separateSim.control.POST('/accounts', {}));
    expect([first.id, second.id]).toEqual(['account-1', 'account-2']);
    expect(first).toEqual({
      id: 'account-1',
      base_url: `${separateSim.url}/api/v1`,
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
    expect((await separateSim.callService(first.tokens.read, 'POST', '/deposits', {})).status).toBe(403);
  });

  test('with the data of `demo`, but not with its tokens', async () => {
    const { tokens } = requireData(await sim.control.POST('/accounts', { body: { id: 'like-demo', seed: 'demo' } }));
    expect(tokens.full).not.toBe('demo_full');
    expect(await countRecords(tokens.full, 'invoices')).toBe(demoCounts.invoices);
    expect(await countRecords(tokens.full, 'deposits')).toBe(demoCounts.deposits);
    expect(await countRecords('demo_full', 'deposits')).toBe(demoCounts.deposits);
  });

  test('from a seed in the request, with new tokens instead of the fixed ones of the seed', async () => {
    const body = { id: 'custom-seed', seed: { ...demo, invoices: [], payments: [] } };
    const { tokens } = requireData(await sim.control.POST('/accounts', { body }));
    expect(await countRecords(tokens.full, 'invoices')).toBe(0);
    expect(await countRecords(tokens.full, 'payment-links')).toBe(demoCounts.payment_links);
    expect(await countRecords('demo_full', 'invoices')).toBe(demoCounts.invoices);
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
    const { id: account } = requireData(await sim.control.POST('/accounts', { body: { seed } }));
    const path = '/accounts/{account}/customers';
    const listed = requireData(await sim.control.GET(path, { params: { path: { account }, query: { per_page: 2 } } }));
    expect(listed).toMatchObject({ total: 3_000, last_page: 1_500, data: [{ id: 3_000 }, { id: 2_999 }] });
  });

  test('with all options', async () => {
    const body = {
      id: 'all-options',
      profile: { 'list.order': 'oldest-first', 'deposit.id': 'prefixed' },
      now: '2026-05-01T10:00:00+02:00',
      random_seed: '42',
      rate_limit: false,
      webhook_url: 'http://receiver.example/webhooks',
      webhook_secret: 'shhh',
    };
    const created = requireData(await sim.control.POST('/accounts', { body }));
    expect(created.webhook_secret).toBe('shhh');
    const params = { params: { path: { account: 'all-options' } } };
    expect(requireData(await sim.control.GET('/accounts/{account}/settings', params))).toEqual({
      webhook_url: 'http://receiver.example/webhooks',
      webhook_secret: 'shhh',
      rate_limit: false,
      profile: { 'list.order': 'oldest-first', 'deposit.id': 'prefixed' },
    });
    expect(requireData(await sim.control.GET('/accounts/{account}/clock', params))).toEqual({
      now: '2026-05-01T08:00:00.000Z',
      mode: 'frozen',
    });
    // The same random seed gives the same tokens and ids.
    const otherSim = await startControlServerForTest();
    expect(requireData(await otherSim.control.POST('/accounts', { body })).tokens).toEqual(created.tokens);
    const deposit = { booking_reference: 'BK-1', amount: 10 };
    const firstDeposit = await sim.callService(created.tokens.full, 'POST', '/deposits', deposit);
    expect(firstDeposit.body).toMatchObject({ data: { id: expect.stringMatching(/^dep_/) } });
    expect((await otherSim.callService(created.tokens.full, 'POST', '/deposits', deposit)).body).toMatchObject({
      data: { id: Object(firstDeposit.body).data.id },
    });
  });

  test('with default settings, whatever options the simulator was started with', async () => {
    const separateSim = await startControlServerForTest({
      choices: { 'list.order': 'oldest-first' },
      webhookUrl: 'http://receiver.example/',
      webhookSecret: 'for-demo',
      randomSeed: 'for-demo',
    });
    const startedAt = Date.now();
    const { id: account, webhook_secret } = requireData(await separateSim.control.POST('/accounts', {}));
    const params = { params: { path: { account } } };
    expect(webhook_secret).not.toBe('for-demo');
    expect(requireData(await separateSim.control.GET('/accounts/{account}/settings', params))).toEqual({
      webhook_url: null,
      webhook_secret,
      rate_limit: true,
      profile: {},
    });
    const clock = requireData(await separateSim.control.GET('/accounts/{account}/clock', params));
    expect(clock.mode).toBe('real');
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(startedAt);
  });
});

test('accounts are listed with the time and mode of their clocks', async () => {
  const separateSim = await startControlServerForTest();
  await separateSim.control.POST('/accounts', { body: { id: 'hotel', now: '2026-05-01T08:00:00Z' } });
  expect(requireData(await separateSim.control.GET('/accounts', {}))).toEqual(
    expectedPage([
      { id: 'demo', created_at: '2026-03-01T09:00:00.000Z', now: '2026-03-01T09:00:00.000Z', mode: 'frozen' },
      { id: 'hotel', created_at: '2026-05-01T08:00:00.000Z', now: '2026-05-01T08:00:00.000Z', mode: 'frozen' },
    ]),
  );
});

test.each<[change: string, requests: [method: string, path: string, body?: object][]]>([
  ['reset', [['POST', 'reset']]],
  [
    'restored',
    [
      ['POST', 'snapshots', { name: 'saved' }],
      ['POST', 'snapshots/saved/restore'],
    ],
  ],
  ['given another profile', [['PATCH', 'settings', { profile: { 'list.order': 'oldest-first' } }]]],
])('an account that is %s keeps its place in the list of accounts', async (_change, requests) => {
  const separateSim = await startControlServerForTest();
  await separateSim.control.POST('/accounts', { body: { id: 'hotel' } });
  for (const [method, path, body] of requests)
    expect((await separateSim.callControl(method, `/accounts/demo/${path}`, body)).status).toBeLessThan(300);
  const { data } = requireData(await separateSim.control.GET('/accounts', {}));
  expect(data.map(({ id }) => id)).toEqual(['demo', 'hotel']);
});

describe('settings', () => {
  test('can be changed one at a time', async () => {
    const { id: account } = requireData(await sim.control.POST('/accounts', { body: { webhook_secret: 'first' } }));
    const change = async (body: object) =>
      requireData(await sim.control.PATCH('/accounts/{account}/settings', { params: { path: { account } }, body }));
    const initial = { webhook_url: null, webhook_secret: 'first', rate_limit: true, profile: {} };
    expect(await change({})).toEqual(initial);
    expect(await change({ rate_limit: false })).toEqual({ ...initial, rate_limit: false });
    const url = 'http://receiver.example/webhooks';
    expect(await change({ webhook_url: url })).toEqual({ ...initial, rate_limit: false, webhook_url: url });
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

  test('can turn the rate limit on, and requests before the change do not count', async () => {
    const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body: { rate_limit: false } }));
    const statuses: number[] = [];
    // With a rate limit, at most 100 requests a minute would succeed.
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

  test('take effect immediately, and the tokens and records of the account stay the same', async () => {
    const { id: account, tokens } = requireData(
      await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z' } }),
    );
    const params = { params: { path: { account } } };
    const readAmount = async () => {
      const { body } = await sim.callService(tokens.full, 'GET', '/deposits/1');
      return Object(body).data.amount;
    };
    expect(await readAmount()).toBe(300);
    const profile = { 'decimal.encoding': 'string' };
    await sim.control.PATCH('/accounts/{account}/settings', { ...params, body: { profile } });
    expect(await readAmount()).toBe('300.00');
    const path = { account, deposit: 1 };
    const authorized = await sim.control.POST('/accounts/{account}/deposits/{deposit}/authorize', { params: { path } });
    expect(requireData(authorized)).toMatchObject({ deposit: { amount: '300.00', status: 'authorized' } });
  });
});

describe('an account can be deleted', () => {
  test('with its tokens and records, and its id can be used again', async () => {
    const { tokens } = requireData(await sim.control.POST('/accounts', { body: { id: 'short-lived', seed: 'demo' } }));
    const params = { params: { path: { account: 'short-lived' } } };
    expect(requireData(await sim.control.DELETE('/accounts/{account}', params))).toMatchObject({
      id: 'short-lived',
      mode: 'real',
    });
    expect((await sim.callService(tokens.full, 'GET', '/deposits')).status).toBe(401);
    expect((await sim.callControl('GET', '/accounts/short-lived/settings')).status).toBe(404);
    expect((await sim.callControl('DELETE', '/accounts/short-lived')).status).toBe(404);
    expect((await sim.callService('demo_full', 'GET', '/deposits')).status).toBe(200);

    const recreated = requireData(await sim.control.POST('/accounts', { body: { id: 'short-lived' } }));
    expect(recreated.tokens.full).not.toBe(tokens.full);
    expect(await countRecords(recreated.tokens.full, 'deposits')).toBe(0);
    expect((await sim.callService(tokens.full, 'GET', '/deposits')).status).toBe(401);
  });

  test('during an advance of its clock, which then fails with 409', async () => {
    // The receiver never responds to the webhook about the expiry, so the advance, which sends it, waits.
    const receiver = await openReceiver((request, response) => {
      if (request.headers['x-service-event'] !== 'deposit.expired') response.writeHead(204).end();
    });
    const body = { id: 'deleted-early', webhook_url: receiver.url, now: '2026-03-01T09:00:00Z' };
    await sim.control.POST('/accounts', { body });
    await sim.callControl('POST', '/accounts/deleted-early/trigger', { event: 'deposit.authorized' });
    const advance = sim.callControl('POST', '/accounts/deleted-early/clock/advance', { by: '8d' });
    await expect.poll(() => receiver.received.at(-1)?.headers['x-service-event']).toBe('deposit.expired');
    expect((await sim.callControl('DELETE', '/accounts/deleted-early')).status).toBe(200);
    const error = 'The account was reset, restored, removed or given another profile during the request';
    expect(await advance).toMatchObject({ status: 409, body: { success: false, error } });
  });
});

test('a reset restores the seed and the clock of an account, and keeps its tokens, settings and snapshots', async () => {
  const { id: account, tokens } = requireData(
    await sim.control.POST('/accounts', { body: { seed: 'demo', now: '2026-03-01T09:00:00Z' } }),
  );
  const params = { params: { path: { account } } };
  const accountPath = `/accounts/${account}`;
  const { body: depositsBefore } = await sim.callService(tokens.full, 'GET', '/deposits');
  const createdToken = requireData(
    await sim.control.POST('/accounts/{account}/tokens', {
      ...params,
      body: { name: 'new', scopes: ['billing.read'] },
    }),
  );
  await sim.callControl('PATCH', `${accountPath}/settings`, { webhook_secret: 'changed', rate_limit: false });
  await sim.callControl('POST', `${accountPath}/snapshots`, { name: 'kept' });
  await sim.callControl('POST', `${accountPath}/trigger`, { event: 'deposit.created' });
  await sim.callControl('POST', `${accountPath}/scenarios/no-show/run`, { deposit: 1 });
  await sim.callControl('PUT', `${accountPath}/scenarios/mine`, {
    description: 'a',
    for: 'deposit',
    steps: [{ do: 'authorize' }],
  });
  await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
  await sim.callControl('POST', `${accountPath}/clock/advance`, { by: '20d' });

  expect(requireData(await sim.control.POST('/accounts/{account}/reset', params))).toEqual({
    id: account,
    created_at: '2026-03-01T09:00:00.000Z',
    now: '2026-03-01T09:00:00.000Z',
    mode: 'frozen',
  });
  expect((await sim.callService(tokens.full, 'GET', '/deposits')).body).toEqual(depositsBefore);
  expect((await sim.callService(createdToken.token, 'GET', '/deposits')).status).toBe(200);
  expect((await sim.callControl('GET', `${accountPath}/settings`)).body).toMatchObject({
    webhook_secret: 'changed',
    rate_limit: false,
  });
  expect((await sim.callControl('GET', `${accountPath}/snapshots`)).body).toMatchObject({ data: [{ name: 'kept' }] });
  expect((await sim.callControl('GET', `${accountPath}/deliveries`)).body).toEqual(expectedPage([]));
  expect((await sim.callControl('GET', `${accountPath}/mails`)).body).toEqual(expectedPage([]));
  expect((await sim.callControl('GET', `${accountPath}/runs`)).body).toEqual(expectedPage([]));
  expect((await sim.callControl('GET', `${accountPath}/scenarios/mine`)).status).toBe(404);
});

test('a reset of `demo` restores its seed and clock', async () => {
  const separateSim = await startControlServerForTest();
  await separateSim.callControl('POST', '/accounts/demo/clock/advance', { by: '8d' });
  expect(
    requireData(await separateSim.control.POST('/accounts/{account}/reset', { params: { path: { account: 'demo' } } })),
  ).toMatchObject({
    now: '2026-03-01T09:00:00.000Z',
  });
  expect((await separateSim.callService('demo_full', 'GET', '/deposits/2')).body).toMatchObject({
    data: { status: 'authorized' },
  });
});
