import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, dataOf, pageOf, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

async function openAccount(own: { webhook_url?: string } = {}) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', ...own };
  const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body }));
  const ask = async (method: string, path: string, content?: unknown) =>
    (await sim.ask(method, `/accounts/${account}${path}`, content)).body;
  const service = async (path: string) => (await sim.service(tokens.full, 'GET', path)).body;
  return {
    account,
    tokens,
    ask,
    /** Everything that a snapshot is to bring back. */
    look: async () => ({
      clock: await ask('GET', '/clock'),
      agenda: await ask('GET', '/agenda'),
      deliveries: await ask('GET', '/deliveries'),
      mails: await ask('GET', '/mails'),
      scenarios: await ask('GET', '/scenarios'),
      faults: await ask('GET', '/faults'),
      customers: await ask('GET', '/customers'),
      invoices: await service('/invoices?per_page=100'),
      links: await service('/payment-links?per_page=100'),
      payments: await service('/payments?per_page=100'),
      deposits: await service('/deposits?per_page=100'),
      statistics: await service('/invoices/stats'),
    }),
  };
}

describe('a snapshot', () => {
  test('is saved, listed, saved again and removed', async () => {
    const { account, ask } = await openAccount();
    const params = { params: { path: { account } } };
    const save = async (name: string) =>
      dataOf(await sim.control.POST('/accounts/{account}/snapshots', { ...params, body: { name } }));
    expect(await ask('GET', '/snapshots')).toEqual(pageOf([]));
    const first = await save('first');
    expect(first).toEqual({ name: 'first', created_at: '2026-03-01T09:00:00.000Z' });
    await ask('POST', '/clock/advance', { by: '1h' });
    const second = await save('second');
    const again = await save('first');
    expect(again).toEqual({ name: 'first', created_at: '2026-03-01T10:00:00.000Z' });
    expect(await ask('GET', '/snapshots')).toMatchObject({ total: 2, data: expect.arrayContaining([again, second]) });
    expect(await ask('DELETE', '/snapshots/first')).toEqual(again);
    expect(await ask('GET', '/snapshots')).toEqual(pageOf([second]));
    expect(await ask('POST', '/snapshots/first/restore')).toMatchObject({ error: 'Snapshot not found' });
  });

  test('brings back records, clock, agenda, deliveries, mails and runs', async () => {
    const { tokens, ask, look } = await openAccount();
    await ask('POST', '/trigger', { event: 'deposit.authorized' });
    await ask('POST', '/scenarios/no-show/run', { deposit: 1 });
    await sim.service(tokens.full, 'POST', '/invoices/3/reminder');
    await ask('POST', '/clock/advance', { by: '3m' });
    await ask('POST', '/faults', { effect: 'latency=1ms', match: { every: 2 } });
    await ask('POST', '/snapshots', { name: 'then' });
    const then = await look();

    await ask('POST', '/clock/advance', { by: '30d' });
    await ask('POST', '/customers', { name: 'New', email: 'new@guest.example' });
    await ask('POST', '/payment-links/1/pay');
    await ask('PUT', '/scenarios/mine', { description: 'a', for: 'deposit', steps: [{ do: 'authorize' }] });
    await sim.service(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-NEW', amount: 10 });
    await sim.service(tokens.full, 'POST', '/invoices/7/reminder');
    expect(await look()).not.toEqual(then);

    expect(await ask('POST', '/snapshots/then/restore')).toMatchObject({
      now: '2026-03-01T09:03:00.000Z',
      mode: 'frozen',
    });
    expect(await look()).toEqual(then);
    // And again, after the same changes have been made from there.
    await ask('POST', '/clock/advance', { by: '30d' });
    await ask('POST', '/snapshots/then/restore');
    expect(await look()).toEqual(then);
  });

  test('leaves the same future before it', async () => {
    const { ask, look } = await openAccount();
    await ask('POST', '/scenarios/no-show/run', { deposit: 1 });
    await ask('POST', '/snapshots', { name: 'then' });
    const receipt = await ask('POST', '/clock/advance', { by: '10d' });
    const after = await look();
    await ask('POST', '/snapshots/then/restore');
    expect(await ask('POST', '/clock/advance', { by: '10d' })).toEqual(receipt);
    expect(await look()).toEqual(after);
  });

  test('leaves tokens, webhook URL and secret, rate limit and snapshots as they are now', async () => {
    const { ask, tokens } = await openAccount();
    await ask('POST', '/snapshots', { name: 'then' });
    const created = await ask('POST', '/tokens', { name: 'later', scopes: ['billing.read'] });
    await ask('DELETE', '/tokens/2');
    const settings = { webhook_url: 'http://receiver.example/', webhook_secret: 'later', rate_limit: false };
    await ask('PATCH', '/settings', settings);
    await ask('POST', '/snapshots', { name: 'later' });
    await ask('POST', '/snapshots/then/restore');
    expect(await ask('GET', '/settings')).toMatchObject(settings);
    expect((await sim.service(Reflect.get(Object(created), 'token'), 'GET', '/deposits')).status).toBe(200);
    expect((await sim.service(tokens.read, 'GET', '/deposits')).status).toBe(401);
    expect(await ask('GET', '/snapshots')).toMatchObject({ data: [{ name: 'then' }, { name: 'later' }] });
    expect(await ask('POST', '/snapshots/later/restore')).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
  });

  test('brings back the profile', async () => {
    const { ask } = await openAccount();
    await ask('POST', '/snapshots', { name: 'then' });
    await ask('PATCH', '/settings', { profile: { 'decimal.encoding': 'string' } });
    await ask('POST', '/snapshots/then/restore');
    expect(await ask('GET', '/settings')).toMatchObject({ profile: {} });
  });

  test('of what was to be sent has it sent again', async () => {
    const receiver = await openReceiver((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 503 : 200).end();
    });
    const { ask } = await openAccount({ webhook_url: receiver.url });
    await ask('POST', '/trigger', { event: 'deposit.created' });
    await ask('POST', '/clock/advance', { by: '0s' });
    await ask('POST', '/snapshots', { name: 'before-retry' });
    await ask('POST', '/clock/advance', { by: '5s' });
    expect(receiver.received).toHaveLength(2);
    await ask('POST', '/snapshots/before-retry/restore');
    expect(await ask('GET', '/deliveries')).toMatchObject({ data: [{ status: 'retrying', attempts: 1 }] });
    await ask('POST', '/clock/advance', { by: '5s' });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });

  test('of one account is none of another', async () => {
    const { ask } = await openAccount();
    const other = await openAccount();
    await ask('POST', '/snapshots', { name: 'mine' });
    expect(await other.ask('POST', '/snapshots/mine/restore')).toMatchObject({ error: 'Snapshot not found' });
  });

  test('of a clock that runs continues from where it was', async () => {
    const { ask } = await openAccount();
    await ask('PATCH', '/clock', { mode: 'real' });
    await ask('POST', '/snapshots', { name: 'running' });
    await ask('POST', '/clock/advance', { by: '8d' });
    expect(await ask('POST', '/snapshots/running/restore')).toMatchObject({
      now: expect.stringMatching(/^2026-03-01T09:0/),
      mode: 'real',
    });
  });
});
