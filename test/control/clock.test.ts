import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { components } from '../../src/generated/control-types.js';
import { Schedule } from '../../src/simulation/agenda/schedule.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account, and returns functions that call its clock operations. */
async function openAccount(body: components['schemas']['NewAccount'] = { now: '2026-03-01T09:00:00Z' }) {
  const { id: account, tokens } = requireData(await sim.control.POST('/accounts', { body }));
  const params = { params: { path: { account } } };
  return {
    account,
    tokens,
    readClock: async () => requireData(await sim.control.GET('/accounts/{account}/clock', params)),
    setClock: async (change: components['schemas']['ClockChange']) =>
      requireData(await sim.control.PATCH('/accounts/{account}/clock', { ...params, body: change })),
    advance: async (target: components['schemas']['Advance']) =>
      requireData(await sim.control.POST('/accounts/{account}/clock/advance', { ...params, body: target })),
    readAgenda: async (query: { per_page?: number } = {}) =>
      requireData(await sim.control.GET('/accounts/{account}/agenda', { params: { path: { account }, query } })),
    trigger: async (event: components['schemas']['EventName']) =>
      requireData(await sim.control.POST('/accounts/{account}/trigger', { ...params, body: { event } })),
    /** Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`. */
    callControl: (method: string, path: string, content?: unknown) =>
      sim.callControl(method, `/accounts/${account}${path}`, content),
  };
}

describe('a clock can be set', () => {
  test('to be frozen, and to follow real time again', async () => {
    const { readClock, setClock } = await openAccount({});
    expect(await readClock()).toMatchObject({ mode: 'real' });
    const frozen = await setClock({ mode: 'frozen' });
    await sleep(30);
    expect(await readClock()).toEqual(frozen);
    expect(await setClock({ mode: 'frozen' })).toEqual(frozen);
    const resumedAt = performance.now();
    await setClock({ mode: 'real' });
    await sleep(30);
    const resumed = await readClock();
    expect(resumed.mode).toBe('real');
    const elapsedMs = Date.parse(resumed.now) - Date.parse(frozen.now);
    expect(elapsedMs).toBeGreaterThanOrEqual(30);
    // The clock has whole milliseconds.
    expect(elapsedMs).toBeLessThanOrEqual(performance.now() - resumedAt + 1);
  });

  test('to a date, which means midnight UTC', async () => {
    const { advance, readClock, setClock } = await openAccount({ now: '2026-03-01' });
    expect((await readClock()).now).toBe('2026-03-01T00:00:00.000Z');
    expect((await setClock({ now: '2026-03-09' })).now).toBe('2026-03-09T00:00:00.000Z');
    expect((await advance({ to: '2026-03-10' })).to).toBe('2026-03-10T00:00:00.000Z');
  });

  test('to a future time, keeping or changing its mode', async () => {
    const { readClock, setClock } = await openAccount();
    expect(await setClock({ now: '2026-03-09T10:00:00+01:00' })).toEqual({
      now: '2026-03-09T09:00:00.000Z',
      mode: 'frozen',
    });
    expect(await setClock({ now: '2026-03-10T09:00:00Z', mode: 'real' })).toMatchObject({ mode: 'real' });
    expect((await readClock()).now).toMatch(/^2026-03-10T09:0/);
    const target = '2026-04-01T00:00:00.000Z';
    expect(await setClock({ now: target, mode: 'frozen' })).toEqual({ now: target, mode: 'frozen' });
    // Setting a clock to its current time is allowed.
    expect(await setClock({ now: target })).toEqual({ now: target, mode: 'frozen' });
    expect(await setClock({})).toEqual({ now: target, mode: 'frozen' });
  });

  test('to a later time, which runs the agenda items that fall due in between', async () => {
    const { setClock, trigger, callControl } = await openAccount();
    await trigger('deposit.authorized');
    // An authorized deposit expires after 7 days.
    await setClock({ now: '2026-03-08T09:00:00Z' });
    const { body } = await callControl('GET', '/deliveries');
    expect(body).toMatchObject({
      data: [
        { event: 'deposit.expired', created_at: '2026-03-08T09:00:00.000Z' },
        { event: 'deposit.authorized' },
        { event: 'deposit.created' },
      ],
    });
  });
});

describe('a clock can be advanced', () => {
  test.each(['8d', 'P8D', '7d 23h 60m', '691200s'])('by %s, and the report lists what happened', async (by) => {
    const { advance, trigger } = await openAccount();
    await trigger('deposit.authorized');
    // An authorized deposit expires after 7 days.
    const expiresAt = '2026-03-08T09:00:00.000Z';
    const subject = { resource: 'deposit', id: 1 };
    expect(await advance({ by })).toEqual({
      from: '2026-03-01T09:00:00.000Z',
      to: '2026-03-09T09:00:00.000Z',
      steps: [
        { at: expiresAt, kind: 'transition', subject, cause: 'expire', from: 'authorized', to: 'expired' },
        {
          at: expiresAt,
          kind: 'event',
          id: expect.stringMatching(/^evt_/),
          event: 'deposit.expired',
          subject,
          sent: false,
        },
      ],
      in_progress: [],
    });
  });

  test('to a time', async () => {
    const { advance, readClock } = await openAccount();
    const to = '2026-03-09T09:00:00.000Z';
    expect(await advance({ to })).toEqual({ from: '2026-03-01T09:00:00.000Z', to, steps: [], in_progress: [] });
    expect(await readClock()).toEqual({ now: to, mode: 'frozen' });
    expect(await advance({ by: '0s' })).toEqual({ from: to, to, steps: [], in_progress: [] });
  });

  test('by concurrent requests, which run one after the other', async () => {
    const { advance, readClock } = await openAccount();
    const reports = await Promise.all([advance({ by: '1d' }), advance({ by: '1d' }), advance({ by: '1d' })]);
    expect(reports.map(({ from, to }) => `${from.slice(0, 10)} to ${to.slice(0, 10)}`).sort()).toEqual([
      '2026-03-01 to 2026-03-02',
      '2026-03-02 to 2026-03-03',
      '2026-03-03 to 2026-03-04',
    ]);
    expect(await readClock()).toMatchObject({ now: '2026-03-04T09:00:00.000Z' });
  });

  test('while it follows real time', async () => {
    const { advance, readClock } = await openAccount({});
    const { from, to } = await advance({ by: '8d' });
    expect(Date.parse(to) - Date.parse(from)).toBe(8 * 86_400_000);
    expect(await readClock()).toMatchObject({ mode: 'real' });
  });

  test('and the report lists transitions, events, scenario steps and webhook attempts', async () => {
    let requestCount = 0;
    const receiver = await openReceiver((_request, response) => {
      requestCount += 1;
      response.writeHead(requestCount === 1 ? 503 : 200).end();
    });
    const { tokens, advance, callControl } = await openAccount({
      seed: 'demo',
      now: '2026-03-01T09:00:00Z',
      webhook_url: receiver.url,
    });
    await callControl('POST', '/scenarios/authorize-then-expire/run', { deposit: 1 });
    // This email is sent before the advance, so the report does not list it.
    await sim.callService(tokens.full, 'POST', '/invoices/3/reminder');
    const report = await advance({ by: '3m' });
    const summary = report.steps.map((step) => `${step.at.slice(11, 19)} ${step.kind}`);
    expect(summary).toEqual([
      '09:02:00 transition',
      '09:02:00 event',
      '09:02:00 scenario',
      '09:02:00 attempt',
      '09:02:05 attempt',
    ]);
    expect(report.steps.slice(3)).toMatchObject([
      { status: 503, number: 1, next_attempt_at: '2026-03-01T09:02:05.000Z' },
      { status: 200, number: 2, next_attempt_at: null },
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  test('without waiting for receivers beyond the timeout', async () => {
    // The receiver never responds.
    const { url: webhook_url } = await openReceiver(() => undefined);
    const { advance, readAgenda, trigger } = await openAccount({ now: '2026-03-01T09:00:00Z', webhook_url });
    const { deliveries } = await trigger('deposit.created');
    const advanceSpy = vi.spyOn(Schedule.prototype, 'advance');
    onTestFinished(() => advanceSpy.mockRestore());
    const report = await advance({ by: '1d', timeout: '100ms' });
    expect(advanceSpy).toHaveBeenCalledWith(expect.objectContaining({ timeoutMs: 100 }));
    expect(report).toMatchObject({
      to: '2026-03-02T09:00:00.000Z',
      in_progress: deliveries,
    });
    expect((await readAgenda()).in_progress).toEqual(report.in_progress);
  });

  test('with the longest timeout', async () => {
    const { callControl } = await openAccount();
    expect(await callControl('POST', '/clock/advance', { by: '1d', timeout: '10m' })).toMatchObject({ status: 200 });
  });
});

describe('the agenda', () => {
  test('lists its items, the earliest first', async () => {
    const { readAgenda, callControl } = await openAccount({ seed: 'demo', now: '2026-03-01T09:00:00Z' });
    await callControl('POST', '/scenarios/no-show/run', { deposit: 1 });
    const all = await readAgenda();
    expect(all).toMatchObject({ now: '2026-03-01T09:00:00.000Z', in_progress: [] });
    expect(all.data[0]).toEqual({ at: '2026-03-01T09:02:00.000Z', kind: 'scenario-step', id: 1 });
    expect(all.data.map(({ at }) => at)).toEqual(all.data.map(({ at }) => at).sort());
    expect(all.data).toContainEqual({ at: '2026-03-06T09:00:00.000Z', kind: 'deposit-expires', id: 2 });
    expect(all.total).toBe(all.data.length);

    const firstPage = await readAgenda({ per_page: 1 });
    expect(firstPage).toEqual({ ...all, data: all.data.slice(0, 1), per_page: 1, last_page: all.total });
  });

  test('is empty if nothing will fall due', async () => {
    const { readAgenda } = await openAccount();
    expect(await readAgenda()).toEqual({ now: '2026-03-01T09:00:00.000Z', in_progress: [], ...expectedPage([]) });
  });
});
