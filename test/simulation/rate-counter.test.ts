import { expect, test } from 'vitest';
import { resolveProfile } from '../../src/openapi/profile.js';
import { type Client, RateCounter } from '../../src/simulation/state/rate-counter.js';
import { createFakeMachine } from '../support/fake-machine.js';
import { emptyWorld, openAccount } from './world.js';

/** Requests allowed in a minute that follows one with at most 60 requests. Other minutes allow 60 (gap rate.burst). */
const burstLimit = 100;
const profile = resolveProfile({});
const frozenClock = { now: () => Date.parse('2026-03-01T09:00:00Z') };

/** Creates a counter whose account and machine have frozen clocks. */
const createCounter = () => new RateCounter(frozenClock, frozenClock);

const withToken = (token: number): Client => ({ token, address: '127.0.0.1' });

/** Counts a request with a token. Requests beyond the limit are refused. */
const countIn = (counter: RateCounter, token: number) => counter.count(withToken(token), profile, true);

test('at most 10,000 rate windows are kept in memory', () => {
  const counter = createCounter();
  for (let number = 1; number <= 30_000; number++) countIn(counter, number);
  expect(counter.size).toBe(10_000);
});

test('the rate window of a client that keeps sending requests is not dropped', () => {
  const counter = createCounter();
  for (let number = 2; number < 12_002; number++) {
    countIn(counter, number);
    if (number % 1_000 === 0) countIn(counter, 1);
  }
  // Twelve requests in the loop, and this one.
  expect(countIn(counter, 1).remaining).toBe(burstLimit - 13);
});

test('under a frozen account clock, a window ends after a minute of real time, at its `resetAt`', async () => {
  const machine = createFakeMachine('2026-05-01T00:00:00Z');
  const world = await emptyWorld(undefined, { clock: machine });
  const account = openAccount(world, 'demo');
  const count = () => account.countRequest(withToken(1));
  for (let requestNumber = 1; requestNumber <= burstLimit; requestNumber++) expect(count().isAllowed).toBe(true);
  const { isAllowed, resetAt } = count();
  expect({ isAllowed, waitMs: resetAt - account.now() }).toEqual({ isAllowed: false, waitMs: 60_000 });
  await machine.advance(60_000);
  const { resetAt: nextResetAt, allowedAt: _, ...report } = count();
  // The minute after a burst has the standard limit.
  expect(report).toEqual({ isAllowed: true, limit: 60, remaining: 59 });
  expect(nextResetAt - account.now()).toBe(60_000);
});

test.each<[window: string, burst: string, advanceMs: number]>([
  ['fixed', 'after-calm', 30_000],
  ['sliding', 'after-calm', 30_000],
  // A bucket of 60 has regained half a request, which is not enough, and has to regain the other half.
  ['bucket', 'never', 500],
])(
  'after a frozen account clock was advanced, a %s window still allows a request in real time, at its `allowedAt`',
  (window, burst, advanceMs) => {
    const profile = resolveProfile({ 'rate.window': window, 'rate.burst': burst });
    let accountTime = frozenClock.now();
    let machineTime = accountTime;
    const counter = new RateCounter({ now: () => accountTime }, { now: () => machineTime });
    const count = () => counter.count(withToken(1), profile, true);
    const countUntilRefused = () => {
      let report = count();
      while (report.isAllowed) report = count();
      return report;
    };
    countUntilRefused();
    accountTime += advanceMs;
    const refused = countUntilRefused();
    machineTime += refused.allowedAt - accountTime - 1;
    // The report does not change before that time.
    expect(count()).toEqual(refused);
    machineTime += 1;
    expect(count().isAllowed).toBe(true);
  },
);

test('reading a window does not count a request', async () => {
  const account = openAccount(await emptyWorld(), 'demo');
  const remaining = (token: number) => account.rates.peek(withToken(token), account.profile).remaining;
  expect([remaining(1), remaining(1)]).toEqual([burstLimit, burstLimit]);
  account.countRequest(withToken(1));
  expect([remaining(1), remaining(2)]).toEqual([burstLimit - 1, burstLimit]);
});
