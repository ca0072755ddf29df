import type { RowChanges } from '../simulation/state/changes.js';
import { brokenReferences } from '../simulation/state/references.js';
import { type Inspection, inspectFolder, writeFolder } from '../store/inspect-folder.js';
import { describe, type Problem } from '../store/problem.js';

export { describe, type Inspection, type Problem };

/**
 * Reads a data folder that no simulator uses, and lists its problems, broken references included.
 * @throws DataFolderError
 */
export async function checkFolder(
  folder: string,
): Promise<{ readonly inspection: Inspection; readonly problems: readonly Problem[] }> {
  const inspection = await inspectFolder(folder);
  return { inspection, problems: withoutBrokenReferences(inspection, folder).problems };
}

/** Copies the valid data of a folder into a new one. @throws DataFolderError */
export async function repairFolder(folder: string, to: string): Promise<Inspection> {
  const repaired = withoutBrokenReferences(await inspectFolder(folder), folder);
  await writeFolder(to, repaired);
  return repaired;
}

/** Removes rows that refer to missing rows, and then the rows that refer to those. */
function withoutBrokenReferences(inspection: Inspection, file: string): Inspection {
  const problems = [...inspection.problems];
  const accounts = new Map(inspection.accounts);
  for (const [id, rows] of inspection.accounts) {
    let changes = rows;
    for (let broken = brokenReferences(changes); broken.length > 0; broken = brokenReferences(changes)) {
      for (const { message } of broken) problems.push({ kind: 'invalid', file, message: `account ${id}: ${message}` });
      const currentlyBroken = broken;
      const isBroken = (table: keyof RowChanges, row: { readonly id: number | string }): boolean =>
        currentlyBroken.some((each) => each.table === table && each.id === row.id);
      changes = {
        ...changes,
        invoices: (changes.invoices ?? []).filter((row) => !isBroken('invoices', row)),
        payments: (changes.payments ?? []).filter((row) => !isBroken('payments', row)),
        mails: (changes.mails ?? []).filter((row) => !isBroken('mails', row)),
        attempts: (changes.attempts ?? []).filter((row) => !isBroken('attempts', row)),
        deliveries: (changes.deliveries ?? []).filter((row) => !isBroken('deliveries', row)),
      };
    }
    accounts.set(id, changes);
  }
  return { ...inspection, problems, accounts };
}
