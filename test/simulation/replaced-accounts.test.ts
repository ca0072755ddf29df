import { describe, expect, test } from 'vitest';
import { findChains } from '../../src/http/control/activity.js';
import type { Account } from '../../src/simulation/account.js';
import type { Accounts } from '../../src/simulation/accounts.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { writeReminder } from '../../src/simulation/delivery/mails.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import { storeError } from '../../src/simulation/operations/idempotency.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { restoreSnapshot, saveForUndo, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { untilSettled } from '../support/fake-machine.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { withWebhooks } from './webhooks.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/** A request that waits, such as one that watches events, may still refer to an account that has been replaced. */
describe('an account that was replaced or removed', () => {
  async function openReplacedAccount() {
    const world = await emptyWorld();
    const replaced = openAccount(world, 'one');
    return { accounts: world.accounts, replaced, current: world.accounts.reset(replaced) };
  }

  test.each<[title: string, change: (accounts: Accounts, account: Account) => unknown]>([
    ['reset', (accounts, account) => accounts.reset(account)],
    ['removed', (accounts, account) => accounts.remove(account)],
    [
      'configured with another profile',
      (accounts, account) => accounts.configure(account, { choices: { 'list.order': 'oldest-first' } }),
    ],
  ])('cannot be %s, and its successor stays', async (_title, change) => {
    const { accounts, replaced, current } = await openReplacedAccount();
    expect(() => change(accounts, replaced)).toThrow('account-replaced');
    expect(accounts.get('one')).toBe(current);
    expect(current.isClosed).toBe(false);
    accounts.remove(current);
    expect(() => change(accounts, current)).toThrow('account-replaced');
    expect(accounts.get('one')).toBeUndefined();
  });

  test('stores no error for an Idempotency-Key, and does not replace the error', async () => {
    const world = await emptyWorld();
    const account = openAccount(world, 'one', { 'deposit.key-failed': 'replayed' });
    world.accounts.remove(account);
    expect(() => storeError(account, 'createDeposit', 'key-1', { status: 422, body: '{}' })).not.toThrow();
    expect(account.keyedResponses.size).toBe(0);
  });
});

describe('an account that is reset while the store is busy', () => {
  /** Opens an account whose webhooks and emails are only counted. */
  async function openCountingAccount() {
    const store = new ScriptedStore();
    const receivers = new ScriptedReceivers();
    let mailCount = 0;
    const world = await emptyWorld(store, {
      sendWebhook: receivers.send,
      async sendMail() {
        mailCount += 1;
        return null;
      },
    });
    const account = openAccount(world, 'one');
    withWebhooks(world, account);
    await world.commits.whenStored();
    return { world, account, store, receivers, mailCount: () => mailCount };
  }

  test('does not resend a webhook', async () => {
    const { world, account, store, receivers } = await openCountingAccount();
    createDeposit(account, newDeposit);
    await world.commits.whenStored();
    store.holdCommits();
    createDeposit(account, newDeposit);
    const resending = resendDelivery(account, String(account.deliveries.rows[0]?.id));
    world.accounts.reset(account);
    store.storeHeldCommits();
    await expect(resending).rejects.toThrow('account-replaced');
    expect(receivers.sent).toEqual([]);
  });

  test('does not send an email that was due', async () => {
    const { world, account, store, mailCount } = await openCountingAccount();
    store.holdCommits();
    const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
    const input = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items };
    writeReminder(account, createInvoice(account, input));
    account.schedule.runDueItems();
    expect(account.inProgress).toEqual(['email 1']);
    world.accounts.reset(account);
    store.storeHeldCommits();
    await untilSettled();
    expect(mailCount()).toBe(0);
  });
});

test('of two resets at the same time, each can save a snapshot that undoes it', async () => {
  const account = openAccount(await emptyWorld(new ScriptedStore()), 'one');
  for (let count = 0; count < 5; count++) await saveForUndo(account, 'reset');
  const save = () => saveForUndo(account, 'reset');
  expect(await Promise.all([save(), save()])).toEqual(['before-reset-6', 'before-reset-6']);
  expect([...account.snapshots.keys()]).toEqual([2, 3, 4, 5, 6].map((number) => `before-reset-${number}`));
});

describe('a reset or restore that cannot be stored', () => {
  test.each<[title: string, replace: (accounts: Accounts, account: Account) => Account | Promise<Account>]>([
    ['reset', (accounts, account) => accounts.reset(account)],
    ['restore', (accounts, account) => restoreSnapshot(accounts, account, 'before')],
  ])('leaves the activity of the records as it was (%s)', async (_title, replace) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    const account = openAccount(world, 'one');
    await saveSnapshot(account, 'before');
    createDeposit(account, newDeposit);
    await account.whenStored();
    const reset = world.accounts.reset(account);
    createDeposit(reset, newDeposit);
    await reset.whenStored();
    expect(findChains(reset, { record: 'deposit:1' })).toHaveLength(1);
    store.holdCommits();
    const replaced = await replace(world.accounts, reset);
    const replacedAgain = await replace(world.accounts, replaced);
    expect(findChains(replacedAgain, { record: 'deposit:1' })).toHaveLength(0);
    store.rejectHeldCommits();
    await replacedAgain.whenStored().catch(() => undefined);
    const undone = world.accounts.get('one');
    expect(undone && findChains(undone, { record: 'deposit:1' })).toHaveLength(1);
  });
});
