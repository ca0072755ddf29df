import type { AccountRecord, Commit } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';
import type { Durability } from '../../src/store/journal.js';
import { openJsonFileStore } from '../../src/store/json-file.js';

export interface OpenStore {
  readonly store: Store;
  /** The commits in the folder when it was opened, oldest first. */
  readonly loaded: Commit[];
  /** Notices of the store, and errors of checkpoints that failed. */
  readonly notices: string[];
  /** Applies a commit to memory and stores it. Checkpoints are written from memory, so both are needed. */
  append(commit: Commit): Promise<void>;
}

export interface OpenOptions {
  readonly durability?: Durability;
  /** Size of the journals, in bytes, above which a checkpoint is written. */
  readonly journalLimit?: number;
  readonly acceptRollback?: boolean;
}

/** Opens a data folder and loads its commits into memory, from which checkpoints are written. */
export async function openFolder(folder: string, options: OpenOptions = {}): Promise<OpenStore> {
  const loaded: Commit[] = [];
  const notices: string[] = [];
  const memory = new Map<string, Commit>();
  const store = await openJsonFileStore({
    folder,
    durability: 'os',
    allRows: () => [...memory.values()],
    onNotice: (notice) => notices.push(notice),
    onCheckpointFailure: (error) => notices.push(String(error)),
    ...options,
  });
  /** @returns a function that undoes the commit */
  const applyInMemory = (commit: Commit): (() => void) => {
    const newAccount: Commit = { account: commit.account, changes: { account: [accountRecord] }, mode: 'merge' };
    const previous = memory.get(commit.account) ?? newAccount;
    const keyed_responses = [...(previous.changes.keyed_responses ?? []), ...(commit.changes.keyed_responses ?? [])];
    const snapshots = [...(previous.changes.snapshots ?? []), ...(commit.changes.snapshots ?? [])];
    memory.set(commit.account, { ...previous, changes: { ...previous.changes, keyed_responses, snapshots } });
    return () => memory.set(commit.account, previous);
  };
  try {
    for await (const commit of store.load()) {
      loaded.push(commit);
      applyInMemory(commit);
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
      const undo = applyInMemory(commit);
      try {
        await store.append(commit);
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
}

/** Opens a data folder and closes it again. Returns the numbers of the commits in it. */
export async function readCommitNumbers(folder: string): Promise<number[]> {
  const { store, loaded } = await openFolder(folder);
  await store.close();
  return commitNumbers(loaded);
}

export const accountRecord: AccountRecord = {
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

/** A commit with one row, whose id is this number: a stored response in the `keyed_responses` table. */
export function numberedCommit(number: number, body = ''): Commit {
  const response = {
    id: String(number),
    fingerprint: '',
    status: 200,
    body,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  return { account: 'demo', changes: { keyed_responses: [response] }, mode: 'merge' };
}

/** Numbers of commits that `numberedCommit` created, in order. */
export function commitNumbers(commits: readonly Commit[]): number[] {
  return commits.flatMap(({ changes }) => (changes.keyed_responses ?? []).map(({ id }) => Number(id)));
}
