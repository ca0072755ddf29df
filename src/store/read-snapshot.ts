import { join } from 'node:path';
import type { RowsByTable } from '../simulation/state/changes.js';
import { withoutBrokenReferences } from '../simulation/state/references.js';
import { CheckpointFile } from './checkpoint.js';
import type { ReadOptions } from './read-folder.js';
import { validRows } from './rows.js';

/**
 * Reads the contents of a snapshot; undefined if the file does not exist or is unusable. Reports every problem except a
 * missing file.
 */
export async function readSnapshot(
  folder: string,
  name: string,
  { report, trustsUnchangedFiles }: Pick<ReadOptions, 'report' | 'trustsUnchangedFiles'>,
): Promise<RowsByTable | undefined> {
  const path = join(folder, name);
  const checkpoint = await new CheckpointFile(path, report).read();
  if (!checkpoint) return undefined;
  const [tables] = checkpoint.accounts.values();
  if (!tables) {
    report({ kind: 'damaged', file: path, message: 'the snapshot contains no account' });
    return undefined;
  }
  const reportRow = ({ message }: { readonly message: string }): void =>
    report({ kind: 'invalid', file: path, message });
  const isTrusted = trustsUnchangedFiles && checkpoint.isUnchanged;
  const rows = await validRows(tables, reportRow, isTrusted ? 'unchanged-file' : 'file');
  if (rows.account?.length === 1) return withoutBrokenReferences(rows, reportRow);
  reportRow({ message: 'the snapshot must have exactly one row `account`' });
  return undefined;
}
