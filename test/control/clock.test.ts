import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { components } from '../../src/generated/control-types.js';
import { Schedule } from '../../src/simulation/agenda/schedule.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, dataOf, pageOf, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account, and returns shortcuts for its clock. */
async function openAccount(body: components['schemas']['NewAccount'] = { now: '2026-03-01T09:00:00Z' }) {
  const { id: account, tokens } = dataOf(await sim.control.POST('/accounts', { body }));
  const params = { params: { path: { account } } };
  return {
    account,
    tokens,
    clock: async () => dataOf(await sim.control.GET('/accounts/{account}/clock', params)),
    set: async (change: components['schemas']['ClockChange']) =>
      dataOf(await sim.control.PATCH('/accounts/{account}/clock', { ...params, body: change })),
    advance: async (goal: components['schemas']['Advance']) =>
      dataOf(await sim.control.POST('/accounts/{account}/clock/advance', { ...params, body: goal })),
    agenda: async (query: { per_page?: number; kind?: 'deposit-expires' } = {}) => {
      return dataOf(await sim.control.GET('/accounts/{account}/agenda', { params: { path: { account }, query } }));
    },
    callControl: (method: string, path: string, content?: unknown) =>
      sim.callControl(method, `/accounts/${account}${path}`, content),
  };
}

describe('a clock is set', () => {
  test('to frozen, and back to running', async () => {
    const { clock, set } = await openAccount({});
    expect(await clock()).toMatchObject({ mode: 'real' });
    const startedAt = performance.now();
    const frozen = await set({ mode: 'frozen' });
    await sleep(30);
    expect(await clock()).toEqual(frozen);
    expect(await set({ mode: 'frozen' })).toEqual(frozen);
    await set({ mode: 'real' });
    await sleep(30);
    const later = await clock();
    expect(later.mode).toBe('real');
    const passed = Date.parse(later.now) - Date.parse(frozen.now);
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThanOrEqual(performance.now() - startedAt);
  });

  test('to a future time, keeping or changing its mode', async () => {
    const { clock, set } = await openAccount();
    expect(await set({ now: '2026-03-09T10:00:00+01:00' })).toEqual({
      now: '2026-03-09T09:00:00.000Z',
      mode: 'frozen',
    });
    expect(await set({ now: '2026-03-10T09:00:00Z', mode: 'real' })).toMatchObject({ mode: 'real' });
    expect((await clock()).now).toMatch(/^2026-03-10T09:0/);
    const target = '2026-04-01T00:00:00.000Z';
    expect(await set({ now: target, mode: 'frozen' })).toEqual({ now: target, mode: 'frozen' });
    // Setting it to the time that it shows is allowed.
    expect(await set({ now: target })).toEqual({ now: target, mode: 'frozen' });
    expect(await set({})).toEqual({ now: target, mode: 'frozen' });
  });

  test('and runs what falls due in between', async () => {
    const { set, callControl } = await openAccount();
    await callControl('POST', '/trigger', { event: 'deposit.authorized' });
    await set({ now: '2026-03-08T09:00:00Z' });
    const { body } = await callControl('GET', '/deliveries');
    expect(body).toMatchObject({
      data: [{ event: 'deposit.expired', created_at: '2026-03-08T09:00:00.000Z' }, {}, {}],
    });
  });
});

describe('a clock is advanced', () => {
  test.each(['8d', 'P8D', '7d 23h 60m', '691200s'])('by %s, and the receipt lists what happened', async (by) => {
    const { advance, callControl } = await openAccount();
    await callControl('POST', '/trigger', { event: 'deposit.authorized' });
    const at = '2026-03-08T09:00:00.000Z';
    const subject = { resource: 'deposit', id: 1 };
    expect(await advance({ by })).toEqual({
      from: '2026-03-01T09:00:00.000Z',
      to: '2026-03-09T09:00:00.000Z',
      steps: [
        { at, kind: 'transition', subject, cause: 'expire', from: 'authorized', to: 'expired' },
        { at, kind: 'event', id: expect.stringMatching(/^evt_/), event: 'deposit.expired', subject, sent: false },
      ],
      unsettled: [],
    });
  });

  test('to a time', async () => {
    const { advance, clock } = await openAccount();
    const to = '2026-03-09T09:00:00.000Z';
    expect(await advance({ to })).toEqual({ from: '2026-03-01T09:00:00.000Z', to, steps: [], unsettled: [] });
    expect(await clock()).toEqual({ now: to, mode: 'frozen' });
    expect(await advance({ by: '0s' })).toEqual({ from: to, to, steps: [], unsettled: [] });
  });

  test('twice at once, one after the other', async () => {
    const { advance, clock } = await openAccount();
    const receipts = await Promise.all([advance({ by: '1d' }), advance({ by: '1d' }), advance({ by: '1d' })]);
    expect(receipts.map(({ from, to }) => `${from.slice(8, 10)} to ${to.slice(8, 10)}`).sort()).toEqual([
      '01 to 02',
      '02 to 03',
      '03 to 04',
    ]);
    expect(await clock()).toMatchObject({ now: '2026-03-04T09:00:00.000Z' });
  });

  test('while it is running', async () => {
    const { advance, clock } = await openAccount({});
    const { from, to } = await advance({ by: '8d' });
    expect(Date.parse(to) - Date.parse(from)).toBe(8 * 86_400_000);
    expect(await clock()).toMatchObject({ mode: 'real' });
  });

  test('with attempts, retries, mails and runs in the receipt', async () => {
    let answers = 0;
    const receiver = await openReceiver((_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 200).end();
    });
    const { tokens, advance, callControl } = await openAccount({
      seed: 'demo',
      now: '2026-03-01T09:00:00Z',
      webhook_url: receiver.url,
    });
    await callControl('POST', '/scenarios/authorize-then-expire/run', { deposit: 1 });
    await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
    const receipt = await advance({ by: '3m' });
    const summary = receipt.steps.map((step) => `${step.at.slice(11, 19)} ${step.kind}`);
    expect(summary).toEqual([
      '09:02:00 transition',
      '09:02:00 event',
      '09:02:00 scenario',
      '09:02:00 attempt',
      '09:02:05 attempt',
    ]);
    expect(receipt.steps.slice(3)).toMatchObject([
      { status: 503, number: 1, next_attempt_at: '2026-03-01T09:02:05.000Z' },
      { status: 200, number: 2, next_attempt_at: null },
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  test('without waiting for receivers beyond the timeout', async () => {
    const { url: webhook_url } = await openReceiver(() => undefined);
    const { advance, agenda, callControl } = await openAccount({ now: '2026-03-01T09:00:00Z', webhook_url });
    const { body } = await callControl('POST', '/trigger', { event: 'deposit.created' });
    const advanced = vi.spyOn(Schedule.prototype, 'advance');
    onTestFinished(() => advanced.mockRestore());
    const receipt = await advance({ by: '1d', timeout: '100ms' });
    expect(advanced).toHaveBeenCalledWith(expect.objectContaining({ timeoutMs: 100 }));
    expect(receipt).toMatchObject({
      to: '2026-03-02T09:00:00.000Z',
      unsettled: Reflect.get(Object(body), 'deliveries'),
    });
    expect((await agenda()).under_way).toEqual(receipt.unsettled);
  });
});

describe('the agenda', () => {
  test('lists what falls due, soonest first', async () => {
    const { agenda, callControl } = await openAccount({ seed: 'demo', now: '2026-03-01T09:00:00Z' });
    await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
    const all = await agenda();
    expect(all).toMatchObject({ now: '2026-03-01T09:00:00.000Z', under_way: [] });
    expect(all.data[0]).toEqual({ at: '2026-03-01T09:02:00.000Z', kind: 'scenario-step', id: 1 });
    expect(all.data.map(({ at }) => at)).toEqual(all.data.map(({ at }) => at).sort());
    expect(all.data).toContainEqual({ at: '2026-03-06T09:00:00.000Z', kind: 'deposit-expires', id: 2 });
    expect(all.total).toBe(all.data.length);

    const first = await agenda({ per_page: 1 });
    expect(first).toEqual({ ...all, data: all.data.slice(0, 1), per_page: 1, last_page: all.total });
  });

  test('is empty if nothing is due', async () => {
    const { agenda } = await openAccount();
    expect(await agenda()).toEqual({ now: '2026-03-01T09:00:00.000Z', under_way: [], ...pageOf([]) });
  });
});
