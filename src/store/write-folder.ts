import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowsByTable } from '../simulation/state/changes.js';
import { CheckpointFile } from './checkpoint.js';
import { checkpointPath, dataFolderFormat, ensureDataFolder } from './folder.js';
import type { Inspection } from './inspect-folder.js';
import { JournalWriter } from './journal.js';
import { lockFolder } from './lock.js';
import { DataFolderError } from './problem.js';
import { tablesOf } from './stored-tables.js';

/** The lease number of a new folder (see `JournalFile.lease`). */
const firstLease = 1;

/**
 * Writes the valid contents of an inspection into a new data folder.
 * @throws DataFolderError if the folder is not empty
 */
export async function writeFolder(folder: string, { seq, accounts, snapshots }: Inspection): Promise<void> {
  const advice = 'choose a new folder';
  await ensureDataFolder(folder, advice);
  if ((await readdir(folder)).length > 0) throw new DataFolderError(`${folder} is not empty; ${advice}`);
  const lock = await lockFolder(folder);
  try {
    // A `CheckpointFile` reports problems only when it reads, and here it only writes.
    const ignoreProblem = (): void => undefined;
    const write = (path: string, rows: ReadonlyMap<string, RowsByTable>): Promise<void> =>
      new CheckpointFile(path, ignoreProblem, () => lock.check()).write({
        format: dataFolderFormat,
        seq,
        accounts: new Map([...rows].map(([account, changes]) => [account, tablesOf(changes)])),
      });
    for (const [name, { account, changes }] of snapshots)
      await write(join(folder, name), new Map([[account, changes]]));
    // A simulator starts a new journal before it writes a checkpoint. Without that journal, a reader would report missing
    // commits, so this starts one, too.
    const journal = new JournalWriter(folder, seq + 1, firstLease, 'disk');
    journal.create();
    await journal.sync();
    journal.close();
    await write(checkpointPath(folder), accounts);
  } finally {
    lock.release();
  }
}
