import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const story = fileURLToPath(new URL('story.mjs', import.meta.url));

/** Plays the story in a process of its own. */
async function play(randomSeed: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [story, randomSeed], { maxBuffer: 10_000_000 });
  return stdout;
}

test('the same random seed, clock and requests give the same answers and webhook bodies, byte for byte, in two processes', async () => {
  const [one, other] = await Promise.all([play('42'), play('42')]);
  expect(other).toBe(one);
  // Nothing is proved by a story in which nothing happens.
  const events = [...one.matchAll(/^(\w+\.\w+) sha256=/gm)].map(([, event]) => event);
  expect(events).toContain('deposit.expired');
  expect(events).toContain('payment.succeeded');
  expect(new Set(one.match(/"booking_reference":"BK-3","amount":\d+/g)).size).toBeGreaterThan(1);
});

test('another random seed gives other ids', async () => {
  const ids = (text: string): string[] =>
    [...text.matchAll(/evt_[0-9a-f]{24}|"id":"[0-9a-f-]{36}"/g)].map(([id]) => id);
  const [one, other] = await Promise.all([play('42'), play('43')]);
  expect(ids(one).length).toBeGreaterThan(10);
  expect(ids(one).filter((id) => ids(other).includes(id))).toEqual([]);
});
