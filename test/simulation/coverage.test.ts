import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, expireDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { deliveryOf, newDeposit, open, settle } from './webhooks.js';

/** Coverage counters: transitions and events of an account. */

/** Receivers that answer with these statuses in turn, and then 200. */
const answering = (...statuses: readonly (number | null)[]) =>
  new ScriptedReceivers((_message, index) => ({
    headers: { 'X-Service-Event': 'sent' },
    status: index < statuses.length ? (statuses[index] ?? null) : 200,
  }));

function transitionsOf(account: Account): string[] {
  const { all } = account.coverage.report([], account).transitions;
  return all.flatMap(({ from, to, count }) => (count === 0 ? [] : [`${from} → ${to} ×${count}`]));
}

function eventsOf(account: Account) {
  const { all } = account.coverage.report([], account).events;
  return all.filter(({ count, delivered, refused }) => count + delivered + refused > 0);
}

describe('transitions', () => {
  test('are counted when they happen, but not for the seed', async () => {
    const { account } = await open();
    const [one, other] = [newDeposit(account), newDeposit(account)];
    for (const id of [one, other]) authorizeDeposit(account, id);
    expireDeposit(account, one);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×2', 'authorized → expired ×1']);
  });

  test('that cannot be stored are not counted', async () => {
    const { account, store } = await open();
    const id = newDeposit(account);
    await account.whenStored();
    store.refuses = true;
    authorizeDeposit(account, id);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×1']);
    await account.whenStored().catch(() => undefined);
    expect(transitionsOf(account)).toEqual([]);
    expect(eventsOf(account)).toEqual([expect.objectContaining({ event: 'deposit.created', count: 1 })]);
  });

  test('that cannot be stored do not make counters negative after a reset of the coverage', async () => {
    const { account, store } = await open();
    const id = newDeposit(account);
    await account.whenStored();
    store.refuses = true;
    authorizeDeposit(account, id);
    account.forgetCoverage();
    await account.whenStored().catch(() => undefined);
    store.refuses = false;
    authorizeDeposit(account, id);
    expect(transitionsOf(account)).toEqual(['pending → authorized ×1']);
  });

  test('stay counted when the account is restored, and are counted again', async () => {
    const { account, world } = await open();
    await saveSnapshot(account, 'before');
    authorizeDeposit(account, newDeposit(account));
    const restored = await restoreSnapshot(world.accounts, account, 'before');
    expect(transitionsOf(restored)).toEqual(['pending → authorized ×1']);
    authorizeDeposit(restored, newDeposit(restored));
    const reset = world.accounts.reset(restored);
    expect(transitionsOf(reset)).toEqual(['pending → authorized ×2']);
    const changed = world.accounts.configure(reset, { choices: { 'list.order': 'oldest-first' } });
    expect(transitionsOf(changed)).toEqual(['pending → authorized ×2']);
    expect(changed.requests).toBe(account.requests);
  });

  test('stay counted when a reset cannot be stored', async () => {
    const { account, world, store } = await open();
    authorizeDeposit(account, newDeposit(account));
    await account.whenStored();
    store.refuses = true;
    const reset = world.accounts.reset(account);
    await reset.whenStored().catch(() => undefined);
    const again = world.accounts.get('one');
    expect(again).not.toBe(reset);
    expect(again && transitionsOf(again)).toEqual(['pending → authorized ×1']);
  });

  test('of one account are not counted for another, or for a later account with the same name', async () => {
    const { account, world } = await open();
    authorizeDeposit(account, newDeposit(account));
    const seed = account.origin.seed;
    expect(transitionsOf(world.accounts.create({ id: 'two', seed }).account)).toEqual([]);
    world.accounts.remove(account);
    expect(transitionsOf(world.accounts.create({ id: 'one', seed }).account)).toEqual([]);
  });
});

describe('events', () => {
  test('are counted with the receiver’s response to every attempt', async () => {
    const { account } = await open({ receivers: answering(500, null) });
    newDeposit(account);
    await settle(account);
    for (let times = 0; times < 3; times++) await resendDelivery(account, deliveryOf(account).id);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 0, delivered: 2, refused: 2 }]);
  });

  test('without a webhook URL are counted as not sent', async () => {
    const { account } = await open({ webhookUrl: null });
    newDeposit(account);
    await settle(account);
    expect(eventsOf(account)).toEqual([{ event: 'deposit.created', count: 1, unsent: 1, delivered: 0, refused: 0 }]);
  });
});
