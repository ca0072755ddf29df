import { expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { Options } from '../second/options.js';
import { check, openSecond, type RunOptions } from './support.js';

/** Outcome of the clause about rotated secrets. */

const rotation: readonly Clause[] = clauses.filter(({ id }) => id === 'HOOK-MOVE-03');

async function statusOn(options: Options, run: RunOptions = {}) {
  const outcome = await check(await openSecond(options), rotation, { eventuallyTimeoutMs: 1_500, ...run });
  return outcome.of('HOOK-MOVE-03');
}

const given: RunOptions = { webhookSecret: 'the-secret-of-the-tester' };

test.each<[string, Options]>([
  ['in hex', {}],
  ['in base64', { digest: 'base64' }],
  ['in capitals', { digest: 'HEX' }],
])('digests %s under the new secret are as they should be', async (_how, options) => {
  expect(await statusOn(options)).toMatchObject({ status: 'passed' });
});

test('a given secret is rotated, too', async () => {
  expect(await statusOn({}, given)).toMatchObject({ status: 'passed' });
});

test.each<[string, RunOptions]>([
  ['the suite has chosen', {}],
  ['the tester has given', given],
])('a target that continues with the secret that %s is blamed', async (_who, run) => {
  const { status, detail } = await statusOn({ fault: 'signature-key-retired' }, run);
  expect({ status, detail }).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^expected the digest /),
  });
});

test('without the driver method the clause is skipped with its name', async () => {
  const { driver, ...subject } = await openSecond();
  const { rotateWebhookSecret: _missing, ...others } = driver;
  const outcome = await check({ ...subject, driver: others }, rotation, { eventuallyTimeoutMs: 1_500 });
  expect(outcome.of('HOOK-MOVE-03')).toMatchObject({ status: 'skipped', missing: 'rotateWebhookSecret' });
});

test('a method that returns no secret is reported, and nothing fails', async () => {
  const { driver, ...subject } = await openSecond();
  const mute = { ...driver, rotateWebhookSecret: async () => ({ secret: '' }) };
  const outcome = await check({ ...subject, driver: mute }, rotation, { eventuallyTimeoutMs: 1_500 });
  expect(outcome.of('HOOK-MOVE-03')).toMatchObject({
    status: 'skipped',
    detail: 'rotateWebhookSecret of the driver has returned no `secret`',
  });
});
