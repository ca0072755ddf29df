import { expect, test } from 'vitest';
import { resolveProfile } from '../../src/openapi/profile.js';
import { RateCounter } from '../../src/simulation/state/rate-counter.js';
import { createFakeMachine } from '../support/fake-machine.js';
import { emptyWorld, openAccount } from './world.js';

const burstLimit = 100;
const profile = resolveProfile({});
const clock = { now: () => Date.parse('2026-03-01T09:00:00Z') };

test('at most 10,000 rate windows are kept in memory', () => {
  const counter = new RateCounter(clock, clock);
  for (let number = 0; number < 30_000; number++) counter.count(`address 10.0.0.${number}`, profile, true);
  expect(counter.size).toBe(10_000);
});

test('the rate window of a client that keeps sending requests is not dropped', () => {
  const counter = new RateCounter(clock, clock);
  for (let number = 0; number < 12_000; number++) {
    counter.count(`address 10.0.0.${number}`, profile, true);
    if (number % 1_000 === 0) counter.count('token 1', profile, true);
  }
  // Twelve requests in the loop, and this one.
  expect(counter.count('token 1', profile, true).remaining).toBe(burstLimit - 13);
});

test('under a frozen clock a window ends after a minute of real time, as the response headers say', async () => {
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
