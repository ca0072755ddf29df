import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import type { World } from '../../src/simulation/world.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import {
  advance,
  answering,
  attemptsOf,
  deliveryOf,
  hour,
  newDeposit,
  nextDue,
  open,
  settle,
  silent,
  url,
} from './webhooks.js';
import { emptyWorld } from './world.js';

/** Webhook messages that are in progress or planned when their account or their process ends. */

describe('an attempt leaves no trace if its account meanwhile', () => {
  const interruptions: readonly [string, (world: World, account: Account) => unknown][] = [
    ['is removed', (world, account) => world.accounts.remove(account)],
    ['is reset', (world, account) => world.accounts.reset(account)],
    [
      'gets another profile',
      (world, account) => world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } }),
    ],
    ['goes back to a snapshot', (world, account) => restoreSnapshot(world.accounts, account, 'before')],
    ['is closed with the server', (_world, account) => account.close()],
  ];

  test.each(interruptions)('%s', async (_what, happen) => {
    const { world, account, store, receivers } = await open({ receivers: silent() });
    await saveSnapshot(account, 'before');
    newDeposit(account);
    await settle(account);
    await happen(world, account);
    await world.commits.whenStored();
    const stored = store.commits.length;
    expect(receivers.at(0).stop.aborted).toBe(true);
    receivers.at(0).answer({ status: 200 });
    await settle(account);
    expect(store.commits).toHaveLength(stored);
    expect(world.accounts.get('one')?.attempts.size ?? 0).toBe(0);
  });

  test.each(interruptions)('%s, also for a manual resend', async (_what, happen) => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? {} : undefined));
    const { world, account, store } = await open({ receivers });
    await saveSnapshot(account, 'before');
    newDeposit(account);
    await settle(account);
    const resent = resendDelivery(account, deliveryOf(account).id);
    await nextTurn();
    await happen(world, account);
    await world.commits.whenStored();
    const stored = store.commits.length;
    receivers.at(1).answer({ status: 500 });
    await expect(resent).rejects.toMatchObject({ code: 'account-replaced' });
    expect(store.commits).toHaveLength(stored);
    expect(world.accounts.get('one')?.attempts.rows.filter(({ by }) => by === 'hand') ?? []).toEqual([]);
  });

  test('gets another profile, and the message is sent again with the same id and body', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    const next = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await settle(next);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    receivers.at(1).answer({});
    await settle(next);
    expect(attemptsOf(next)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('is restored to a snapshot in which the message was in progress, and it is sent again', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    await saveSnapshot(account, 'before');
    receivers.at(0).answer({ status: 500 });
    await settle(account);
    const restored = await restoreSnapshot(world.accounts, account, 'before');
    await settle(restored);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(attemptsOf(restored)).toEqual([]);
  });
});

describe('after a restart', () => {
  /** Starts a world from the stored commits. */
  async function restart(store: ScriptedStore) {
    const receivers = new ScriptedReceivers();
    const next = new ScriptedStore();
    next.commits.push(...structuredClone(store.commits));
    const world = await emptyWorld(next, { sendWebhook: receivers.send });
    const account = world.accounts.get('one');
    if (!account) throw new Error('the account is not stored');
    return { world, account, receivers };
  }

  test('unattempted messages are sent in order', async () => {
    const { account, store } = await open();
    newDeposit(account);
    authorizeDeposit(account, 1);
    const bodies = account.deliveries.rows.map(({ body }) => body);
    await account.whenStored();
    const after = await restart(store);
    await settle(after.account);
    expect(after.receivers.sent.map(({ body }) => body)).toEqual(bodies);
    expect(after.receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
  });

  test('messages in progress are sent again, with the same id and body', async () => {
    const { account, store, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    const after = await restart(store);
    await settle(after.account);
    expect(after.receivers.sent.map(({ body }) => body)).toEqual([receivers.at(0).body]);
    expect(attemptsOf(after.account)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('retrying messages continue their schedule', async () => {
    const { account, store } = await open({ receivers: answering(500) });
    newDeposit(account);
    await advance(account, 60_000);
    const after = await restart(store);
    expect(nextDue(after.account)).toBe(305);
    await advance(after.account, hour);
    expect(attemptsOf(after.account).map(({ number, at, status }) => [number, at, status])).toEqual([
      [1, '2026-04-01T08:00:00.000Z', 500],
      [2, '2026-04-01T08:00:05.000Z', 500],
      [3, '2026-04-01T08:05:05.000Z', 200],
    ]);
  });

  test('delivered, failed and unsent messages stay unchanged', async () => {
    const { world, account, store } = await open({ receivers: answering(200, 410) });
    newDeposit(account);
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: null });
    newDeposit(account);
    world.accounts.configure(account, { webhookUrl: url });
    await world.commits.whenStored();
    const after = await restart(store);
    await advance(after.account, 48 * hour);
    expect(after.receivers.sent).toEqual([]);
    expect(after.account.deliveries.rows.map((delivery) => deliveryStatus(after.account, delivery))).toEqual([
      'delivered',
      'failed',
      'unsent',
    ]);
  });

  test('new events get new ids', async () => {
    const { account, store } = await open();
    newDeposit(account);
    await settle(account);
    const after = await restart(store);
    newDeposit(after.account);
    await settle(after.account);
    expect(new Set(after.account.deliveries.rows.map(({ id }) => id)).size).toBe(2);
  });
});
