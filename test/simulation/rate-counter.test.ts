import { expect, test } from 'vitest';
import { resolveProfile } from '../../src/openapi/profile.js';
import { RateCounter } from '../../src/simulation/state/rate-counter.js';
import { createFakeMachine } from '../support/fake-machine.js';
import { emptyWorld, openAccount } from './world.js';

const burstLimit = 100;
const profile = resolveProfile({});
const frozenClock = { now: () => Date.parse('2026-03-01T09:00:00Z') };

/** Creates a counter whose account and machine have frozen clocks. */
const createCounter = () => new RateCounter(frozenClock, frozenClock);

/** Counts a request in the window of a key, such as `token 1`. Requests beyond the limit are refused. */
const countIn = (counter: RateCounter, key: string) => counter.count(key, profile, true);

test('at most 10,000 rate windows are kept in memory', () => {
  const counter = createCounter();
  for (let number = 0; number < 30_000; number++) countIn(counter, `address ${number}`);
  expect(counter.size).toBe(10_000);
});

test('the rate window of a client that keeps sending requests is not dropped', () => {
  const counter = createCounter();
  for (let number = 0; number < 12_000; number++) {
    countIn(counter, `address ${number}`);
    if (number % 1_000 === 0) countIn(counter, 'token 1');
  }
  // Twelve requests in the loop, and this one.
  expect(countIn(counter, 'token 1').remaining).toBe(burstLimit - 13);
});

test('under a frozen account clock, a window ends after a minute of real time, as its report says', async () => {
  const machine = createFakeMachine('2026-05-01T00:00:00Z');
  const world = await emptyWorld(undefined, { clock: machine });
  const account = openAccount(world, 'demo');
  const count = () => account.countRequest('token 1');
  for (let requestNumber = 1; requestNumber <= burstLimit; requestNumber++) expect(count().isAllowed).toBe(true);
  const { isAllowed, resetAt } = count();
  expect({ isAllowed, waitMs: resetAt - account.now() }).toEqual({ isAllowed: false, waitMs: 60_000 });
  await machine.advance(60_000);
  const { resetAt: nextResetAt, ...report } = count();
  // The minute after a burst has the standard limit.
  expect(report).toEqual({ isAllowed: true, limit: 60, remaining: 59 });
  expect(nextResetAt - account.now()).toBe(60_000);
});

test('reading a window does not count a request', async () => {
  const account = openAccount(await emptyWorld(), 'demo');
  const remaining = (key: string) => account.rates.peek(key, account.profile).remaining;
  expect([remaining('token 1'), remaining('token 1')]).toEqual([burstLimit, burstLimit]);
  account.countRequest('token 1');
  expect([remaining('token 1'), remaining('token 2')]).toEqual([burstLimit - 1, burstLimit]);
});
