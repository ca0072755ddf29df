import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver } from '../webhooks/receiver.js';
import { readAccountState } from './account-state.js';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account, and returns functions that call the control API and read the state of the account. */
async function openAccount(options: { webhook_url?: string } = {}) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', ...options };
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  /**
   * Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`.
   * @returns the body of the response
   */
  const callControl = async (method: string, path: string, content?: unknown) =>
    (await sim.callControl(method, `/accounts/${account}${path}`, content)).body;
  return { account, tokens, callControl, readState: () => readAccountState(sim, account, tokens.full) };
}

describe('a snapshot', () => {
  test('can be saved, listed, replaced and removed', async () => {
    const { account, callControl } = await openAccount();
    const params = { params: { path: { account } } };
    const save = async (name: string) =>
      requireData(await sim.control.POST('/accounts/{account}/snapshots', { ...params, body: { name } }));
    expect(await callControl('GET', '/snapshots')).toEqual(expectedPage([]));
    const first = await save('first');
    expect(first).toEqual({ name: 'first', created_at: '2026-03-01T09:00:00.000Z' });
    await callControl('POST', '/clock/advance', { by: '1h' });
    const second = await save('second');
    const replaced = await save('first');
    expect(replaced).toEqual({ name: 'first', created_at: '2026-03-01T10:00:00.000Z' });
    expect(await callControl('GET', '/snapshots')).toMatchObject({
      total: 2,
      data: expect.arrayContaining([replaced, second]),
    });
    expect(await callControl('DELETE', '/snapshots/first')).toEqual(replaced);
    expect(await callControl('GET', '/snapshots')).toEqual(expectedPage([second]));
    expect(await callControl('POST', '/snapshots/first/restore')).toMatchObject({ error: 'Snapshot not found' });
  });

  test('restores records, clock, agenda, deliveries, emails, scenarios and faults', async () => {
    const { tokens, callControl, readState } = await openAccount();
    await callControl('POST', '/trigger', { event: 'deposit.authorized' });
    await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
    await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
    await callControl('POST', '/clock/advance', { by: '3m' });
    await callControl('POST', '/faults', { effect: 'latency=1ms', match: { every: 2 } });
    await callControl('POST', '/snapshots', { name: 'saved' });
    const savedState = await readState();

    await callControl('POST', '/clock/advance', { by: '30d' });
    await callControl('POST', '/customers', { name: 'New', email: 'new@guest.example' });
    await callControl('POST', '/payment-links/1/pay');
    await callControl('PUT', '/scenarios/mine', { description: 'a', for: 'deposit', steps: [{ do: 'authorize' }] });
    await sim.callService(tokens.full, 'POST', '/deposits', { booking_reference: 'BK-NEW', amount: 10 });
    await sim.callService(tokens.full, 'POST', '/invoices/7/reminder');
    expect(await readState()).not.toEqual(savedState);

    expect(await callControl('POST', '/snapshots/saved/restore')).toMatchObject({
      now: '2026-03-01T09:03:00.000Z',
      mode: 'frozen',
    });
    expect(await readState()).toEqual(savedState);
    // A snapshot can be restored more than once.
    await callControl('POST', '/clock/advance', { by: '30d' });
    await callControl('POST', '/snapshots/saved/restore');
    expect(await readState()).toEqual(savedState);
  });

  test('restores the agenda, so that an advance has the same results', async () => {
    const { callControl, readState } = await openAccount();
    await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
    await callControl('POST', '/snapshots', { name: 'saved' });
    const report = await callControl('POST', '/clock/advance', { by: '10d' });
    const stateAfter = await readState();
    await callControl('POST', '/snapshots/saved/restore');
    expect(await callControl('POST', '/clock/advance', { by: '10d' })).toEqual(report);
    expect(await readState()).toEqual(stateAfter);
  });

  test('does not change the tokens, webhook URL and secret, rate limit or snapshots of the account', async () => {
    const { callControl, tokens } = await openAccount();
    await callControl('POST', '/snapshots', { name: 'saved' });
    const { token } = Object(await callControl('POST', '/tokens', { name: 'later', scopes: ['billing.read'] }));
    // Revokes the `read` token.
    await callControl('DELETE', '/tokens/2');
    const settings = { webhook_url: 'http://receiver.example/', webhook_secret: 'later', rate_limit: false };
    await callControl('PATCH', '/settings', settings);
    await callControl('POST', '/snapshots', { name: 'later' });
    await callControl('POST', '/snapshots/saved/restore');
    expect(await callControl('GET', '/settings')).toMatchObject(settings);
    expect((await sim.callService(token, 'GET', '/deposits')).status).toBe(200);
    expect((await sim.callService(tokens.read, 'GET', '/deposits')).status).toBe(401);
    expect(await callControl('GET', '/snapshots')).toMatchObject({ data: [{ name: 'saved' }, { name: 'later' }] });
    expect(await callControl('POST', '/snapshots/later/restore')).toMatchObject({ now: '2026-03-01T09:00:00.000Z' });
  });

  test('restores the profile', async () => {
    const { callControl } = await openAccount();
    await callControl('POST', '/snapshots', { name: 'saved' });
    const changed = await callControl('PATCH', '/settings', { profile: { 'decimal.encoding': 'string' } });
    expect(changed).toHaveProperty('profile', { 'decimal.encoding': 'string' });
    await callControl('POST', '/snapshots/saved/restore');
    expect(await callControl('GET', '/settings')).toHaveProperty('profile', {});
  });

  test('restores a retry that was pending, so that it is sent once more', async () => {
    const receiver = await openReceiver((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 503 : 200).end();
    });
    const { callControl } = await openAccount({ webhook_url: receiver.url });
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    // Waits for the first attempt, without moving the clock.
    await callControl('POST', '/clock/advance', { by: '0s' });
    await callControl('POST', '/snapshots', { name: 'before-retry' });
    await callControl('POST', '/clock/advance', { by: '5s' });
    expect(receiver.received).toHaveLength(2);
    await callControl('POST', '/snapshots/before-retry/restore');
    expect(await callControl('GET', '/deliveries')).toMatchObject({ data: [{ status: 'retrying', attempts: 1 }] });
    await callControl('POST', '/clock/advance', { by: '5s' });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });

  test('cannot be restored in another account', async () => {
    const { callControl } = await openAccount();
    const other = await openAccount();
    await callControl('POST', '/snapshots', { name: 'mine' });
    expect(await other.callControl('POST', '/snapshots/mine/restore')).toMatchObject({ error: 'Snapshot not found' });
  });

  test('restores the time of a running clock, which runs on from there', async () => {
    const { callControl } = await openAccount();
    await callControl('PATCH', '/clock', { mode: 'real' });
    await callControl('POST', '/snapshots', { name: 'running' });
    await callControl('POST', '/clock/advance', { by: '8d' });
    expect(await callControl('POST', '/snapshots/running/restore')).toMatchObject({
      now: expect.stringMatching(/^2026-03-01T09:0/),
      mode: 'real',
    });
  });
});
