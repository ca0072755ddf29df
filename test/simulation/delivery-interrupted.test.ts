import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import type { World } from '../../src/simulation/world.js';
import {
  addDeposit,
  advanceBy,
  attemptSeconds,
  attemptsOf,
  hourMs,
  longerThanHoldMs,
  longerThanRetriesMs,
  nextAttemptSeconds,
  onlyDelivery,
  openWebhookAccount,
  receiversResponding,
  receiversRespondingOnce,
  receiverUrl,
  restartFrom,
  sendDueMessages,
  silentReceivers,
  startMs,
} from './webhooks.js';

/** Tests of webhook messages that are in progress or planned when their account or their process ends. */

describe('an attempt in progress', () => {
  const interruptions: readonly [string, (world: World, account: Account) => unknown][] = [
    ['is removed', (world, account) => world.accounts.remove(account)],
    ['is reset', (world, account) => world.accounts.reset(account)],
    [
      'gets another profile',
      (world, account) => world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } }),
    ],
    ['is restored to a snapshot', (world, account) => restoreSnapshot(world.accounts, account, 'before')],
    ['is closed with the server', (_world, account) => account.close()],
  ];

  test.each(interruptions)('is aborted and not recorded if its account %s', async (_interruption, interrupt) => {
    const { world, account, store, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    await saveSnapshot(account, 'before');
    addDeposit(account);
    await sendDueMessages(account);
    await interrupt(world, account);
    await world.commits.whenStored();
    const commitCount = store.commits.length;
    expect(receivers.at(0).signal.aborted).toBe(true);
    receivers.at(0).respond({ status: 200 });
    await sendDueMessages(account);
    expect(store.commits).toHaveLength(commitCount);
    expect(world.accounts.get('one')?.attempts.size ?? 0).toBe(0);
  });

  test.each(interruptions)(
    'for a manual resend fails with an error and is not recorded if its account %s',
    async (_interruption, interrupt) => {
      const receivers = receiversRespondingOnce();
      const { world, account, store } = await openWebhookAccount({ receivers });
      await saveSnapshot(account, 'before');
      addDeposit(account);
      await sendDueMessages(account);
      const resent = resendDelivery(account, onlyDelivery(account).id);
      await nextTurn();
      await interrupt(world, account);
      await world.commits.whenStored();
      const commitCount = store.commits.length;
      expect(receivers.at(1).signal.aborted).toBe(true);
      receivers.at(1).respond({ status: 500 });
      await expect(resent).rejects.toMatchObject({ code: 'account-replaced' });
      expect(store.commits).toHaveLength(commitCount);
      expect(world.accounts.get('one')?.attempts.rows.filter(({ by }) => by === 'manual') ?? []).toEqual([]);
    },
  );

  test.each(interruptions)(
    'makes the advance that waits for it fail if its account %s',
    async (_interruption, interrupt) => {
      const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
      await saveSnapshot(account, 'before');
      authorizeDeposit(account, addDeposit(account));
      const advanced = advanceBy(account, longerThanHoldMs);
      const failed = expect(advanced).rejects.toMatchObject({ code: 'account-replaced' });
      await nextTurn();
      await interrupt(world, account);
      receivers.at(0).respond({});
      await failed;
    },
  );

  test('keeps an advance from moving the clock if the account gets another profile meanwhile', async () => {
    const { world, account } = await openWebhookAccount({ receivers: silentReceivers() });
    authorizeDeposit(account, addDeposit(account));
    const failed = expect(advanceBy(account, longerThanHoldMs)).rejects.toMatchObject({ code: 'account-replaced' });
    await nextTurn();
    const recreated = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await failed;
    expect([recreated.now(), recreated.deposits.rows]).toMatchObject([startMs, [{ status: 'authorized' }]]);
  });

  test('is repeated with the same id and body if its account gets another profile', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await sendDueMessages(account);
    const recreated = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await sendDueMessages(recreated);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    receivers.at(1).respond({});
    await sendDueMessages(recreated);
    expect(attemptsOf(recreated)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('is repeated if its account is restored to a snapshot with the attempt in progress', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await sendDueMessages(account);
    await saveSnapshot(account, 'before');
    receivers.at(0).respond({ status: 500 });
    await sendDueMessages(account);
    const restored = await restoreSnapshot(world.accounts, account, 'before');
    await sendDueMessages(restored);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(attemptsOf(restored)).toEqual([]);
  });
});

describe('after a restart', () => {
  test('messages without an attempt are sent in order', async () => {
    const { account, store } = await openWebhookAccount();
    addDeposit(account);
    authorizeDeposit(account, 1);
    const bodies = account.deliveries.rows.map(({ body }) => body);
    await account.whenStored();
    const restarted = await restartFrom(store);
    await sendDueMessages(restarted.account);
    expect(restarted.receivers.sent.map(({ body }) => body)).toEqual(bodies);
    expect(restarted.receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
  });

  test('a message that was resent waits for an earlier message of its record', async () => {
    const { account, store, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    authorizeDeposit(account, addDeposit(account));
    await sendDueMessages(account);
    const [, authorized] = account.deliveries.rows;
    const resending = resendDelivery(account, authorized?.id ?? '');
    await sendDueMessages(account);
    receivers.at(1).respond({ status: 500 });
    await resending;
    const restarted = await restartFrom(store, silentReceivers());
    await sendDueMessages(restarted.account);
    expect(restarted.receivers.events).toEqual(['deposit.created']);
  });

  test('messages in progress are sent again, with the same id and body', async () => {
    const { account, store, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await sendDueMessages(account);
    const restarted = await restartFrom(store);
    await sendDueMessages(restarted.account);
    expect(restarted.receivers.sent.map(({ body }) => body)).toEqual([receivers.at(0).body]);
    expect(attemptsOf(restarted.account)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('messages that are being retried continue their schedule', async () => {
    const { account, store } = await openWebhookAccount({ receivers: receiversResponding(500) });
    addDeposit(account);
    await advanceBy(account, 60_000);
    const restarted = await restartFrom(store);
    expect(nextAttemptSeconds(restarted.account)).toBe(attemptSeconds[2]);
    await advanceBy(restarted.account, hourMs);
    expect(attemptsOf(restarted.account).map(({ number, at, status }) => [number, at, status])).toEqual([
      [1, '2026-04-01T08:00:00.000Z', 500],
      [2, '2026-04-01T08:00:05.000Z', 500],
      [3, '2026-04-01T08:05:05.000Z', 200],
    ]);
  });

  test('delivered, failed and unsent messages stay unchanged', async () => {
    const { world, account, store } = await openWebhookAccount({ receivers: receiversResponding(200, 410) });
    addDeposit(account);
    addDeposit(account);
    await sendDueMessages(account);
    world.accounts.configure(account, { webhookUrl: null });
    addDeposit(account);
    world.accounts.configure(account, { webhookUrl: receiverUrl });
    await world.commits.whenStored();
    const restarted = await restartFrom(store);
    await advanceBy(restarted.account, longerThanRetriesMs);
    expect(restarted.receivers.sent).toEqual([]);
    expect(restarted.account.deliveries.rows.map((delivery) => deliveryStatus(restarted.account, delivery))).toEqual([
      'delivered',
      'failed',
      'unsent',
    ]);
  });

  test('new events get new ids', async () => {
    const { account, store } = await openWebhookAccount();
    addDeposit(account);
    await sendDueMessages(account);
    const restarted = await restartFrom(store);
    addDeposit(restarted.account);
    await sendDueMessages(restarted.account);
    expect(new Set(restarted.account.deliveries.rows.map(({ id }) => id)).size).toBe(2);
  });
});
