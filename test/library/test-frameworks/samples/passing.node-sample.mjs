// ../node-test.test.ts runs these tests; all of them must pass.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startSimulator } from 'billing-sim';
import { billing } from 'billing-sim/node-test';

const isListening = () => process.getActiveResourcesInfo().includes('TCPServerWrap');

let firstAccount;

// Comes first, so that the next test finds a simulator that the failed call has started.
describe('the context of a describe', () => {
  before(async (t) => {
    await assert.rejects(billing(t), {
      message:
        'billing(t) needs the context of a test, but got the context of the describe "the context of a describe", as in a before hook; call it in a test or in beforeEach, or share an account with startSimulator() and simulator.createAccount()',
    });
  });
  test('is refused', () => undefined);
});

test('billing without the context of a test is refused', async () => {
  const message =
    'billing(t) needs the context of a test as its first argument: test(name, async (t) => { await billing(t) })';
  await assert.rejects(billing(), { message });
  await assert.rejects(billing({ now: '2026-03-01T09:00:00Z' }), { message });
});

test('a test that uses no account starts no simulator', () => {
  assert.equal(isListening(), false);
});

test('the first account starts a simulator', async (t) => {
  const account = await billing(t);
  assert.equal(isListening(), true);
  firstAccount = { url: account.url, authorization: `Bearer ${account.tokens.full}` };
  const response = await fetch(`${account.baseUrl}/deposits`, {
    headers: { authorization: firstAccount.authorization },
  });
  assert.equal(response.status, 200);
});

test('the next test has another account of the same simulator, and the first is removed', async (t) => {
  const account = await billing(t);
  assert.equal(account.url, firstAccount.url);
  const response = await fetch(`${account.baseUrl}/deposits`, {
    headers: { authorization: firstAccount.authorization },
  });
  assert.equal(response.status, 401);
});

test('a test may have several accounts at once', async (t) => {
  const [account, otherAccount] = await Promise.all([billing(t), billing(t)]);
  assert.notEqual(account.id, otherAccount.id);
});

describe('a group', () => {
  test('has accounts with options', async (t) => {
    const account = await billing(t, { now: '2026-03-01T09:00:00Z', webhookSecret: 'secret' });
    assert.deepEqual(await account.clock.show(), { now: '2026-03-01T09:00:00.000Z', mode: 'frozen' });
    assert.equal(account.webhookSecret, 'secret');
  });
});

test('a test may use its own simulator', async (t) => {
  const simulator = await startSimulator({ now: '2026-05-01T00:00:00Z' });
  t.after(() => simulator.close());
  const account = await billing(t, { simulator });
  assert.equal(account.url, simulator.url);
});
