import { describe, expect, test } from 'vitest';
import type { Commit } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { accountRecord, commitNumbers, numberedCommit, type OpenStore, openFolder } from './open-store.js';

/** In bytes. Two commits exceed it, so the store often writes a checkpoint. */
const smallJournalLimit = 300;

const persistentStores: { name: string; open: (folder: string) => Promise<OpenStore> }[] = [
  { name: 'JSON file', open: (folder) => openFolder(folder) },
  { name: 'JSON file, durable on disk', open: (folder) => openFolder(folder, { durability: 'disk' }) },
  {
    name: 'JSON file with many checkpoints',
    open: (folder) => openFolder(folder, { journalLimit: smallJournalLimit }),
  },
];

const stores: { name: string; open: (folder: string) => Promise<{ store: Store; loaded: Commit[] }> }[] = [
  { name: 'memory', open: openMemory },
  ...persistentStores,
];

async function openMemory(): Promise<{ store: Store; loaded: Commit[] }> {
  const store = createMemoryStore();
  const loaded: Commit[] = [];
  for await (const commit of store.load()) loaded.push(commit);
  return { store, loaded };
}

describe.each(stores)('a store ($name)', ({ open }) => {
  test('is empty when it is opened for the first time', async () => {
    const { store, loaded } = await open(tempFolder());
    expect(loaded).toEqual([]);
    await store.close();
  });

  test('acknowledges commits in the order of the `append` calls', async () => {
    const { store } = await open(tempFolder());
    const acknowledged: number[] = [];
    const append = async (number: number): Promise<void> => {
      await store.append(numberedCommit(number));
      acknowledged.push(number);
    };
    await Promise.all([1, 2, 3, 4, 5].map(append));
    expect(acknowledged).toEqual([1, 2, 3, 4, 5]);
    await store.close();
  });

  test('returns the contents of a saved snapshot', async () => {
    const { store } = await open(tempFolder());
    const contents = [1, 2].map((number) => ({ account: [accountRecord], ...numberedCommit(number).changes }));
    const references = await Promise.all(contents.map((rows) => store.saveContents('demo', rows)));
    expect(await Promise.all(references.map((reference) => store.readContents(reference)))).toEqual(contents);
    await store.close();
  });
});

describe('the in-memory store', () => {
  const { changes: rows } = numberedCommit(1);
  /** @param contents reference that `saveContents` has returned; null once the snapshot is deleted */
  const snapshot = (name: string, contents: string | null) => ({
    name,
    created_at: '2026-03-01T09:00:00.000Z',
    contents,
  });

  test.each<[change: string, commit: (replacement: string) => Partial<Commit>]>([
    ['deleted', () => ({ changes: { snapshots: [snapshot('a', null)] } })],
    ['replaced by one with the same name', (replacement) => ({ changes: { snapshots: [snapshot('a', replacement)] } })],
    ['missing from the rows that replace its account', () => ({ mode: 'replace' })],
    ['removed with its account', () => ({ mode: 'remove' })],
  ])('forgets the contents of a snapshot that is %s', async (_change, commit) => {
    const store = createMemoryStore();
    const save = () => store.saveContents('demo', rows);
    const [first, other, replacement] = [await save(), await save(), await save()];
    const append = async (values: Partial<Commit>) =>
      store.append({ account: 'demo', mode: 'merge', changes: {}, ...values });
    await append({ changes: { snapshots: [snapshot('a', first)] } });
    await append({ account: 'other', changes: { snapshots: [snapshot('a', other)] } });
    expect(await store.readContents(first)).toEqual(rows);
    await append(commit(replacement));
    await expect(store.readContents(first)).rejects.toThrow('does not exist');
    expect(await store.readContents(other)).toEqual(rows);
  });
});

describe.each(persistentStores)('a reopened store ($name)', ({ open }) => {
  test('returns every commit, in order', async () => {
    const folder = tempFolder();
    const { store, append } = await open(folder);
    for (const number of [1, 2, 3]) await append(numberedCommit(number));
    await store.close();
    const reopened = await open(folder);
    expect(commitNumbers(reopened.loaded)).toEqual([1, 2, 3]);
    await reopened.store.close();
  });

  test('returns commits that were appended while others were being stored', async () => {
    const folder = tempFolder();
    const { store, append } = await open(folder);
    const appendInTurn = async (...numbers: number[]): Promise<void> => {
      for (const number of numbers) await append(numberedCommit(number));
    };
    await Promise.all([appendInTurn(1, 3), appendInTurn(2, 4)]);
    const reopened = await open(copyAsIfCrashed(folder));
    expect(commitNumbers(reopened.loaded)).toEqual([1, 2, 3, 4]);
    await reopened.store.close();
    await store.close();
  });

  test('returns special characters unchanged', async () => {
    const text = 'emoji 🚀, \u200fעברית\u200f, line\nbreak, \u2028, "quotes", \\, \u0000, \ud800 alone';
    const folder = tempFolder();
    const { store, append } = await open(folder);
    await append(numberedCommit(1, text));
    const reopened = await open(copyAsIfCrashed(folder));
    expect(reopened.loaded.at(-1)?.changes.keyed_responses?.[0]?.body).toBe(text);
    await reopened.store.close();
    await store.close();
  });
});
