import { request } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { authorizeDeposit, createDeposit } from '../../src/simulation/operations/deposits.js';
import { toCents } from '../domain/exact.js';
import { openAppServer } from '../support/app-server.js';
import { createFakeMachine } from '../support/fake-machine.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { sampleUnlessFull } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';
import { newDeposit } from './world.js';

const startTime = '2026-04-01T08:00:00.000Z';
/** How long an authorization lasts. */
const weekMs = 7 * 86_400_000;
/** End of an authorization that starts at `startTime`. */
const expiresAt = Date.parse(startTime) + weekMs;

/** Creates a deposit that a guest has just authorized. @returns its id */
function addAuthorizedDeposit(account: Account, amount: number): number {
  const deposit = createDeposit(account, { ...newDeposit, amount });
  authorizeDeposit(account, deposit.id);
  return Number(deposit.id);
}

const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

interface Options {
  readonly folder?: string;
  readonly choices?: Choices;
  /** Time at which the clock is frozen; undefined lets it run. */
  readonly now?: string;
}

/** Opens a server. If called without options, its clock is frozen at `startTime`. */
async function openServer({ folder, choices, now }: Options = { now: startTime }) {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder,
    durability: 'os',
    seed: () => readSeed('empty'),
    choices,
    now,
    randomSeed: 'races',
    rateLimit: false,
    log: () => undefined,
  });
  servers.push(server);
  const token = server.tokens?.full ?? '';
  return {
    account: server.world.accounts.default(),
    capture: (id: number, amount?: number, key?: string) => postCapture(`${server.url}/api/v1`, token, id, amount, key),
  };
}

/** Captures a deposit. @returns status of the response */
async function postCapture(baseUrl: string, token: string, id: number, amount?: number, key?: string): Promise<number> {
  const response = await fetch(`${baseUrl}/deposits/${id}/capture`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(amount === undefined ? {} : { amount }),
  });
  await response.text();
  return response.status;
}

/** Names of the emitted events that are among `events`, in order. */
function emittedEvents(account: Account, ...events: string[]): string[] {
  return account.deliveries.rows.map(({ event }) => String(event)).filter((event) => events.includes(event));
}

describe('twenty concurrent captures', () => {
  /** Amount of each capture (undefined captures all that remains), and how many of twenty fit into a deposit of 300. */
  const captureCases = [
    { amount: 300, allowedCount: 1 },
    { amount: 299.99, allowedCount: 1 },
    { amount: 150.01, allowedCount: 1 },
    { amount: 150, allowedCount: 2 },
    { amount: 100, allowedCount: 3 },
    { amount: 33.34, allowedCount: 8 },
    { amount: 33.33, allowedCount: 9 },
    { amount: 15, allowedCount: 20 },
    { amount: 0.01, allowedCount: 20 },
    { amount: 300.01, allowedCount: 0 },
    { amount: undefined, allowedCount: 1 },
  ].map((captureCase) => ({ ...captureCase, requested: captureCase.amount ?? 'the whole amount' }));

  /** Sends concurrent captures of a deposit of 300, and checks that the deposit, its events and the responses agree. */
  async function captureConcurrently(
    { account, capture }: Awaited<ReturnType<typeof openServer>>,
    requested: readonly (number | undefined)[],
    key?: (index: number) => string,
  ) {
    const id = addAuthorizedDeposit(account, 300);
    const statuses = await Promise.all(requested.map((amount, index) => capture(id, amount, key?.(index))));
    const accepted = requested.filter((_, index) => statuses[index] === 200);
    const deposit = account.deposits.get(id);
    if (!deposit) throw new Error(`deposit ${id} does not exist`);
    const capturedCents = deposit.captures.reduce((sum, { amount }) => sum + toCents(amount), 0n);
    expect(toCents(deposit.captured_amount)).toBe(capturedCents);
    expect(capturedCents).toBeLessThanOrEqual(30_000n);
    expect(deposit.captures).toHaveLength(accepted.length);
    expect(deposit.history.filter(({ cause }) => cause === 'capture')).toHaveLength(accepted.length);
    expect(emittedEvents(account, 'deposit.partially_captured', 'deposit.captured')).toHaveLength(accepted.length);
    expect(emittedEvents(account, 'deposit.captured')).toHaveLength(capturedCents === 30_000n ? 1 : 0);
    expect(deposit.status === 'captured').toBe(capturedCents === 30_000n);
    // 422: more than the remaining amount; 409: nothing remains.
    expect(statuses.filter((status) => ![200, 409, 422].includes(status))).toEqual([]);
    return { accepted, deposit };
  }

  it.each(sampleUnlessFull(captureCases, { oneIn: 6 }))(
    'of $requested each from a deposit of 300: $allowedCount can succeed',
    async ({ amount, allowedCount }) => {
      const requested = Array.from({ length: 20 }, () => amount);
      const { accepted, deposit } = await captureConcurrently(await openServer(), requested);
      expect(accepted).toHaveLength(allowedCount);
      const expectedCents = amount === undefined ? 30_000n : toCents(amount) * BigInt(allowedCount);
      expect(toCents(deposit.captured_amount)).toBe(expectedCents);
    },
  );

  it.each(sampleUnlessFull(captureCases, { oneIn: 6 }))(
    'of $requested each, stored on disk: $allowedCount can succeed, and the deposit is the same after a restart',
    async ({ amount, allowedCount }) => {
      const folder = tempFolder();
      const requested = Array.from({ length: 20 }, () => amount);
      const { accepted, deposit } = await captureConcurrently(await openServer({ folder, now: startTime }), requested);
      expect(accepted).toHaveLength(allowedCount);

      await Promise.all(servers.splice(0).map((server) => server.close()));
      const { account } = await openServer({ folder, now: startTime });
      expect(account.deposits.get(deposit.id)).toEqual(deposit);
    },
  );

  it.each(sampleUnlessFull(captureCases, { oneIn: 6 }))(
    'of $amount each, forty at once: as many succeed as the deposit allows',
    async ({ amount }) => {
      const requested = Array.from({ length: 40 }, () => amount);
      const { accepted } = await captureConcurrently(await openServer(), requested);
      const allowedCount = amount === undefined ? 1 : Math.min(40, Number(30_000n / toCents(amount)));
      expect(accepted).toHaveLength(allowedCount);
    },
  );

  it('ignore an Idempotency-Key, which only the creation of deposits accepts', async () => {
    const requested = Array.from({ length: 20 }, () => 100);
    const { accepted } = await captureConcurrently(await openServer(), requested, () => 'same-key');
    expect(accepted).toHaveLength(3);
  });

  it('of different amounts never exceed the deposit, and at most one captures the remaining amount', async () => {
    // Every fifth capture is of the remaining amount.
    const requested = Array.from({ length: 20 }, (_, index) =>
      index % 5 === 4 ? undefined : (777 * (index + 1)) / 100,
    );
    const { accepted, deposit } = await captureConcurrently(await openServer(), requested);
    expect(deposit.captured_amount).toBe(300);
    expect(accepted.filter((amount) => amount === undefined).length).toBeLessThanOrEqual(1);
  });

  it('that exceed the deposit are refused with 400 under deposit.capture-when: 400', async () => {
    const { account, capture } = await openServer({ choices: { 'deposit.capture-when': '400' }, now: startTime });
    const id = addAuthorizedDeposit(account, 300);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => capture(id, 100)));
    expect(statuses.sort()).toEqual([...Array(3).fill(200), ...Array(17).fill(400)]);
  });
});

/** Times around the end of the authorization, and whether a capture or the expiry takes effect. */
const moments = [
  { when: '1 ms before', offsetMs: -1, winner: 'capture' },
  { when: 'exactly at', offsetMs: 0, winner: 'expiry' },
  { when: '1 ms after', offsetMs: 1, winner: 'expiry' },
] as const;

describe('a capture at the end of the authorization, on a clock', () => {
  /** Expects that either the capture or the expiry took effect, with exactly one event. */
  function expectOneWinner(account: Account, id: number, status: number, winner: 'capture' | 'expiry'): void {
    const isCaptured = winner === 'capture';
    expect(status).toBe(isCaptured ? 200 : 409);
    expect(account.deposits.get(id)).toMatchObject({
      status: isCaptured ? 'captured' : 'expired',
      captured_amount: isCaptured ? 300 : 0,
    });
    const event = isCaptured ? 'deposit.captured' : 'deposit.expired';
    expect(emittedEvents(account, 'deposit.captured', 'deposit.expired')).toEqual([event]);
    const causes = account.deposits.get(id)?.history.map(({ cause }) => cause);
    expect(causes).toEqual(['authorize', isCaptured ? 'capture' : 'expire']);
    expect(account.schedule.upcoming()).toEqual([]);
  }

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'frozen $when that end: the $winner wins',
    async ({ offsetMs, winner }) => {
      const { account, capture } = await openServer();
      const id = addAuthorizedDeposit(account, 300);
      account.schedule.freezeAt(expiresAt + offsetMs);
      const status = await capture(id);
      await account.schedule.advance({ to: expiresAt + 2, timeoutMs: 0 });
      expectOneWinner(account, id, status, winner);
      const { at } = account.deposits.get(id)?.history.at(-1) ?? {};
      expect(at).toBe(new Date(winner === 'expiry' ? expiresAt : expiresAt + offsetMs).toISOString());
    },
  );

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'that an advance stops $when that end: the $winner wins',
    async ({ offsetMs, winner }) => {
      const { account, capture } = await openServer();
      const id = addAuthorizedDeposit(account, 300);
      await account.schedule.advance({ to: expiresAt + offsetMs, timeoutMs: 0 });
      const status = await capture(id);
      await account.schedule.advance({ to: expiresAt + 2, timeoutMs: 0 });
      expectOneWinner(account, id, status, winner);
    },
  );

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'that an advance stops $when that end while the capture arrives: one of the two wins',
    async (moment) => {
      for (const first of ['capture', 'expiry'] as const) {
        const { account, capture } = await openServer();
        const id = addAuthorizedDeposit(account, 300);
        const advance = () => account.schedule.advance({ to: expiresAt + moment.offsetMs, timeoutMs: 0 });
        const advancing = first === 'expiry' ? advance() : undefined;
        const capturing = capture(id);
        await (advancing ?? advance());
        const status = await capturing;
        await account.schedule.advance({ to: expiresAt + 2, timeoutMs: 0 });
        expect(moment.winner === 'capture' ? [200] : [200, 409]).toContain(status);
        expectOneWinner(account, id, status, status === 200 ? 'capture' : 'expiry');
      }
    },
  );

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'frozen $when that end, with twenty captures: at most one wins',
    async ({ offsetMs, winner }) => {
      const { account, capture } = await openServer();
      const id = addAuthorizedDeposit(account, 300);
      account.schedule.freezeAt(expiresAt + offsetMs);
      const statuses = await Promise.all(Array.from({ length: 20 }, () => capture(id)));
      expectOneWinner(account, id, Math.min(...statuses), winner);
      expect(statuses.filter((status) => status === 200)).toHaveLength(winner === 'capture' ? 1 : 0);
    },
  );

  it.each([
    ['expired', 'expired', 'deposit.expired'],
    ['captured', 'captured', 'deposit.captured'],
  ])(
    'frozen at that end, of a partially captured deposit, is refused, and the deposit ends once, under deposit.expire-partial: %s',
    async (choice, status, event) => {
      const { account, capture } = await openServer({ choices: { 'deposit.expire-partial': choice }, now: startTime });
      const id = addAuthorizedDeposit(account, 300);
      expect(await capture(id, 120)).toBe(200);
      account.schedule.freezeAt(expiresAt);
      expect(await capture(id, 10)).toBe(409);
      expect(account.deposits.get(id)).toMatchObject({ status, captured_amount: 120 });
      expect(emittedEvents(account, 'deposit.expired', 'deposit.captured')).toEqual([event]);
    },
  );
});

describe('a capture at the end of the authorization, on a running clock,', () => {
  /** An authorization that lasts ten minutes: on a running clock, the schedule sets a timer for each minute. */
  const holdMs = 600_000;

  async function openRunning() {
    const machine = createFakeMachine(startTime);
    const server = await openAppServer({
      seed: 'empty',
      choices: { 'deposit.window': { for: '10m' } },
      now: startTime,
      clock: machine,
      append: () => Promise.resolve(),
    });
    onTestFinished(() => server.close());
    const account = server.world.accounts.default();
    server.world.accounts.start();
    const id = addAuthorizedDeposit(account, 300);
    return { ...server, machine, account, id, capture: () => postCapture(server.baseUrl, server.tokens.full, id) };
  }

  function expectWinner(account: Account, id: number, winner: string, status: number): void {
    expect(status).toBe(winner === 'capture' ? 200 : 409);
    const deposit = account.deposits.get(id);
    expect(deposit?.status).toBe(winner === 'capture' ? 'captured' : 'expired');
    expect(emittedEvents(account, 'deposit.captured', 'deposit.expired')).toEqual([`deposit.${deposit?.status}`]);
    // The expiry has the time of the authorization's end, whenever it was processed.
    expect(deposit?.history.at(-1)).toMatchObject(
      winner === 'capture' ? { cause: 'capture' } : { cause: 'expire', at: '2026-04-01T08:10:00.000Z' },
    );
  }

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'that arrives $when that end, processed after the timer: the $winner wins',
    async ({ offsetMs, winner }) => {
      const { account, capture, id, machine } = await openRunning();
      await machine.advance(holdMs + offsetMs);
      expect(account.deposits.get(id)?.status).toBe(winner === 'expiry' ? 'expired' : 'authorized');
      const status = await capture();
      await machine.advance(2);
      expectWinner(account, id, winner, status);
    },
  );

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'that arrives $when that end, processed before the timer: the $winner wins',
    async ({ offsetMs, winner }) => {
      const { account, capture, id, machine } = await openRunning();
      machine.stall(holdMs + offsetMs);
      const status = await capture();
      await machine.advance(2);
      expectWinner(account, id, winner, status);
    },
  );

  it.each(sampleUnlessFull(moments, { oneIn: 2 }))(
    'whose body arrives $when that end: the $winner wins',
    async ({ offsetMs, winner }) => {
      const { account, baseUrl, tokens, id, machine } = await openRunning();
      const timeForBodyMs = 10;
      await machine.advance(holdMs - timeForBodyMs);
      const status = await captureSlowly(baseUrl, tokens.full, id, () => machine.stall(timeForBodyMs + offsetMs));
      await machine.advance(2);
      expectWinner(account, id, winner, status);
    },
  );
});

describe('captures in real time', () => {
  /** Captures 0.01 repeatedly, from four clients, until the authorization ends. @returns number of captures */
  async function captureToTheEnd(windowMs: number): Promise<number> {
    const { account, capture } = await openServer({ choices: { 'deposit.window': { for: `${windowMs}ms` } } });
    const id = addAuthorizedDeposit(account, 300);
    const expiry = account.deposits.get(id)?.expires_at ?? '';
    const captureUntilRefused = async (): Promise<number> => {
      for (let count = 0; ; count++) if ((await capture(id, 0.01)) !== 200) return count;
    };
    const counts = await Promise.all([1, 2, 3, 4].map(captureUntilRefused));
    const captureCount = counts.reduce((sum, count) => sum + count, 0);
    const deposit = account.deposits.get(id);
    expect(deposit).toMatchObject({ status: 'expired', captured_amount: captureCount / 100 });
    const { at, cause } = deposit?.history.at(-1) ?? {};
    expect({ at, cause }).toEqual({ at: expiry, cause: 'expire' });
    expect(deposit?.captures.filter((capture) => capture.at >= expiry)).toEqual([]);
    expect(emittedEvents(account, 'deposit.expired')).toHaveLength(1);
    return captureCount;
  }

  it('succeed until the authorization ends, and not a millisecond longer', async () => {
    // On a busy machine, the first request may take longer than a short authorization lasts.
    let windowMs = 150;
    while ((await captureToTheEnd(windowMs)) === 0) windowMs *= 2;
  });
});

it('an authorization expires in real time without any request', async () => {
  const { account } = await openServer({ choices: { 'deposit.window': { for: '50ms' } } });
  const id = addAuthorizedDeposit(account, 300);
  await vi.waitFor(() => expect(account.deposits.get(id)?.status).toBe('expired'), { timeout: hangTimeoutMs });
  expect(account.deposits.get(id)?.history.at(-1)?.at).toBe(account.deposits.get(id)?.expires_at);
});

/** Sends the head of a capture, calls `beforeBody` once the server has read it, then sends the body. @returns status */
function captureSlowly(baseUrl: string, token: string, id: number, beforeBody: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Expect: '100-continue' };
    const clientRequest = request(`${baseUrl}/deposits/${id}/capture`, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    clientRequest.on('error', reject);
    clientRequest.on('continue', () => {
      beforeBody();
      clientRequest.end('{}');
    });
    clientRequest.flushHeaders();
  });
}
