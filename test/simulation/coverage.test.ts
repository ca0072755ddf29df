import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, expireDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { addDeposit, onlyDelivery, openWebhookAccount, sendDueMessages } from './webhooks.js';

/** Tests of the coverage counters for transitions and events. */

/**
 * Creates receivers that respond with these statuses in turn, and then with 200; null for no response. Their responses have
 * a header of webhook requests, as those of a server that echoes what it receives.
 */
const receiversThatRecover = (...statuses: readonly (number | null)[]) =>
  new ScriptedReceivers((_message, index) => ({
    headers: { 'X-Service-Event': 'sent' },
    status: index < statuses.length ? (statuses[index] ?? null) : 200,
  }));

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

describe('transitions', () => {
  test('are counted when they happen; those of seed records are not counted', async () => {
    const { account } = await openWebhookAccount();
    const [first, second] = [addDeposit(account), addDeposit(account)];
    for (const id of [first, second]) authorizeDeposit(account, id);
    expireDeposit(account, first);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×2', 'authorized → expired ×1']);
  });

  test('that cannot be stored are not counted', async () => {
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
    account.forgetCoverage();
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
    const { account } = await openWebhookAccount({ receivers: receiversThatRecover(500, null) });
    addDeposit(account);
    await sendDueMessages(account);
    for (let times = 0; times < 3; times++) await resendDelivery(account, onlyDelivery(account).id);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 0, delivered: 2, refused: 2 }]);
  });

  test('without a webhook URL are counted as not sent', async () => {
    const { account } = await openWebhookAccount({ webhookUrl: null });
    addDeposit(account);
    await sendDueMessages(account);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 1, delivered: 0, refused: 0 }]);
  });
});
