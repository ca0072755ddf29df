import { expect, test, vi } from 'vitest';
import type { Invoice, KeyedResponse } from '../../src/domain/records.js';
import { dayMs } from '../../src/lib/durations.js';
import type { Account } from '../../src/simulation/account.js';
import { createDeposit } from '../../src/simulation/operations/deposits.js';
import { runOnce } from '../../src/simulation/operations/idempotency.js';
import { createInvoice, getInvoiceStats } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import type { Commit } from '../../src/simulation/state/changes.js';
import { PendingCommits } from '../../src/simulation/state/pending-commits.js';
import { contentsOf, type World } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, newDeposit, openAccount } from './world.js';

/** Creates an invoice of 100 that is due on 2 April. */
function addInvoice(account: Account): Invoice {
  const items = [{ description: 'Work', quantity: 1, unit_price: 100, tax_rate: 0 }];
  const input = { customer_id: 1, date: '2026-04-01', due_date: '2026-04-02', items };
  return createInvoice(account, input);
}

test('a commit that the store rejects is undone in memory, together with all later commits', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  addInvoice(account);
  await world.commits.whenStored();
  const statsBefore = getInvoiceStats(account);
  store.rejectsCommits = true;
  addInvoice(account);
  const firstOutcome = world.commits.whenStored();
  store.rejectsCommits = false;
  // The later commits are undone with the rejected one, before the store has decided about them.
  store.holdCommits();
  for (let count = 0; count < 2; count++) addInvoice(account);
  const laterOutcome = world.commits.whenStored();
  await expect(firstOutcome).rejects.toThrow('not-stored');
  expect(getInvoiceStats(account)).toEqual(statsBefore);
  store.rejectHeldCommits();
  await expect(laterOutcome).rejects.toThrow('not-stored');
  expect(addInvoice(account)).toMatchObject({ id: 2 });
});

test('an invoice number and a slug that could not be stored are given to the next record', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  const addLink = () =>
    createPaymentLink(account, { description: 'Night', amount: 100, currency: 'EUR' }, world.accounts).slug;
  addLink();
  await world.commits.whenStored();
  store.rejectsCommits = true;
  addInvoice(account);
  addLink();
  await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
  store.rejectsCommits = false;
  expect([addInvoice(account).invoice_number, addLink()]).toEqual(['INV-2026-00001', 'night-2']);
});

test('an agenda item whose changes could not be stored runs again', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  addInvoice(account);
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

test('an Idempotency-Key whose retention has ended is kept if the advance cannot be stored, and forgotten at the next advance', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one', { 'deposit.key-retention': 'day' });
  const response: KeyedResponse = {
    id: 'key',
    fingerprint: '',
    status: 201,
    body: '',
    created_at: '2026-04-01T08:00:00.000Z',
  };
  account.transaction((tx) => tx.put({ keyed_responses: [response] }));
  await world.commits.whenStored();
  const advance = () => account.schedule.advance({ by: 2 * dayMs, timeoutMs: 1_000 });
  store.rejectsCommits = true;
  await expect(advance()).rejects.toThrow('not-stored');
  expect([...account.keyedResponses.values()]).toEqual([response]);
  store.rejectsCommits = false;
  await advance();
  expect(account.keyedResponses.size).toBe(0);
});

test.each<[meanwhile: string, change: (world: World, account: Account) => unknown]>([
  ['the key was forgotten', () => undefined],
  [
    'the key was forgotten and the account replaced',
    ({ accounts }, account) => accounts.replace(account, account.contents()),
  ],
])(
  'a deposit that could not be stored leaves no response for its Idempotency-Key, even if meanwhile %s',
  async (_after, change) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    const account = openAccount(world, 'one');
    const request = (key: string) =>
      runOnce(account, { operation: 'createDeposit', key, input: {} }, () => {
        const { id } = createDeposit(account, newDeposit);
        return { status: 201, body: String(id) };
      });
    request('stored');
    await world.commits.whenStored();
    store.holdCommits();
    request('not-stored');
    account.schedule.freezeAt(account.now() + 2 * dayMs);
    account.schedule.runDueItems();
    expect(account.keyedResponses.size).toBe(0);
    change(world, account);
    store.rejectHeldCommits();
    await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
    const undone = world.accounts.get('one');
    expect(undone?.deposits.size).toBe(1);
    expect([...(undone?.keyedResponses.keys() ?? [])]).toEqual(['createDeposit stored']);
    expect(undone?.schedule.upcoming()).toEqual([expect.objectContaining({ kind: 'key-forgotten' })]);
  },
);

test('an account that could not be stored does not exist, and can be created again', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  store.rejectsCommits = true;
  openAccount(world, 'one');
  await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
  expect(world.accounts.get('one')).toBeUndefined();
  store.rejectsCommits = false;
  const account = openAccount(world, 'one');
  await world.commits.whenStored();
  expect(world.accounts.get('one')).toBe(account);
});

/** Ways to replace or remove an account. */
const replacements: readonly [string, (world: World, account: Account) => unknown][] = [
  ['replaced', ({ accounts }, account) => accounts.replace(account, account.contents())],
  [
    'replaced twice, with a change in between',
    ({ accounts }, account) => {
      const replaced = accounts.replace(account, account.contents());
      addInvoice(replaced);
      accounts.replace(replaced, replaced.contents());
    },
  ],
  ['removed', ({ accounts }, account) => accounts.remove(account)],
  [
    'removed and created again',
    (world, account) => {
      world.accounts.remove(account);
      addInvoice(openAccount(world, account.id));
    },
  ],
];

test.each(replacements)(
  'if an account is changed and then %s, and the store rejects both, neither takes effect',
  async (_change, replace) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    const account = openAccount(world, 'one');
    const invoice = addInvoice(account);
    await world.commits.whenStored();
    store.holdCommits();
    addInvoice(account);
    replace(world, account);
    const whenStored = world.commits.whenStored();
    store.rejectHeldCommits();
    await expect(whenStored).rejects.toThrow('not-stored');
    const restored = world.accounts.get('one');
    expect(restored?.invoices.rows.map(({ id }) => id)).toEqual([invoice.id]);
    expect(restored?.isClosed).toBe(false);
  },
);

test.each(replacements)(
  'if an account is created and then %s, and the store rejects both, it does not exist',
  async (_change, replace) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    store.holdCommits();
    replace(world, openAccount(world, 'one'));
    const whenStored = world.commits.whenStored();
    store.rejectHeldCommits();
    await expect(whenStored).rejects.toThrow('not-stored');
    expect(world.accounts.get('one')).toBeUndefined();
  },
);

test.each<[string, (world: World, account: Account) => unknown]>([
  ['changed', (_world, account) => addInvoice(account)],
  ['created', (world) => openAccount(world, 'two')],
  ...replacements,
])(
  'if an account is %s, and the store rejects the commit immediately, nothing changes, and the next commit is stored',
  async (_change, change) => {
    const store = new ScriptedStore();
    const world = await emptyWorld(store);
    const account = openAccount(world, 'one');
    addInvoice(account);
    await world.commits.whenStored();
    const contentsBefore = contentsOf(world);
    const append = vi.spyOn(store, 'append').mockImplementation(() => {
      throw new RangeError('Invalid string length');
    });
    expect(() => change(world, account)).toThrow('not-stored');
    append.mockRestore();
    expect(contentsOf(world)).toEqual(contentsBefore);
    expect(world.accounts.all()).toEqual([account]);
    addInvoice(account);
    await world.commits.whenStored();
    expect(contentsOf(await emptyWorld(store))).toEqual(contentsOf(world));
  },
);

/** Ways in which a store writes several commits, each with a function that creates a failing `append`. */
const failingAppends: readonly [string, () => () => Promise<void>][] = [
  [
    'together',
    () => {
      // A store that writes commits together returns the same promise for all of them.
      const failure = Promise.reject(new Error('no space'));
      return () => failure;
    },
  ],
  ['one after the other', () => () => Promise.reject(new Error('no space'))],
];

test.each(failingAppends)(
  'if the store fails to write two commits %s, they are undone latest first, and the failure is reported once',
  async (_way, createAppend) => {
    const failures: unknown[] = [];
    const undone: string[] = [];
    const pending = new PendingCommits({ ...createMemoryStore(), append: createAppend() }, (error) =>
      failures.push(error),
    );
    const commit: Commit = { account: 'one', mode: 'merge', changes: {} };
    pending.record(commit, () => void undone.push('first'));
    pending.record(commit, () => void undone.push('second'));
    await expect(pending.whenStored()).rejects.toThrow('not-stored');
    expect(undone).toEqual(['second', 'first']);
    expect(failures).toEqual([new Error('no space')]);
    expect(pending.whenStored()).toBeUndefined();
  },
);

test('commits are undone even if the callback that reports the failure throws', async () => {
  const undone: string[] = [];
  const failingStore = { ...createMemoryStore(), append: () => Promise.reject(new Error('no space')) };
  const pending = new PendingCommits(failingStore, () => {
    throw new Error('the log failed');
  });
  pending.record({ account: 'one', mode: 'merge', changes: {} }, () => void undone.push('commit'));
  await expect(pending.whenStored()).rejects.toThrow('the log failed');
  expect(undone).toEqual(['commit']);
});

test('settings that an account already has are not stored again', async () => {
  const store = new ScriptedStore();
  const world = await emptyWorld(store);
  const account = openAccount(world, 'one');
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/' });
  await world.commits.whenStored();
  const countBefore = store.commits.length;
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/', rateLimit: account.record.rate_limit });
  await world.commits.whenStored();
  expect(store.commits).toHaveLength(countBefore);
});
