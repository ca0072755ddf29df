import { expect, test } from 'vitest';
import type { Clause } from '../../src/contract/engine/clause.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import type { Options } from '../second-implementation/options.js';
import { checkClauses, openSecondImplementation, type RunOptions } from './support.js';

/** The clause that requires webhooks after a rotation of the webhook secret to be signed with the new one. */
const clauseId = 'HOOK-MOVE-03';
const rotationClauses: readonly Clause[] = clauses.filter(({ id }) => id === clauseId);

async function resultFor(options: Options, run: RunOptions = {}) {
  const outcome = await checkClauses(await openSecondImplementation(options), rotationClauses, {
    eventuallyTimeoutMs: 1_500,
    ...run,
  });
  return outcome.resultOf(clauseId);
}

const testerSecretOptions: RunOptions = { webhookSecret: 'the-secret-of-the-tester' };

test.each<[encoding: string, options: Options]>([
  ['in hex', {}],
  ['in base64', { digest: 'base64' }],
  ['in upper-case hex', { digest: 'HEX' }],
])('a target whose digests are %s and use the new secret passes', async (_encoding, options) => {
  expect(await resultFor(options)).toMatchObject({ status: 'passed' });
});

test('a webhook secret that the tester has passed is rotated, and the clause passes', async () => {
  expect(await resultFor({}, testerSecretOptions)).toMatchObject({ status: 'passed' });
});

test.each<[who: string, run: RunOptions]>([
  ['the suite has chosen', {}],
  ['the tester has passed', testerSecretOptions],
])('a target that keeps signing with the secret that %s violates the clause', async (_who, run) => {
  const { status, detail } = await resultFor({ fault: 'signature-key-before-rotation' }, run);
  expect({ status, detail }).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^expected the digest /),
  });
});

test('without the driver method, the clause is skipped, and the method is reported as missing', async () => {
  const { driver, ...implementation } = await openSecondImplementation();
  const { rotateWebhookSecret: _missing, ...otherMethods } = driver;
  const outcome = await checkClauses({ ...implementation, driver: otherMethods }, rotationClauses, {
    eventuallyTimeoutMs: 1_500,
  });
  expect(outcome.resultOf(clauseId)).toMatchObject({ status: 'skipped', missing: 'rotateWebhookSecret' });
});

test('if the driver method returns no secret, the driver is reported as broken', async () => {
  const { driver, ...implementation } = await openSecondImplementation();
  const driverWithoutSecret = { ...driver, rotateWebhookSecret: async () => ({ secret: '' }) };
  const outcome = await checkClauses({ ...implementation, driver: driverWithoutSecret }, rotationClauses, {
    eventuallyTimeoutMs: 1_500,
  });
  expect(outcome.resultOf(clauseId)).toMatchObject({
    status: 'broken',
    detail:
      "the driver's rotateWebhookSecret() must return an object whose `secret` is a string that is not empty, but returned an object whose `secret` is an empty string",
  });
});
