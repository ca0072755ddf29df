import { expect, test } from 'vitest';
import { readFault } from '../../src/faults/rule.js';
import { addFault, clearFault, unclearedFaultsOf } from '../../src/simulation/faults/faults.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { contentsOf } from '../../src/simulation/world.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, openAccount } from './world.js';

/** Requests and deliveries record the ids of the faults that affected them, so the id of a fault is never reused. */

const reset = readFault({ effect: 'reset' });

test('the id of a cleared fault is not reused after a profile change', async () => {
  const world = await emptyWorld();
  const account = openAccount(world, 'one');
  clearFault(account, addFault(account, reset).id);
  const changed = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
  expect(addFault(changed, reset).id).toBe(2);
});

test('the id of a cleared fault is not reused after a restore', async () => {
  const world = await emptyWorld();
  const account = openAccount(world, 'one');
  clearFault(account, addFault(account, reset).id);
  await saveSnapshot(account, 'saved');
  const restored = await restoreSnapshot(world.accounts, account, 'saved');
  expect(unclearedFaultsOf(restored)).toEqual([]);
  expect(addFault(restored, reset).id).toBe(2);
});

test('the id of a cleared fault is not reused after a restart from a checkpoint', async () => {
  const world = await emptyWorld();
  const account = openAccount(world, 'one');
  clearFault(account, addFault(account, reset).id);
  const store = new ScriptedStore();
  store.commits.push(...contentsOf(world));
  const reopened = (await emptyWorld(store)).accounts.get('one');
  if (!reopened) throw new Error('the account does not exist');
  expect(addFault(reopened, reset).id).toBe(2);
});
