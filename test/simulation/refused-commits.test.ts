import { describe, expect, it } from 'vitest';
import { readFault } from '../../src/faults/rule.js';
import type { Account } from '../../src/simulation/account.js';
import type { Accounts } from '../../src/simulation/accounts.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit, createDeposit } from '../../src/simulation/operations/deposits.js';
import { changeInvoice } from '../../src/simulation/operations/invoices.js';
import { createInvoicePayment, createLinkPayment } from '../../src/simulation/operations/payments.js';
import { removeSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { isolatedPorts } from '../support/ports.js';
import { addDeposit, seedWithDrafts } from './lifecycle-world.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

describe('a transition that cannot be stored', () => {
  it('has no effect and emits no event', async () => {
    const store = new ScriptedStore();
    const account = openAccount(await emptyWorld(store), 'one', {}, seedWithDrafts);
    const id = addDeposit(account);
    changeInvoice(account, 1, 'finalize');
    const contentsBefore = structuredClone(account.contents());
    const agendaBefore = account.schedule.upcoming();
    await account.whenStored();
    store.rejectsCommits = true;
    authorizeDeposit(account, id);
    captureDeposit(account, id, { amount: 50 });
    createInvoicePayment(account, 1, { amount: 40 });
    createLinkPayment(account, 1, {});
    await expect(account.whenStored()).rejects.toThrow('not-stored');
    expect(account.contents()).toEqual(contentsBefore);
    expect(account.schedule.upcoming()).toEqual(agendaBefore);
  });
});

describe('an action whose changes cannot be stored', () => {
  const fault = readFault({ effect: 'hang' });

  it.each<[title: string, change: (account: Account, accounts: Accounts) => unknown]>([
    ['a change without an entry of its own', (account) => addFault(account, fault)],
    ['a change with an entry', (account) => createDeposit(account, newDeposit)],
    ['a reset', (account, accounts) => accounts.reset(accounts.get(account.id) ?? account)],
    [
      'both',
      (account) => {
        addFault(account, fault);
        createDeposit(account, newDeposit);
      },
    ],
    ['the snapshot that it saves', (account) => saveSnapshot(account, 'before-test')],
  ])('is not in the activity log: %s', async (_title, change) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    const { accounts } = world;
    const account = openAccount(world, 'one');
    await account.whenStored();
    const act = (operation: string) =>
      account.activity.duringAction({ by: 'library', operation }, account.now(), (describe) => {
        describe('what it is about');
        return change(accounts.get('one') ?? account, accounts);
      });
    const operations = () =>
      account.activity.entries().flatMap(({ detail }) => (detail.kind === 'action' ? detail.operation : []));
    await act('stored');
    await account.whenStored();
    store.holdCommits();
    await act('not-stored');
    expect(operations()).toEqual(['stored', 'not-stored']);
    const whenStored = account.whenStored();
    store.rejectHeldCommits();
    await expect(whenStored).rejects.toThrow('not-stored');
    expect(operations()).toEqual(['stored']);
  });

  it('is not in the activity log: an advance of the clock', async () => {
    const store = new ScriptedStore();
    const account = openAccount(await emptyWorld(store), 'one');
    const advance = () =>
      account.activity.duringAction({ by: 'library', operation: 'advanceClock' }, account.now(), () =>
        account.schedule.advance({ by: 1_000, timeoutMs: 0 }),
      );
    await advance();
    expect(account.activity.entries()).toHaveLength(1);
    store.rejectsCommits = true;
    await expect(advance()).rejects.toThrow('not-stored');
    expect(account.activity.entries()).toHaveLength(1);
  });
});

describe('the removal of a snapshot that cannot be stored', () => {
  it('leaves the list as it was', async () => {
    const store = new ScriptedStore();
    const account = openAccount(await emptyWorld(store), 'one');
    for (const name of ['first', 'second', 'third']) await saveSnapshot(account, name);
    await account.whenStored();
    store.holdCommits();
    removeSnapshot(account, 'second');
    removeSnapshot(account, 'first');
    expect([...account.snapshots.keys()]).toEqual(['third']);
    store.rejectHeldCommits();
    await expect(account.whenStored()).rejects.toThrow('not-stored');
    expect([...account.snapshots.keys()]).toEqual(['first', 'second', 'third']);
  });
});

describe('a change whose event cannot be created', () => {
  it('has no effect', async () => {
    const { presentation } = isolatedPorts();
    const brokenPresentation = {
      ...presentation,
      deposit: () => {
        throw new Error('cannot be rendered');
      },
    };
    const account = openAccount(
      await emptyWorld(createMemoryStore(), { presentation: brokenPresentation }),
      'one',
      {},
      seedWithDrafts,
    );
    expect(() => addDeposit(account)).toThrow('cannot be rendered');
    expect(account.deposits.size).toBe(0);
  });
});
