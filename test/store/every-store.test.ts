import { describe, expect, test } from 'vitest';
import type { Commit } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { commitNumbers, numberedCommit, openFolder } from './open-store.js';

/** The implementations of `Store`. */
const adapters: {
  name: string;
  /** True if closing the store and opening it again gives the same data. */
  isPersistent: boolean;
  open: (folder: string) => Promise<{ store: Store; loaded: Commit[] }>;
}[] = [
  { name: 'memory', isPersistent: false, open: async () => ({ store: createMemoryStore(), loaded: [] }) },
  { name: 'JSON file', isPersistent: true, open: (folder) => openFolder(folder) },
  {
    name: 'JSON file, durable on disk',
    isPersistent: true,
    open: (folder) => openFolder(folder, { durability: 'disk' }),
  },
  {
    name: 'JSON file that rewrites its journal after every commit',
    isPersistent: true,
    open: (folder) => openFolder(folder, { journalLimit: 300 }),
  },
];

describe.each(adapters)('the $name store', ({ open }) => {
  test('is empty when it is opened for the first time', async () => {
    const { store, loaded } = await open(tempFolder());
    expect(loaded).toEqual([]);
    await store.close();
  });

  test('stores commits in the order of the `append` calls', async () => {
    const { store } = await open(tempFolder());
    const storedNumbers: number[] = [];
    const append = async (number: number): Promise<void> => {
      await store.append(numberedCommit(number));
      storedNumbers.push(number);
    };
    await Promise.all([1, 2, 3, 4, 5].map(append));
    expect(storedNumbers).toEqual([1, 2, 3, 4, 5]);
    await store.close();
  });

  test('returns the contents of a saved snapshot', async () => {
    const { store } = await open(tempFolder());
    const contents = [1, 2].map((number) => numberedCommit(number).changes);
    const references = await Promise.all(contents.map((rows) => store.saveContents('demo', rows)));
    expect(await Promise.all(references.map((reference) => store.readContents(reference)))).toEqual(contents);
    await store.close();
  });

  test('stores commits that are appended while others are being stored', async () => {
    const { store } = await open(tempFolder());
    const append = async (...numbers: number[]): Promise<void> => {
      for (const number of numbers) await store.append(numberedCommit(number));
    };
    await expect(Promise.all([append(1, 3), append(2, 4)])).resolves.toHaveLength(2);
    await store.close();
  });
});

describe.each(adapters.filter(({ isPersistent }) => isPersistent))('the $name store, reopened', ({ open }) => {
  test('returns every commit, in order', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    for (const number of [1, 2, 3]) await append(numberedCommit(number));
    await store.close();
    const reopened = await open(folder);
    expect(commitNumbers(reopened.loaded)).toEqual([1, 2, 3]);
    await reopened.store.close();
  });

  test('returns strings of every kind unchanged', async () => {
    const text = 'emoji 🚀, \u200fעברית\u200f, line\nbreak, \u2028, "quotes", \\, \u0000, \ud800 alone';
    const folder = tempFolder();
    const { store } = await open(folder);
    await store.append(numberedCommit(1, text));
    const reopened = await open(copyAsAfterCrash(folder));
    expect(reopened.loaded.at(-1)?.changes?.replays?.[0]?.body).toBe(text);
    await reopened.store.close();
    await store.close();
  });
});
