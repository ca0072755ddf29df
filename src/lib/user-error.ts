/** Base class of errors that users can fix. The message says in one line what is wrong and what to do. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** Base class of errors about a part of a value that a user wrote. */
export class InputError extends UserError {
  /** Keys and indexes of the invalid part. */
  readonly path: readonly string[];
  /** Errors about other parts of the same value; empty if the parser reports only the first error. */
  readonly others: readonly InputError[];

  constructor(path: readonly string[], message: string, others: readonly InputError[] = []) {
    super(message);
    this.path = path;
    this.others = others;
  }
}
