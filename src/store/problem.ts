/** Something that is wrong with a data folder. */
export interface Problem {
  /**
   * `damaged`: not what was written; `invalid`: whole, but not a value that can be stored; `rolled-back`: commits are
   * missing, because a file was deleted or replaced by an older one; `newer`: written by a newer version.
   */
  readonly kind: 'damaged' | 'invalid' | 'rolled-back' | 'newer';
  readonly file: string;
  /** Where in the file, such as `line 12` or `byte 340`. */
  readonly place?: string | undefined;
  readonly message: string;
}

/** Called for each problem that is found. Throws to stop reading; where it returns, what is wrong is left out. */
export type Report = (problem: Problem) => void;

export function describe({ file, place, message }: Problem): string {
  return `${file}${place === undefined ? '' : `, ${place}`}: ${message}`;
}
