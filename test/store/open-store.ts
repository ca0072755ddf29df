import type { AccountRecord, Commit } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';
import type { Durability } from '../../src/store/journal.js';
import { openJsonFileStore } from '../../src/store/json-file.js';

export interface OpenStore {
  readonly store: Store;
  /** Commits that were loaded, oldest first. */
  readonly loaded: Commit[];
  /** Warnings of the store. */
  readonly notices: string[];
  /** Applies a commit in memory, which checkpoints are written from, and stores it. */
  append(commit: Commit): Promise<void>;
}

export interface Options {
  readonly durability?: Durability;
  readonly journalLimit?: number;
  readonly acceptRollback?: boolean;
}

/** Opens a data folder and loads it; its commits are the memory that checkpoints are written from. */
export async function openFolder(folder: string, options: Options = {}): Promise<OpenStore> {
  const loaded: Commit[] = [];
  const notices: string[] = [];
  const memory = new Map<string, Commit>();
  const store = await openJsonFileStore({
    folder,
    durability: 'os',
    contents: () => [...memory.values()],
    onNotice: (notice) => notices.push(notice),
    onCheckpointFailure: (error) => notices.push(String(error)),
    ...options,
  });
  const remember = (commit: Commit): (() => void) => {
    const empty: Commit = { account: commit.account, changes: { account: [record] }, mode: 'merge' };
    const before = memory.get(commit.account) ?? empty;
    const replays = [...(before.changes.replays ?? []), ...(commit.changes.replays ?? [])];
    const snapshots = [...(before.changes.snapshots ?? []), ...(commit.changes.snapshots ?? [])];
    memory.set(commit.account, { ...before, changes: { ...before.changes, replays, snapshots } });
    return () => memory.set(commit.account, before);
  };
  try {
    for await (const commit of store.load()) {
      loaded.push(commit);
      remember(commit);
    }
    await store.begin();
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    store,
    loaded,
    notices,
    async append(commit) {
      const forget = remember(commit);
      try {
        await store.append(commit);
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}

const record: AccountRecord = {
  id: 'demo',
  currency: 'EUR',
  time_zone: 'UTC',
  rate_limit: true,
  clock: { mode: 'real', offset: 0 },
  profile: {},
  random_seed: '',
  webhook_url: null,
  webhook_secret: '',
  created_at: '2026-01-01T00:00:00.000Z',
};

/** Creates a commit that its number identifies. */
export function numbered(number: number, text = ''): Commit {
  const replay = {
    id: String(number),
    fingerprint: '',
    status: 200,
    body: text,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  return { account: 'demo', changes: { replays: [replay] }, mode: 'merge' };
}

/** Returns the numbers of all rows in these commits, in order. */
export function numbersIn(commits: readonly Commit[]): number[] {
  return commits.flatMap(({ changes }) => (changes.replays ?? []).map(({ id }) => Number(id)));
}
