import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('requests.mjs', import.meta.url));

/** Runs requests.mjs in a separate process. @returns all responses and webhook bodies */
async function sendRequests(randomSeed: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, randomSeed], { maxBuffer: 10_000_000 });
  return stdout;
}

test('the same random seed, clock and requests produce the same responses and webhook bodies in two processes', async () => {
  const [one, other] = await Promise.all([sendRequests('42'), sendRequests('42')]);
  expect(other).toBe(one);
  // The output must contain events of the clock and of payments, and bodies that faults have altered at random.
  const events = [...one.matchAll(/^(\w+\.\w+) sha256=/gm)].map(([, event]) => event);
  expect(events).toContain('deposit.expired');
  expect(events).toContain('payment.succeeded');
  expect(new Set(one.match(/"booking_reference":"BK-3","amount":\d+/g)).size).toBeGreaterThan(1);
});

test('another random seed produces other ids', async () => {
  const ids = (text: string): string[] =>
    [...text.matchAll(/evt_[0-9a-f]{24}|"id":"[0-9a-f-]{36}"/g)].map(([id]) => id);
  const [one, other] = await Promise.all([sendRequests('42'), sendRequests('43')]);
  expect(ids(one).length).toBeGreaterThan(10);
  expect(ids(one).filter((id) => ids(other).includes(id))).toEqual([]);
});
