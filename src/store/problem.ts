import { UserError } from '../lib/user-error.js';

/** Thrown for an unusable data folder. The message says why and what to do. */
export class DataFolderError extends UserError {
  override readonly name = 'DataFolderError';
}

/** Something wrong in a data folder. */
export interface Problem {
  /**
   * `damaged`: differs from what was written; `invalid`: intact, but not a valid value; `rolled-back`: commits are
   * missing because a file was deleted or replaced by an older one; `newer`: written by a newer version.
   */
  readonly kind: 'damaged' | 'invalid' | 'rolled-back' | 'newer';
  readonly file: string;
  /** Position in the file, such as `line 12` or `byte 340`. */
  readonly place?: string | undefined;
  readonly message: string;
}

/** Called for each problem. Throws to stop reading; if it returns, the affected part is skipped. */
export type ReportProblem = (problem: Problem) => void;

/** Formats a problem with its place: `/data/db.json, line 12: …`. */
export function describeProblem({ file, place, message }: Problem): string {
  return `${file}${place === undefined ? '' : `, ${place}`}: ${message}`;
}

/** Problem of a path that is a folder, but must be a file. */
export function folderInsteadOfFile(path: string): Problem {
  return { kind: 'damaged', file: path, message: 'this is a folder, but must be a file' };
}

/** @throws DataFolderError that says what is wrong and what to do */
export function throwProblem(problem: Problem): never {
  const advice = {
    damaged:
      '`billing-sim data check` names every problem, and `billing-sim data repair` saves the undamaged data into a new folder',
    invalid: 'correct the file, or let `billing-sim data repair` save what is valid into a new folder',
    'rolled-back': 'restore the files, or start with --accept-rollback to continue without those commits',
    newer: 'use the newer version, or choose another folder with --data',
  }[problem.kind];
  throw new DataFolderError(`${describeProblem(problem)}. Nothing has been changed; ${advice}`);
}
