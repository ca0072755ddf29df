import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import type { Accounts } from '../../src/simulation/accounts.js';
import { emptyWorld, openAccount } from './world.js';

/** Requests that wait for something, such as a listener, may still have an account that was replaced meanwhile. */
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
