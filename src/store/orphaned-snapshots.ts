import { join } from 'node:path';
import type { ReportProblem } from './problem.js';

/**
 * Reports snapshot files in a folder without commits: each is written shortly before a commit that refers to it, so the
 * commits have been lost.
 * @param names names of all snapshot files
 * @returns paths of the files
 */
export function reportOrphanedSnapshots(folder: string, names: readonly string[], report: ReportProblem): string[] {
  // An unfinished file proves no loss: a crash may have left it before the first commit.
  const finished = names.filter((name) => !name.endsWith('.tmp'));
  if (finished.length > 0) {
    const message = 'there are saved snapshots, but no commits: db.json and the journals are missing or unusable';
    report({ kind: 'rolled-back', file: folder, message });
  }
  return finished.map((name) => join(folder, name));
}
