import { join } from 'node:path';
import { isRecord } from '../lib/json.js';
import { invalidChoices } from '../openapi/profile.js';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import { withoutBrokenReferences } from '../simulation/state/references.js';
import { toDataFolderError } from './folder.js';
import { readUnusedFolder } from './lock.js';
import { type Problem, type ReportProblem, throwProblem } from './problem.js';
import { type AccountRows, readFolder } from './read-folder.js';
import { readSnapshot } from './read-snapshot.js';
import { keyOf, loadRowValidators } from './rows.js';
import { tablesOf } from './stored-tables.js';

/** Valid contents of a data folder without broken references, and its problems. */
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
 * @throws DataFolderError if it does not exist, is in use or is opened in the meantime, cannot be read, or a newer
 *   version wrote it
 */
export async function inspectFolder(folder: string): Promise<Inspection> {
  try {
    return await readUnusedFolder(folder, () => inspect(folder));
  } catch (error) {
    throw toDataFolderError(folder, error);
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
  // Yields the commits, and returns the number of the last one and the snapshots that format version 1 stored in
  // the journal.
  const reader = readFolder(folder, { report, afterMissingCommits: 'continue', trustsUnchangedFiles: false });
  let step = await reader.next();
  for (; !step.done; step = await reader.next()) {
    merged.add(step.value);
  }
  const { seq, inlineSnapshots } = step.value;
  const accounts = await merged.validAccounts((id, reason) =>
    report({ kind: 'damaged', file: folder, message: `account ${id}: ${reason}` }),
  );
  const withIntactReferences = (rows: RowsByTable, messagePrefix: string): RowsByTable =>
    withoutBrokenReferences(rows, ({ message }) =>
      report({ kind: 'invalid', file: folder, message: `${messagePrefix}${message}` }),
    );
  for (const [id, rows] of accounts) {
    const prefix = `account ${id}: `;
    accounts.set(id, withIntactReferences(withoutInvalidChoices(rows, folder, prefix, report), prefix));
  }
  const snapshots = new Map<string, AccountRows>();
  for (const [file, { account, changes }] of inlineSnapshots) {
    const prefix = `snapshot of account ${account}: `;
    const rows = withoutInvalidChoices(changes, folder, prefix, report);
    snapshots.set(file, { account, changes: withIntactReferences(rows, prefix) });
  }
  for (const [account, changes] of accounts) {
    for (const { contents: file } of changes.snapshots ?? []) {
      const wasRemoved = file === null;
      if (wasRemoved || snapshots.has(file)) continue;
      const path = join(folder, file);
      // A problem that the reader has reported, such as a missing file.
      if (problems.some((problem) => problem.file === path)) continue;
      const rows = await readSnapshot(folder, file, { report, trustsUnchangedFiles: false });
      if (rows) snapshots.set(file, { account, changes: withoutInvalidChoices(rows, path, '', report) });
    }
    const readableSnapshots = changes.snapshots?.filter(({ contents }) => contents !== null && snapshots.has(contents));
    if (readableSnapshots) accounts.set(account, { ...changes, snapshots: readableSnapshots });
  }
  return { problems, seq, accounts, snapshots };
}

/**
 * Reports and removes invalid choices, with which the simulator would not start or the snapshot could not be restored.
 * The defaults of their gaps apply instead.
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
    if (mode === 'remove') {
      this.#accounts.delete(account);
      return;
    }
    // A `replace` commit has all rows of the account.
    const previous = mode === 'merge' ? this.#accounts.get(account) : undefined;
    const tables = previous ?? new Map<string, Map<string | number, object>>();
    this.#accounts.set(account, tables);
    for (const [table, rows] of Object.entries(tablesOf(changes))) {
      const byKey = tables.get(table) ?? new Map<string | number, object>();
      tables.set(table, byKey);
      for (const row of rows) if (isRecord(row)) byKey.set(keyOf(row), row);
    }
  }

  /**
   * Returns the rows of the accounts whose rows are all valid, and that have exactly one row in the table `account`.
   * @param onDropped called for each account that is left out, with the reason
   */
  async validAccounts(onDropped: (id: string, reason: string) => void): Promise<Map<string, RowsByTable>> {
    const { areValidRows } = await loadRowValidators();
    const accounts = new Map<string, RowsByTable>();
    for (const [id, tables] of this.#accounts) {
      const rowsByTable = Object.fromEntries([...tables].map(([table, rows]) => [table, [...rows.values()]]));
      if (!areValidRows(rowsByTable, ({ message }) => onDropped(id, message))) continue;
      if (rowsByTable['account']?.length === 1) accounts.set(id, rowsByTable);
      else onDropped(id, 'its row `account` is missing');
    }
    return accounts;
  }
}
