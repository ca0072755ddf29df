import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('requests.mjs', import.meta.url));

/** Runs requests.mjs in a separate process. @returns all responses and webhook bodies */
async function runRequests(randomSeed: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, randomSeed], { maxBuffer: 10_000_000 });
  return stdout;
}

const outputOfSeed42 = runRequests('42');

test('the same random seed, clock and requests produce the same responses and webhook bodies in two processes', async () => {
  const [output, sameSeedOutput] = await Promise.all([outputOfSeed42, runRequests('42')]);
  expect(sameSeedOutput).toBe(output);
  // The output must contain events caused by the clock and by payments, and bodies that faults have altered at random.
  const events = [...output.matchAll(/^(\w+\.\w+) sha256=/gm)].map(([, event]) => event);
  expect(events).toContain('deposit.expired');
  expect(events).toContain('payment.succeeded');
  expect(new Set(output.match(/"booking_reference":"BK-3","amount":\d+/g)).size).toBeGreaterThan(1);
});

test('another random seed produces other ids', async () => {
  const ids = (text: string): string[] =>
    [...text.matchAll(/evt_[0-9a-f]{24}|"id":"[0-9a-f-]{36}"/g)].map(([id]) => id);
  const [output, otherSeedOutput] = await Promise.all([outputOfSeed42, runRequests('43')]);
  expect(ids(output).length).toBeGreaterThan(10);
  expect(ids(output).filter((id) => ids(otherSeedOutput).includes(id))).toEqual([]);
});
