import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../lib/error-code.js';
import { isRecord } from '../lib/json.js';
import { invalidChoices } from '../openapi/profile.js';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import { CheckpointFile } from './checkpoint.js';
import { DataFolderError } from './data-folder-error.js';
import { checkpointPath, dataFolderFormat, ensureDataFolder, unusableFolder } from './folder.js';
import { JournalWriter } from './journal.js';
import { lockFolder, readUnusedFolder } from './lock.js';
import { type Problem, type ReportProblem, throwProblem } from './problem.js';
import { type AccountRows, readFolder, readSnapshot } from './read-folder.js';
import { keyOf, loadRowValidators, tablesOf } from './rows.js';

/** The lease of a folder that no simulator has opened yet (see `JournalFile`). */
const firstLease = 1;

/** Valid contents of a data folder, and its problems. */
export interface Inspection {
  readonly problems: readonly Problem[];
  /** Number of the last commit. */
  readonly seq: number;
  /** Valid rows by account. */
  readonly accounts: ReadonlyMap<string, RowsByTable>;
  /** Valid contents of snapshots, by file. */
  readonly snapshots: ReadonlyMap<string, AccountRows>;
}

/**
 * Reads a data folder that no simulator is using, without changing it.
 * @throws DataFolderError if it does not exist, is in use or is opened meanwhile, cannot be read, or a newer version
 * wrote it
 */
export async function inspectFolder(folder: string): Promise<Inspection> {
  try {
    return await readUnusedFolder(folder, () => inspect(folder));
  } catch (error) {
    throw errorCode(error) === undefined ? error : unusableFolder(folder, error);
  }
}

async function inspect(folder: string): Promise<Inspection> {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => {
    // A newer version can use this file, so it is not damaged, and a repair must not drop it.
    if (problem.kind === 'newer') throwProblem(problem);
    problems.push(problem);
  };
  const merged = new MergedCommits();
  // Yields the commits, and returns the number of the last one and the snapshots that version 1 stored inline.
  const reader = readFolder(folder, { report, afterMissingCommits: 'continue' });
  let step = await reader.next();
  for (; !step.done; step = await reader.next()) {
    const { account, changes } = step.value;
    merged.add({ ...step.value, changes: withoutInvalidChoices(changes, folder, `account ${account}: `, report) });
  }
  const { seq, inlineSnapshots } = step.value;
  const accounts = await merged.validAccounts((id, reason) =>
    report({ kind: 'damaged', file: folder, message: `account ${id}: ${reason}` }),
  );
  const snapshots = new Map<string, AccountRows>();
  for (const [file, { account, changes }] of inlineSnapshots) {
    const prefix = `snapshot of account ${account}: `;
    snapshots.set(file, { account, changes: withoutInvalidChoices(changes, folder, prefix, report) });
  }
  for (const [account, changes] of accounts) {
    for (const { contents: file } of changes.snapshots ?? []) {
      const wasRemoved = file === null;
      if (wasRemoved || snapshots.has(file)) continue;
      const path = join(folder, file);
      if (problems.some((problem) => problem.file === path)) continue;
      const rows = await readSnapshot(folder, file, report);
      if (rows) snapshots.set(file, { account, changes: withoutInvalidChoices(rows, path, '', report) });
    }
    const readableSnapshots = changes.snapshots?.filter(({ contents }) => contents !== null && snapshots.has(contents));
    if (readableSnapshots) accounts.set(account, { ...changes, snapshots: readableSnapshots });
  }
  return { problems, seq, accounts, snapshots };
}

/**
 * Reports and removes invalid choices, because of which starting the simulator or restoring the snapshot would fail.
 * Their defaults apply instead.
 */
function withoutInvalidChoices(
  rows: RowsByTable,
  file: string,
  messagePrefix: string,
  report: ReportProblem,
): RowsByTable {
  if (!rows.account) return rows;
  const account = rows.account.map((record) => {
    const errors = invalidChoices(record.profile);
    for (const { message } of errors) report({ kind: 'invalid', file, message: `${messagePrefix}${message}` });
    const invalidGaps = new Set(errors.map(({ path: [gap] }) => gap));
    const valid = Object.entries(record.profile).filter(([gap]) => !invalidGaps.has(gap));
    return errors.length === 0 ? record : { ...record, profile: Object.fromEntries(valid) };
  });
  return { ...rows, account };
}

/** Current rows after all commits, by account, table and key. */
class MergedCommits {
  readonly #accounts = new Map<string, Map<string, Map<string | number, object>>>();

  add({ account, changes, mode }: Commit): void {
    if (mode !== 'merge') this.#accounts.delete(account);
    if (mode === 'remove') return;
    const tables = this.#accounts.get(account) ?? new Map<string, Map<string | number, object>>();
    this.#accounts.set(account, tables);
    for (const [table, rows] of Object.entries(tablesOf(changes))) {
      const byKey = tables.get(table) ?? new Map<string | number, object>();
      tables.set(table, byKey);
      for (const row of rows) if (isRecord(row)) byKey.set(keyOf(row), row);
    }
  }

  /** @param onDropped called for each account that is left out, with the reason */
  async validAccounts(onDropped: (id: string, reason: string) => void): Promise<Map<string, RowsByTable>> {
    const { areValidRows } = await loadRowValidators();
    const accounts = new Map<string, RowsByTable>();
    for (const [id, tables] of this.#accounts) {
      const changes = Object.fromEntries([...tables].map(([table, rows]) => [table, [...rows.values()]]));
      if (!areValidRows(changes, ({ message }) => onDropped(id, message))) continue;
      if (changes['account']?.length === 1) accounts.set(id, changes);
      else onDropped(id, 'its own row is missing');
    }
    return accounts;
  }
}

/**
 * Writes the valid contents of an inspection into a new data folder.
 * @throws DataFolderError if the folder is not empty
 */
export async function writeFolder(folder: string, { seq, accounts, snapshots }: Inspection): Promise<void> {
  await ensureDataFolder(folder);
  if ((await readdir(folder)).length > 0) {
    throw new DataFolderError(`${folder} is not empty; choose a new folder`);
  }
  const lock = await lockFolder(folder);
  try {
    const ignoreFailure = (): void => undefined;
    const write = (path: string, rows: ReadonlyMap<string, RowsByTable>): Promise<void> =>
      new CheckpointFile(path, ignoreFailure, () => lock.check()).write({
        format: dataFolderFormat,
        seq,
        accounts: Object.fromEntries([...rows].map(([account, changes]) => [account, tablesOf(changes)])),
      });
    for (const [name, { account, changes }] of snapshots)
      await write(join(folder, name), new Map([[account, changes]]));
    // Without a journal after it, the checkpoint would count as rolled back.
    const journal = new JournalWriter(folder, seq + 1, firstLease, 'disk');
    journal.create();
    await journal.sync();
    journal.close();
    await write(checkpointPath(folder), accounts);
  } finally {
    lock.release();
  }
}
