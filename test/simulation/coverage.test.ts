import { describe, expect, test } from 'vitest';
import type { Seed } from '../../src/domain/seed.js';
import type { Account } from '../../src/simulation/account.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, expireDeposit, releaseDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { addDeposit, onlyDelivery, openWebhookAccount, sendDueMessages } from './webhooks.js';
import { openAccount } from './world.js';

/** Tests of the coverage counters for transitions and events. */

/** Headers of a message that was sent. The counters treat an attempt without headers as one that was never sent. */
const headers = { 'X-Service-Event': 'deposit.created' };

const authorizedDeposit: Seed['deposits'][number] = {
  id: 1,
  booking_reference: 'BK-1',
  amount: 100,
  customer: null,
  check_in_date: '0d',
  check_out_date: '2d',
  metadata: {},
  status: 'authorized',
  created: '-1d',
  authorized: '-1d',
};

/** Counted transitions, such as `pending → authorized ×2`. */
function transitionsOf(account: Account): string[] {
  const { all } = account.coverage.report([], account).transitions;
  return all.flatMap(({ from, to, count }) => (count === 0 ? [] : [`${from} → ${to} ×${count}`]));
}

/** Coverage of the events that occurred. */
function eventsOf(account: Account) {
  const { all } = account.coverage.report([], account).events;
  return all.filter(({ count, delivered, refused }) => count + delivered + refused > 0);
}

/** Counts of forged messages, and those that the receiver accepted. */
function forgeriesOf(account: Account) {
  return account.coverage.report([], account).forged_webhooks;
}

describe('transitions', () => {
  test('are counted when they happen', async () => {
    const { account } = await openWebhookAccount();
    const ids = [addDeposit(account), addDeposit(account)];
    for (const id of ids) authorizeDeposit(account, id);
    expireDeposit(account, 1);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×2', 'authorized → expired ×1']);
  });

  test('of seed records are not counted', async () => {
    const { world } = await openWebhookAccount();
    const account = openAccount(world, 'two', {}, { deposits: [authorizedDeposit] });
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    expect(transitionsOf(account)).toEqual([]);
    releaseDeposit(account, 1);
    expect(transitionsOf(account)).toEqual(['authorized → released ×1']);
  });

  test('that cannot be stored are counted only until their commit fails', async () => {
    const { account, store } = await openWebhookAccount();
    const id = addDeposit(account);
    await account.whenStored();
    store.rejectsCommits = true;
    authorizeDeposit(account, id);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×1']);
    await account.whenStored().catch(() => undefined);
    expect(transitionsOf(account)).toEqual([]);
    expect(eventsOf(account)).toEqual([expect.objectContaining({ event: 'deposit.created', count: 1 })]);
  });

  test('that cannot be stored do not make counters negative after a reset of the coverage', async () => {
    const { account, store } = await openWebhookAccount();
    const id = addDeposit(account);
    await account.whenStored();
    store.rejectsCommits = true;
    authorizeDeposit(account, id);
    account.resetCoverage();
    await account.whenStored().catch(() => undefined);
    store.rejectsCommits = false;
    authorizeDeposit(account, id);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×1']);
  });

  test('stay counted when the account is restored, reset or gets another profile', async () => {
    const { account, world } = await openWebhookAccount();
    await saveSnapshot(account, 'before');
    authorizeDeposit(account, addDeposit(account));
    const restored = await restoreSnapshot(world.accounts, account, 'before');
    expect(transitionsOf(restored)).toEqual(['pending → authorized ×1']);
    authorizeDeposit(restored, addDeposit(restored));
    const reset = world.accounts.reset(restored);
    expect(transitionsOf(reset)).toEqual(['pending → authorized ×2']);
    const changed = world.accounts.configure(reset, { choices: { 'list.order': 'oldest-first' } });
    expect(transitionsOf(changed)).toEqual(['pending → authorized ×2']);
    // The request log is kept, too.
    expect(changed.requests).toBe(account.requests);
  });

  test('stay counted when a reset cannot be stored', async () => {
    const { account, world, store } = await openWebhookAccount();
    authorizeDeposit(account, addDeposit(account));
    await account.whenStored();
    store.rejectsCommits = true;
    const reset = world.accounts.reset(account);
    await reset.whenStored().catch(() => undefined);
    const afterUndo = world.accounts.get('one');
    expect(afterUndo).not.toBe(reset);
    expect(afterUndo && transitionsOf(afterUndo)).toEqual(['pending → authorized ×1']);
  });

  test('of one account are not counted for another account, or for a later account with the same id', async () => {
    const { account, world } = await openWebhookAccount();
    authorizeDeposit(account, addDeposit(account));
    const seed = account.origin.seed;
    expect(transitionsOf(world.accounts.create({ id: 'two', seed }).account)).toEqual([]);
    world.accounts.remove(account);
    expect(transitionsOf(world.accounts.create({ id: 'one', seed }).account)).toEqual([]);
  });
});

describe('events', () => {
  test('are counted with the receiver’s response to every attempt', async () => {
    const statuses = [500, null, 200, 204];
    const receivers = new ScriptedReceivers((_message, index) => ({ headers, status: statuses[index] ?? null }));
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    await sendDueMessages(account);
    for (let resends = 0; resends < 3; resends++) await resendDelivery(account, onlyDelivery(account).id);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 0, delivered: 2, refused: 2 }]);
  });

  test('without a webhook URL are counted as not sent', async () => {
    const { account } = await openWebhookAccount({ webhookUrl: null });
    addDeposit(account);
    await sendDueMessages(account);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 1, delivered: 0, refused: 0 }]);
  });
});

test('a forged message does not count as accepted if its attempt cannot be stored', async () => {
  const { account, store } = await openWebhookAccount({ receivers: new ScriptedReceivers(() => ({ headers })) });
  addDeposit(account);
  await sendDueMessages(account);
  const [attempt] = account.attempts.rows;
  if (!attempt) throw new Error('no attempt was made');
  const putForged = (number: number): void => {
    const id = `${attempt.delivery_id}/${number}`;
    account.transaction((tx) => tx.put({ attempts: [{ ...attempt, id, number, applied_faults: ['tamper-body'] }] }));
  };
  putForged(2);
  await account.whenStored();
  store.rejectsCommits = true;
  putForged(3);
  expect(forgeriesOf(account)).toMatchObject({ sent: 2, accepted: [{ attempt: 2 }, { attempt: 3 }] });
  await account.whenStored().catch(() => undefined);
  expect(forgeriesOf(account)).toMatchObject({ sent: 1, accepted: [{ attempt: 2 }] });
});
