import type { Commit, Store } from '../../src/simulation/world.js';
import type { Durability } from '../../src/store/journal.js';
import { openJsonFileStore } from '../../src/store/json-file.js';

export interface OpenStore {
  readonly store: Store;
  /** What was loaded, oldest first. */
  readonly loaded: Commit[];
  /** What the store had to say. */
  readonly notices: string[];
  /** Puts a commit into memory, which snapshots are made of, and into the store. */
  append(commit: Commit): Promise<void>;
}

export interface Options {
  readonly durability?: Durability;
  readonly journalLimit?: number;
}

/** Opens a data folder and loads it, with the commits themselves for the memory that snapshots are made of. */
export async function openFolder(folder: string, options: Options = {}): Promise<OpenStore> {
  const loaded: Commit[] = [];
  const notices: string[] = [];
  const memory = new Map<string, Commit>();
  const store = await openJsonFileStore({
    folder,
    durability: options.durability ?? 'os',
    contents: () => [...memory.values()],
    onNotice: (notice) => notices.push(notice),
    onSnapshotFailure: (error) => notices.push(String(error)),
    ...(options.journalLimit === undefined ? {} : { journalLimit: options.journalLimit }),
  });
  const remember = (commit: Commit): (() => void) => {
    const before = memory.get(commit.account) ?? { account: commit.account, put: {} };
    const replays = [...(before.put.replays ?? []), ...(commit.put.replays ?? [])];
    memory.set(commit.account, { account: commit.account, put: { replays } });
    return () => memory.set(commit.account, before);
  };
  for await (const commit of store.load()) {
    loaded.push(commit);
    remember(commit);
  }
  return {
    store,
    loaded,
    notices,
    async append(commit) {
      const forget = remember(commit);
      await store.append(commit).catch((error: unknown) => {
        forget();
        throw error;
      });
    },
  };
}

/** A commit that is told from others by its number. */
export function numbered(number: number, text = ''): Commit {
  const replay = {
    id: String(number),
    fingerprint: '',
    status: 200,
    body: text,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  return { account: 'demo', put: { replays: [replay] } };
}

/** The numbers of all rows in some commits, in their order. */
export function numbersIn(commits: readonly Commit[]): number[] {
  return commits.flatMap(({ put }) => (put?.replays ?? []).map(({ id }) => Number(id)));
}
