import { existsSync } from 'node:fs';
import { checkpointPath, journalsIn, snapshotFilesIn } from '../store/folder.js';
import { type Inspection, inspectFolder } from '../store/inspect-folder.js';
import { DataFolderError, describeProblem } from '../store/problem.js';
import { writeFolder } from '../store/write-folder.js';

export { describeProblem, type Inspection };

/**
 * Reads a data folder that is not in use: its valid data and its problems. Throws if it has no data, so that a mistyped
 * path is not reported as valid.
 * @throws DataFolderError if the folder cannot be read or has no data
 */
export async function checkFolder(folder: string): Promise<Inspection> {
  const inspection = await inspectFolder(folder);
  const otherFiles = [...(await journalsIn(folder)), ...(await snapshotFilesIn(folder))];
  if (existsSync(checkpointPath(folder)) || otherFiles.length > 0) return inspection;
  throw new DataFolderError(
    `${folder} contains no billing-sim data (no db.json, journal or snapshot); choose another folder with --data`,
  );
}

/**
 * Copies the valid data of a folder into a new one.
 * @throws DataFolderError if one of the folders cannot be used, or `folder` has no data
 */
export async function writeRepairedCopy(folder: string, to: string): Promise<Inspection> {
  const inspection = await checkFolder(folder);
  await writeFolder(to, inspection);
  return inspection;
}
