import { expect, test } from 'vitest';
import { createInvoice, getInvoiceStats } from '../../src/simulation/operations/invoices.js';
import type { Store } from '../../src/simulation/state/ports.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { emptyWorld, openAccount } from './world.js';

/** Creates a store that rejects commits while `rejectsCommits` is true. */
function createFailingStore(): Store & { rejectsCommits: boolean } {
  const store = {
    ...createMemoryStore(),
    rejectsCommits: false,
    append: () => (store.rejectsCommits ? Promise.reject(new Error('no space')) : Promise.resolve()),
  };
  return store;
}

const invoice = {
  customer_id: 1,
  date: '2026-04-01',
  due_date: '2026-04-02',
  items: [{ description: 'Work', quantity: 1, unit_price: 100, tax_rate: 0 }],
};

test('commits that the store rejects are undone in memory, together with all later commits', async () => {
  const store = createFailingStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  createInvoice(account, invoice, 1_000);
  await world.commits.whenStored();
  const statsBefore = getInvoiceStats(account);
  store.rejectsCommits = true;
  for (let number = 0; number < 3; number++) createInvoice(account, invoice, 1_000);
  await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
  expect(getInvoiceStats(account)).toEqual(statsBefore);
  store.rejectsCommits = false;
  expect(createInvoice(account, invoice, 1_000)).toMatchObject({ id: 2 });
});

test('an agenda item whose changes could not be stored runs again', async () => {
  const store = createFailingStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  createInvoice(account, invoice, 1_000);
  account.schedule.freezeAt(Date.parse('2026-04-03T00:00:00Z'));
  await world.commits.whenStored();
  store.rejectsCommits = true;
  account.schedule.runDueItems();
  await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
  expect(getInvoiceStats(account)).toMatchObject({ overdue_invoices: 0 });
  store.rejectsCommits = false;
  account.schedule.runDueItems();
  expect(getInvoiceStats(account)).toMatchObject({ overdue_invoices: 1, total_overdue: 100 });
});

test('an account that could not be stored does not exist', async () => {
  const store = createFailingStore();
  const world = await emptyWorld(store);
  store.rejectsCommits = true;
  openAccount(world, 'one');
  await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
  expect(world.accounts.get('one')).toBeUndefined();
  store.rejectsCommits = false;
  expect(openAccount(world, 'one').id).toBe('one');
});
