import { isDeepStrictEqual } from 'node:util';
import { formatInstant } from '../../domain/dates.js';
import type { Delivery } from '../../domain/records.js';
import { requireFound, ServiceError } from '../../domain/service-error.js';
import { snapshotFileFormat } from '../../domain/snapshot-file-format.js';
import { version } from '../../generated/version.js';
import type { Account } from '../account.js';
import type { Accounts } from '../accounts.js';
import type { AccountRecord, RowsByTable, Snapshot } from '../state/changes.js';
import { type SnapshotFile, snapshotFileVersion } from '../state/snapshot-file.js';

/**
 * Saves the current state of an account under a name, and replaces a snapshot with the same name.
 * @throws ServiceError not-stored, account-replaced
 */
export async function saveSnapshot(account: Account, name: string): Promise<Snapshot> {
  const created_at = formatInstant(account.now());
  const rows = account.snapshotRows();
  // A snapshot must not contain changes that could not be stored.
  await account.whenStored();
  return storeSnapshot(account, name, created_at, rows);
}

/**
 * Deliveries in the snapshots that this process has saved. A snapshot that is read from a file has new objects, but the
 * library uses object identity to recognize messages that it has already returned.
 */
const savedDeliveries = new WeakMap<Snapshot, readonly Delivery[]>();

/** @throws ServiceError not-stored, account-replaced */
async function storeSnapshot(account: Account, name: string, created_at: string, rows: RowsByTable): Promise<Snapshot> {
  const snapshot = { name, created_at, contents: await account.saveContents(rows) };
  savedDeliveries.set(snapshot, rows.deliveries ?? []);
  account.transaction((tx) => tx.put({ snapshots: [snapshot] }));
  return snapshot;
}

/** @throws ServiceError snapshot-not-found */
export function getSnapshot(account: Account, name: string): Snapshot {
  return requireFound(account.snapshots.get(name), 'snapshot-not-found');
}

/** Reads a snapshot, with the record of its account. @throws ServiceError snapshot-not-found, snapshot-unreadable */
async function readSnapshot(account: Account, name: string) {
  const snapshot = getSnapshot(account, name);
  const rows = snapshot.contents === null ? {} : await account.readContents(snapshot.contents);
  const [record] = rows.account ?? [];
  if (!record) throw new ServiceError('snapshot-not-found');
  return { snapshot, rows, record };
}

/** @throws ServiceError snapshot-not-found */
export function removeSnapshot(account: Account, name: string): void {
  const removed: Snapshot = { ...getSnapshot(account, name), contents: null };
  account.transaction((tx) => tx.put({ snapshots: [removed] }));
}

/**
 * Restores an account to a snapshot: records, clock, agenda and deliveries. Keeps the current tokens, webhook URL and
 * secret, random seed, rate limit and snapshots.
 * @throws ServiceError snapshot-not-found, snapshot-unreadable, account-replaced; ProfileError, if a choice of the
 *   snapshot no longer exists
 */
export async function restoreSnapshot(accounts: Accounts, account: Account, name: string): Promise<Account> {
  const { snapshot, rows, record } = await readSnapshot(account, name);
  // A running clock continues from the time of the snapshot.
  const clock = account.clock.stateAt(Date.parse(snapshot.created_at), record.clock.mode);
  const { rate_limit } = account.record;
  const restored = accounts.replace(account, {
    ...rows,
    ...(rows.deliveries && { deliveries: withKnownDeliveries(rows.deliveries, account, snapshot) }),
    account: [{ ...account.record, ...withoutLocalSettings(record), id: account.id, clock, rate_limit }],
    tokens: [...account.tokens.rows],
    snapshots: [...account.snapshots.values()],
  });
  restored.activity.markOutdated(restored.whenStored());
  return restored;
}

/**
 * Replaces deliveries from a file with the objects that the account had for them when the snapshot was saved, or has for
 * them now, if their content is the same.
 */
function withKnownDeliveries(deliveries: readonly Delivery[], account: Account, snapshot: Snapshot): Delivery[] {
  const saved = new Map(savedDeliveries.get(snapshot)?.map((row) => [row.id, row]));
  return deliveries.map((row) => {
    const known = saved.get(row.id) ?? account.deliveries.get(row.id);
    return known && isDeepStrictEqual(known, row) ? known : row;
  });
}

/**
 * The snapshot as a file for other simulators, without secrets.
 * @throws ServiceError snapshot-not-found, snapshot-unreadable
 */
export async function exportSnapshot(account: Account, name: string): Promise<SnapshotFile> {
  const { snapshot, rows, record } = await readSnapshot(account, name);
  return {
    format: snapshotFileFormat,
    version: snapshotFileVersion,
    written_by: version,
    name,
    created_at: snapshot.created_at,
    tables: { ...rows, account: [{ ...withoutLocalSettings(record), ...noSecrets }] },
  };
}

/**
 * Adds a snapshot from a file, and replaces a snapshot with the same name. Does not change the records of the account.
 * @param file validated by its reader
 * @throws ServiceError not-stored, account-replaced; ProfileError
 */
export async function importSnapshot(
  accounts: Accounts,
  account: Account,
  { tables, created_at, name: nameInFile }: SnapshotFile,
  name = nameInFile,
): Promise<Snapshot> {
  const [imported] = tables.account ?? [];
  if (!imported) throw new Error('the snapshot file has no account record');
  const rows: RowsByTable = {
    ...tables,
    account: [{ ...account.record, ...withoutLocalSettings(imported), id: account.id }],
  };
  accounts.checkLoadable(account, rows);
  return storeSnapshot(account, name, created_at, rows);
}

/**
 * Placeholders for the secrets in a snapshot file. The random seed is a secret, too, since tokens and webhook secrets
 * may be derived from it.
 */
const noSecrets = { webhook_url: null, webhook_secret: '', random_seed: '' };

/** Leaves out what a snapshot does not change: the webhook settings, the random seed, and whether the account is temporary. */
function withoutLocalSettings(record: AccountRecord) {
  const {
    webhook_url: _url,
    webhook_secret: _secret,
    retired_secret: _retired,
    rotations: _rotations,
    random_seed: _seed,
    has_chosen_seed: _chosen,
    is_temporary: _temporary,
    ...rest
  } = record;
  return rest;
}

/** Maximum number of snapshots kept to undo resets and restores. */
const maxUndoSnapshots = 5;

const undoName = /^before-(?:reset|restore)-(?<number>\d+)$/;

/**
 * Saves an account before a reset or restore, so that a user can undo it. Keeps only the five latest of these
 * snapshots.
 * @param restoredName name of the snapshot that will be restored, which is not deleted
 * @returns name of the new snapshot
 * @throws ServiceError not-stored, account-replaced
 */
export async function saveForUndo(
  account: Account,
  cause: 'reset' | 'restore',
  restoredName?: string,
): Promise<string> {
  const numberOf = (name: string): number => Number(undoName.exec(name)?.groups?.['number'] ?? 0);
  const saved = [...account.snapshots.keys()].filter((name) => undoName.test(name));
  const oldestFirst = saved.sort((a, b) => numberOf(a) - numberOf(b));
  const name = `before-${cause}-${numberOf(oldestFirst.at(-1) ?? '') + 1}`;
  await saveSnapshot(account, name);
  // Together with the new one, `maxUndoSnapshots` remain.
  for (const old of oldestFirst.slice(0, -(maxUndoSnapshots - 1))) {
    // An overlapping reset or restore may have removed it meanwhile.
    if (old !== restoredName && account.snapshots.has(old)) removeSnapshot(account, old);
  }
  return name;
}
