import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../lib/error-code.js';
import { isRecord } from '../lib/json.js';
import { invalidChoices } from '../openapi/profile.js';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import { CheckpointFile } from './checkpoint.js';
import { DataFolderError } from './data-folder-error.js';
import { checkpointPath, claimFolder, format, unusableFolder } from './folder.js';
import { JournalWriter } from './journal.js';
import { lockFolder, readUnusedFolder } from './lock.js';
import { type Problem, type ReportProblem, throwProblem } from './problem.js';
import { type AccountRows, readFolder, readSnapshot } from './read-folder.js';
import { keyOf, loadRowValidators, tablesOf } from './rows.js';

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
 * @throws DataFolderError if it does not exist, is or comes into use, cannot be read, or a newer version wrote it
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
  const reader = readFolder(folder, { report, afterMissingCommits: 'continue' });
  let step = await reader.next();
  for (; !step.done; step = await reader.next()) {
    const { account, changes } = step.value;
    merged.add({ ...step.value, changes: withoutInvalidChoices(changes, folder, `account ${account}: `, report) });
  }
  const { seq, inlineSnapshots } = step.value;
  const accounts = await merged.accounts((id) =>
    report({ kind: 'damaged', file: folder, message: `the row of account ${id} itself is missing` }),
  );
  const snapshots = new Map<string, AccountRows>();
  for (const [file, { account, changes }] of inlineSnapshots) {
    const place = `snapshot of account ${account}: `;
    snapshots.set(file, { account, changes: withoutInvalidChoices(changes, folder, place, report) });
  }
  for (const [account, changes] of accounts) {
    for (const { contents: file } of changes.snapshots ?? []) {
      const isReadOrReported =
        file === null || snapshots.has(file) || problems.some((problem) => problem.file === join(folder, file));
      const contents = isReadOrReported ? undefined : await readSnapshot(folder, file, report);
      if (contents && file !== null) {
        const valid = withoutInvalidChoices(contents, join(folder, file), '', report);
        snapshots.set(file, { account, changes: valid });
      }
    }
    const readableSnapshots = changes.snapshots?.filter(({ contents }) => contents !== null && snapshots.has(contents));
    if (readableSnapshots) accounts.set(account, { ...changes, snapshots: readableSnapshots });
  }
  return { problems, seq, accounts, snapshots };
}

/**
 * Reports choices with which a start or a restore would refuse the profile, and removes them, so that their defaults
 * apply.
 */
function withoutInvalidChoices(rows: RowsByTable, file: string, place: string, report: ReportProblem): RowsByTable {
  if (!rows.account) return rows;
  const account = rows.account.map((record) => {
    const errors = invalidChoices(record.profile);
    for (const { message } of errors) report({ kind: 'invalid', file, message: `${place}${message}` });
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

  /** @param onIncomplete called with each account without its own row, which is dropped */
  async accounts(onIncomplete: (id: string) => void): Promise<Map<string, RowsByTable>> {
    const { areValidRows } = await loadRowValidators();
    const accounts = new Map<string, RowsByTable>();
    for (const [id, tables] of this.#accounts) {
      const changes = Object.fromEntries([...tables].map(([table, rows]) => [table, [...rows.values()]]));
      if (!areValidRows(changes, ({ message }) => onIncomplete(`${id} (${message})`))) continue;
      if (changes['account']?.length === 1) accounts.set(id, changes);
      else onIncomplete(id);
    }
    return accounts;
  }
}

/**
 * Writes the valid contents of an inspection into a new data folder.
 * @throws DataFolderError if the folder is not empty
 */
export async function writeFolder(folder: string, { seq, accounts, snapshots }: Inspection): Promise<void> {
  await claimFolder(folder);
  if ((await readdir(folder)).length > 0) {
    throw new DataFolderError(`${folder} is not empty; choose a new folder`);
  }
  const lock = await lockFolder(folder);
  try {
    const write = (path: string, rows: ReadonlyMap<string, RowsByTable>): Promise<void> =>
      new CheckpointFile(
        path,
        () => undefined,
        () => lock.check(),
      ).write({
        format,
        seq,
        accounts: Object.fromEntries([...rows].map(([account, changes]) => [account, tablesOf(changes)])),
      });
    for (const [name, { account, changes }] of snapshots)
      await write(join(folder, name), new Map([[account, changes]]));
    const journal = new JournalWriter(folder, seq + 1, 1, 'disk');
    journal.create();
    await journal.sync();
    journal.close();
    await write(checkpointPath(folder), accounts);
  } finally {
    lock.release();
  }
}
