import { existsSync } from 'node:fs';
import type { RowsByTable } from '../simulation/state/changes.js';
import { brokenReferences } from '../simulation/state/references.js';
import { DataFolderError } from '../store/data-folder-error.js';
import { checkpointPath, journalsIn, snapshotFilesIn } from '../store/folder.js';
import { type Inspection, inspectFolder } from '../store/inspect-folder.js';
import { describeProblem, type Problem } from '../store/problem.js';
import { writeFolder } from '../store/write-folder.js';

export { describeProblem, type Inspection, type Problem };

/**
 * Reads a data folder that is not in use, and lists its problems, broken references included.
 * @throws DataFolderError if the folder cannot be read or has no data
 */
export async function checkFolder(
  folder: string,
): Promise<{ readonly inspection: Inspection; readonly problems: readonly Problem[] }> {
  const inspection = await inspectNonEmpty(folder);
  return { inspection, problems: withoutBrokenReferences(inspection, folder).problems };
}

/**
 * Copies the valid data of a folder into a new one.
 * @throws DataFolderError if one of the folders cannot be used, or `folder` has no data
 */
export async function writeRepairedCopy(folder: string, to: string): Promise<Inspection> {
  const repaired = withoutBrokenReferences(await inspectNonEmpty(folder), folder);
  await writeFolder(to, repaired);
  return repaired;
}

/**
 * Inspects a folder. Throws if it has no data, so that a mistyped path is not reported as valid.
 * @throws DataFolderError
 */
async function inspectNonEmpty(folder: string): Promise<Inspection> {
  const inspection = await inspectFolder(folder);
  const otherFiles = [...(await journalsIn(folder)), ...(await snapshotFilesIn(folder))];
  if (existsSync(checkpointPath(folder)) || otherFiles.length > 0) return inspection;
  throw new DataFolderError(
    `${folder} has no data of billing-sim (no db.json, journal or snapshot); choose another folder with --data`,
  );
}

/**
 * Removes rows with broken references until there are none, since a removed row may break other references. Adds a
 * problem for each broken reference.
 */
function withoutBrokenReferences(inspection: Inspection, folder: string): Inspection {
  const problems = [...inspection.problems];
  const accounts = new Map(inspection.accounts);
  for (const [id, rows] of inspection.accounts) {
    let remaining = rows;
    for (let broken = brokenReferences(remaining); broken.length > 0; broken = brokenReferences(remaining)) {
      for (const { message } of broken)
        problems.push({ kind: 'invalid', file: folder, message: `account ${id}: ${message}` });
      const brokenRows = new Set(broken.map(({ table, id: rowId }) => `${table} ${rowId}`));
      const isBroken = (table: keyof RowsByTable, row: { readonly id: number | string }): boolean =>
        brokenRows.has(`${table} ${row.id}`);
      // These are the tables that `brokenReferences` checks.
      remaining = {
        ...remaining,
        invoices: (remaining.invoices ?? []).filter((row) => !isBroken('invoices', row)),
        payments: (remaining.payments ?? []).filter((row) => !isBroken('payments', row)),
        mails: (remaining.mails ?? []).filter((row) => !isBroken('mails', row)),
        attempts: (remaining.attempts ?? []).filter((row) => !isBroken('attempts', row)),
        deliveries: (remaining.deliveries ?? []).filter((row) => !isBroken('deliveries', row)),
      };
    }
    accounts.set(id, remaining);
  }
  return { ...inspection, problems, accounts };
}
