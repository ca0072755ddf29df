import { Accounts, type AccountsOptions } from './accounts.js';
import type { Commit } from './state/changes.js';
import { type OnStoreFailure, PendingCommits } from './state/pending-commits.js';
import type { Store } from './state/ports.js';
import { brokenReferences } from './state/references.js';
import { StoredDataError } from './state/stored-data-error.js';

/**
 * Accounts of a simulator and their storage, without HTTP. A process can have several worlds, each a separate
 * simulator.
 */
export interface World {
  readonly accounts: Accounts;
  readonly commits: PendingCommits;
}

export interface WorldOptions extends AccountsOptions {
  readonly store: Store;
  /** Called when the store fails to write a change or to read a snapshot. */
  readonly onStoreFailure: OnStoreFailure;
}

/**
 * Creates a world from the stored data. The caller creates the default account if there is none.
 * @throws StoredDataError, ProfileError
 */
export async function createWorld(options: WorldOptions): Promise<World> {
  const commits = new PendingCommits(options.store, options.onStoreFailure);
  const accounts = new Accounts(commits, options);
  for await (const commit of options.store.load()) accounts.load(commit);
  for (const account of accounts.all()) {
    const [broken] = brokenReferences(account.snapshotRows(), account);
    if (broken) throw new StoredDataError(`the stored data of account ${account.id} cannot be used: ${broken.message}`);
  }
  return { accounts, commits };
}

/** Contents of the world, as commits that recreate it. */
export function contentsOf(world: World): Commit[] {
  return world.accounts.all().map((account) => ({ account: account.id, changes: account.contents(), mode: 'merge' }));
}
