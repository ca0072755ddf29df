import { instant } from '../../domain/dates.js';
import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../account.js';
import type { Accounts } from '../accounts.js';
import type { Snapshot } from '../state/changes.js';

/**
 * Saves an account as it is now under a name, in place of what had that name before.
 * @throws ServiceError not-stored, account-replaced
 */
export async function saveSnapshot(account: Account, name: string): Promise<Snapshot> {
  const created_at = instant(account.now());
  const rows = account.snapshotRows();
  // What is saved may have commits that are still on their way to the store.
  await account.stored();
  const snapshot = { name, created_at, contents: await account.saveContents(rows) };
  account.transaction((tx) => tx.put({ snapshots: [snapshot] }));
  return snapshot;
}

/** @throws ServiceError snapshot-unknown */
export function getSnapshot(account: Account, name: string): Snapshot {
  const snapshot = account.snapshots.get(name);
  if (!snapshot) throw new ServiceError('snapshot-unknown');
  return snapshot;
}

/** @throws ServiceError snapshot-unknown */
export function removeSnapshot(account: Account, name: string): void {
  const removed: Snapshot = { ...getSnapshot(account, name), contents: null };
  account.transaction((tx) => tx.put({ snapshots: [removed] }));
}

/**
 * Puts an account back to how it was: records, clock, agenda, deliveries and all. Who may come in (tokens), where
 * webhooks go, whether the rate limit holds, and the snapshots stay as they are now.
 * @throws ServiceError snapshot-unknown, account-replaced
 */
export async function restoreSnapshot(accounts: Accounts, account: Account, name: string): Promise<Account> {
  const { contents: reference, created_at } = getSnapshot(account, name);
  if (reference === null) throw new ServiceError('snapshot-unknown');
  const contents = await account.readContents(reference);
  const [saved] = contents.account ?? [];
  if (!saved) throw new ServiceError('snapshot-unknown');
  if (account.isClosed) throw new ServiceError('account-replaced');
  const { webhook_url, webhook_secret, retired_secret, rotations, rate_limit } = account.record;
  // A clock that runs goes on from the moment at which it was saved.
  const clock = account.clock.stateAt(Date.parse(created_at), saved.clock.mode);
  return accounts.replace(account, {
    ...contents,
    account: [
      {
        ...saved,
        clock,
        webhook_url,
        webhook_secret,
        ...(retired_secret === undefined ? {} : { retired_secret }),
        ...(rotations === undefined ? {} : { rotations }),
        rate_limit,
      },
    ],
    tokens: [...account.tokens.rows],
    snapshots: [...account.snapshots.values()],
  });
}

/** How many snapshots are kept that were saved so that a reset or a restore can be undone. */
const maxUndoSnapshots = 5;

const undoName = /^before-(?:reset|restore)-(?<number>\d+)$/;

/**
 * Saves an account before it is reset or restored, so that it can be undone. The oldest of these snapshots gives way.
 * @param restored the snapshot that is about to be restored, which stays
 * @returns the name of the new snapshot
 * @throws ServiceError not-stored, account-replaced
 */
export async function saveForUndo(account: Account, cause: 'reset' | 'restore', restored?: string): Promise<string> {
  const numberOf = (name: string): number => Number(undoName.exec(name)?.groups?.['number'] ?? 0);
  const saved = [...account.snapshots.keys()].filter((name) => undoName.test(name));
  const oldestFirst = saved.sort((a, b) => numberOf(a) - numberOf(b));
  const name = `before-${cause}-${numberOf(oldestFirst.at(-1) ?? '') + 1}`;
  await saveSnapshot(account, name);
  for (const old of oldestFirst.slice(0, -(maxUndoSnapshots - 1))) {
    if (old !== restored) removeSnapshot(account, old);
  }
  return name;
}
