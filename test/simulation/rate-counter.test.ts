import { expect, test } from 'vitest';
import { resolveProfile } from '../../src/http/profile.js';
import { RateCounter } from '../../src/simulation/rate-counter.js';

const profile = resolveProfile({});
const now = Date.parse('2026-03-01T09:00:00Z');

test('addresses and tokens that are never seen again do not grow the windows for ever', () => {
  const counter = new RateCounter();
  for (let number = 0; number < 30_000; number++) counter.count(`address 10.0.0.${number}`, profile, now);
  expect(counter.size).toBe(10_000);
});

test('the window of a key that goes on asking is kept', () => {
  const counter = new RateCounter();
  for (let number = 0; number < 12_000; number++) {
    counter.count(`address 10.0.0.${number}`, profile, now);
    if (number % 1_000 === 0) counter.count('token 1', profile, now);
  }
  // Twelve requests, and this one.
  expect(counter.count('token 1', profile, now).remaining).toBe(100 - 13);
});
