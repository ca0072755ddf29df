import { describe, expect, test } from 'vitest';
import { findChains } from '../../src/http/control/activity.js';
import type { Account } from '../../src/simulation/account.js';
import type { Accounts } from '../../src/simulation/accounts.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { ScriptedStore } from './scripted-store.js';
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
