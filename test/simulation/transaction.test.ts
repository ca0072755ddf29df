import { beforeEach, describe, expect, test } from 'vitest';
import type { Deposit } from '../../src/domain/records.js';
import type { Account } from '../../src/simulation/account.js';
import { createDeposit, readDepositFields } from '../../src/simulation/operations/deposits.js';
import { runOnce } from '../../src/simulation/operations/idempotency.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, openAccount } from './world.js';

describe('a transaction', () => {
  let store: ScriptedStore;
  let account: Account;
  let commitsBefore: number;

  beforeEach(async () => {
    store = new ScriptedStore();
    account = openAccount(await emptyWorld(store), 'one');
    await account.whenStored();
    commitsBefore = store.commits.length;
  });

  const addDeposit = (): Deposit =>
    createDeposit(account, readDepositFields(account, { booking_reference: 'BK-1', amount: 100, currency: 'EUR' }));

  async function tablesOfNewCommits(): Promise<string[][]> {
    await account.whenStored();
    return store.commits.slice(commitsBefore).map(({ changes }) => Object.keys(changes));
  }

  test('stores a row and the message of its event in one commit', async () => {
    addDeposit();
    expect(await tablesOfNewCommits()).toEqual([['deposits', 'deliveries']]);
  });

  test('inside another transaction joins it: a creation with a key and its stored response are one commit', async () => {
    const request = { operation: 'createDeposit', key: 'booking-1', input: {} };
    runOnce(account, request, () => ({ status: 201, body: String(addDeposit().id) }));
    expect(await tablesOfNewCommits()).toEqual([['deposits', 'deliveries', 'keyed_responses']]);
  });

  test('that throws changes nothing, and is not part of the next commit', async () => {
    const failingTransaction = () =>
      account.transaction(() => {
        addDeposit();
        throw new RangeError('broken');
      });
    expect(failingTransaction).toThrow(RangeError);
    expect([account.deposits.size, account.deliveries.size, await tablesOfNewCommits()]).toEqual([0, 0, []]);
    addDeposit();
    expect(await tablesOfNewCommits()).toEqual([['deposits', 'deliveries']]);
  });

  test('without changes commits nothing', async () => {
    expect(account.transaction(() => 'read')).toBe('read');
    expect(await tablesOfNewCommits()).toEqual([]);
  });

  test('shows the previous state until it ends', () => {
    account.transaction(() => {
      addDeposit();
      expect(account.deposits.size).toBe(0);
    });
    expect(account.deposits.size).toBe(1);
  });

  test.each<[string, () => void, string]>([
    [
      'two operations that change the same table',
      () => void [addDeposit(), addDeposit()],
      'a transaction has put deposits twice',
    ],
    [
      'a second event',
      () => account.transaction((tx) => tx.emit({ event: 'deposit.expired', record: addDeposit() })),
      'a transaction has emitted two events',
    ],
  ])('refuses %s, since ids would be used twice', (_content, work, message) => {
    expect(() => account.transaction(work)).toThrow(new Error(message));
    expect(account.deposits.size).toBe(0);
  });

  test('of a closed account is refused', () => {
    account.close();
    expect(addDeposit).toThrow('account-replaced');
  });
});
