import { describe, expect, test } from 'vitest';
import type { Commit } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { numbered, numbersIn, openFolder } from './open-store.js';

/** Each adapter and how to open it on a path; `keeps` is true if the data outlives the store. */
const adapters: {
  name: string;
  keeps: boolean;
  open: (place: string) => Promise<{ store: Store; loaded: Commit[] }>;
}[] = [
  { name: 'memory', keeps: false, open: async () => ({ store: createMemoryStore(), loaded: [] }) },
  { name: 'JSON file', keeps: true, open: (place) => openFolder(place) },
  { name: 'JSON file, durable on disk', keeps: true, open: (place) => openFolder(place, { durability: 'disk' }) },
  {
    name: 'JSON file that rewrites its journal after every commit',
    keeps: true,
    open: (place) => openFolder(place, { journalLimit: 300 }),
  },
];

describe.each(adapters)('the $name store', ({ open }) => {
  test('is empty at first', async () => {
    const { store, loaded } = await open(tempFolder());
    expect(loaded).toEqual([]);
    await store.close();
  });

  test('stores commits in the order of the calls', async () => {
    const { store } = await open(tempFolder());
    const settled: number[] = [];
    const append = async (number: number): Promise<void> => {
      await store.append(numbered(number));
      settled.push(number);
    };
    await Promise.all([1, 2, 3, 4, 5].map(append));
    expect(settled).toEqual([1, 2, 3, 4, 5]);
    await store.close();
  });

  test('returns the contents of a saved snapshot', async () => {
    const { store } = await open(tempFolder());
    const contents = [1, 2].map((number) => numbered(number).changes);
    const references = await Promise.all(contents.map((rows) => store.saveContents('demo', rows)));
    expect(await Promise.all(references.map((reference) => store.readContents(reference)))).toEqual(contents);
    await store.close();
  });

  test('stores commits that come while others are being stored', async () => {
    const { store } = await open(tempFolder());
    const append = async (...numbers: number[]): Promise<void> => {
      for (const number of numbers) await store.append(numbered(number));
    };
    await expect(Promise.all([append(1, 3), append(2, 4)])).resolves.toHaveLength(2);
    await store.close();
  });
});

describe.each(adapters.filter(({ keeps }) => keeps))('the $name store, opened again', ({ open }) => {
  test('returns every commit, in order', async () => {
    const place = tempFolder();
    const { store, append } = await openFolder(place);
    for (const number of [1, 2, 3]) await append(numbered(number));
    await store.close();
    const again = await open(place);
    expect(numbersIn(again.loaded)).toEqual([1, 2, 3]);
    await again.store.close();
  });

  test('returns strings of every kind unchanged', async () => {
    const text = 'emoji 🚀, \u200fעברית\u200f, line\nbreak, \u2028, "quotes", \\, \u0000, \ud800 alone';
    const place = tempFolder();
    const { store } = await open(place);
    await store.append(numbered(1, text));
    const again = await open(copyAsAfterCrash(place));
    expect(again.loaded.at(-1)?.changes?.replays?.[0]?.body).toBe(text);
    await again.store.close();
    await store.close();
  });
});
